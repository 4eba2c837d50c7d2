// What is shown before anything was asked: how to begin, and questions to begin with.

import { $, el } from "./dom.js";

const FORMATS = "PDF, Word, Excel, CSV, HTML, Markdown, plain text, and ZIP files of them.";
// Questions on the example documents, each for a workspace that holds the document it is about.
const EXAMPLES = [
  ["docs", "board-paper-european-expansion", "When does production in Ostrava start?"],
  [
    "docs",
    "board-paper-european-expansion",
    "Which four conditions does the board paper attach to the approval of Project Heron?",
  ],
  ["docs", "competitor-analysis", "Who sells a ten-year full service contract?"],
  ["strategy", "investment-committee-minutes", "What is the capital budget of Project Heron?"],
  ["strategy", "risk-register", "Which risk has the highest score and who owns it?"],
  ["chat", "competitor-analysis", "Who sells a ten-year full service contract?"],
  ["chat", "customer-survey", "What was the main reason for buying elsewhere?"],
  ["finance", "ellandor-annual-report-2024", "How did Ellandor's revenue develop from 2022 to 2024?"],
  ["finance", "ellandor-annual-report-2023", "By what percentage did Ellandor's revenue grow from 2022 to 2023?"],
];

/** Show the welcome for a workflow and the documents there are; `use` is called with a question to try. */
export function welcome(workflow, documents, mayEdit, use) {
  $("welcome").replaceChildren(...(documents.length ? ready(workflow, documents, use) : empty(workflow, mayEdit)));
}

function empty(workflow, mayEdit) {
  const begin = mayEdit
    ? el(
        "label",
        { class: "drop-here", for: "files" },
        el("strong", {}, "Drop documents here, or choose some"),
        el("span", {}, FORMATS),
      )
    : el("p", {}, "This workspace has no documents, and your key may not add any. Ask whoever gave you the key.");
  return [
    el("h2", {}, "Ask your own documents"),
    el(
      "p",
      { class: "lead" },
      "Every sentence of an answer is cited down to the exact characters, and checked against them before you see it.",
    ),
    begin,
    el(
      "ol",
      { class: "how" },
      step("Add documents", "This service keeps them, in a workspace that sees nothing of any other."),
      step("Ask in plain words", `Choose above who answers. ${workflow.title}: ${workflow.description}`),
      step("See what it rests on", "Point at a number to read the quote; click it to open the document at that place."),
    ),
  ];
}

const step = (title, text) => el("li", {}, el("strong", {}, title), el("span", {}, text));

function ready(workflow, documents, use) {
  const questions = fitting(workflow.name, documents);
  return [
    el("h2", {}, "What would you like to know?"),
    el("p", { class: "lead" }, workflow.description),
    el("p", { class: "muted" }, "Questions to begin with"),
    el(
      "ul",
      { class: "examples" },
      questions.map((question) =>
        el("li", {}, el("button", { class: "example", type: "button", onclick: () => use(question) }, question)),
      ),
    ),
  ];
}

function fitting(name, documents) {
  const known = EXAMPLES.filter(
    ([workflow, part]) => workflow === name && documents.some((one) => one.name.includes(part)),
  );
  if (known.length) return known.map(([, , question]) => question);
  const titles = documents.slice(0, 2).map(({ title }) => title);
  return titles
    .flatMap((title) => [`What does “${title}” recommend?`, `Which dates does “${title}” name?`])
    .slice(0, 3);
}
