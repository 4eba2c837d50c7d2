// What is shown before anything was asked: how to begin, and questions that the documents surely answer.

import { $, el } from "./dom.js";

const FORMATS =
  "PDF, Word, PowerPoint, Excel, OpenDocument, e-mails, EPUB, HTML, CSV, Markdown, plain text, and ZIP files of them.";

/** Show the welcome. `page` says which workflow is chosen, which documents there are, which questions are suggested,
 * what the person may do, and whether files are on their way; `actions` are `suggest` and `examples`. */
export function welcome(page, actions) {
  $("welcome").replaceChildren(...(page.documents.length ? ready(page, actions) : empty(page, actions)));
}

function empty({ workflow, mayEdit, mayTry, comesIn }, { examples }) {
  return [
    el("h2", {}, "Ask your own documents"),
    el(
      "p",
      { class: "lead" },
      "Every sentence of an answer cites the exact words it is based on, and is checked against them before you see it.",
    ),
    comesIn ? el("p", { class: "drop-here", role: "status" }, "Reading the first documents …") : begin(mayEdit),
    mayTry && !comesIn ? tryExamples(examples) : null,
    el(
      "ol",
      { class: "how" },
      step("Add documents", "They stay on this server, in the workspace you chose."),
      step("Ask in plain words", `Choose a way of answering above. ${workflow.title}: ${workflow.description}`),
      step("See where it comes from", "Point at a number in an answer to read the quote. Click it to open the document at that place."),
    ),
  ].filter(Boolean);
}

function begin(mayEdit) {
  if (!mayEdit) {
    return el("p", {}, "This workspace has no documents, and your key may not add any. Ask whoever gave you the key.");
  }
  return el(
    "label",
    { class: "drop-here", for: "files" },
    el("strong", {}, "Drop documents here, or choose files"),
    el("span", {}, FORMATS),
  );
}

function tryExamples(examples) {
  return el(
    "p",
    { class: "try" },
    "No documents at hand? ",
    el("button", { id: "try-examples", class: "button", type: "button", onclick: examples }, "Try the examples"),
    el("span", { class: "muted" }, "Board papers and annual reports of two fictional companies, in a workspace of their own."),
  );
}

const step = (title, text) => el("li", {}, el("strong", {}, title), el("span", {}, text));

function ready({ workflow, suggestions }, { suggest }) {
  const fitting = suggestions.filter((one) => one.workflow === workflow.name);
  const others = suggestions.filter((one) => one.workflow !== workflow.name);
  return [
    el("h2", {}, "What would you like to know?"),
    el("p", { class: "lead" }, workflow.description),
    ...(fitting.length ? offered("Questions to start with", fitting, suggest) : []),
    ...(!fitting.length && others.length ? offered("Questions to start with, in other workflows", others, suggest) : []),
  ];
}

function offered(heading, suggestions, suggest) {
  return [
    el("h3", { class: "muted" }, heading),
    el(
      "ul",
      { class: "examples" },
      suggestions.map((one) =>
        el("li", {}, el("button", { class: "example", type: "button", onclick: () => suggest(one) }, one.question)),
      ),
    ),
  ];
}
