// Checks a text that somebody pastes: each sentence marked with what the documents say of it, and the quote behind it.

import { currentWorkspace, post } from "./api.js";
import { whereabouts } from "./citations.js";
import { $, el } from "./dom.js";
import { openDocument } from "./reader.js";
import { FINDING, codePoints, count, percent } from "./words.js";

/** Let the button `check-text` open the dialog. What was pasted stays until the page is left. */
export function offerTextCheck() {
  const view = makeView();
  let checkedIn = null;
  let checking = null;

  const check = async () => {
    checking?.abort();
    checking = new AbortController();
    const { signal } = checking;
    const text = view.field.value;
    view.wait();
    try {
      checkedIn = currentWorkspace();
      const { claims } = await post("/check", { workspace: checkedIn, text }, signal);
      if (!signal.aborted) view.show(text, claims);
    } catch (problem) {
      if (!signal.aborted) view.complain(problem);
    }
  };
  view.form.addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
  view.dialog.addEventListener("close", () => {
    if (!view.isWaiting()) return;
    checking.abort();
    view.clear();
  });
  $("check-text").addEventListener("click", () => {
    // Another workspace says something else of the same text.
    if (checkedIn !== currentWorkspace()) view.clear();
    view.dialog.showModal();
    view.field.focus();
  });
}

/** The dialog with its parts, and what they can show. */
function makeView() {
  const dialog = $("text-check");
  const field = el("textarea", {
    id: "text-to-check",
    rows: 7,
    required: true,
    placeholder: "Paste a draft, an email or an answer from somewhere else",
  });
  const button = el("button", { class: "button primary", type: "submit" }, "Check");
  const summary = el("p", { class: "muted", role: "status" });
  const error = el("p", { class: "error", role: "alert" });
  const text = el("div", { class: "checked-text", role: "group", "aria-label": "The text, sentence by sentence" });
  const form = el(
    "form",
    { class: "text-form" },
    el("label", { for: "text-to-check" }, "Text to check"),
    field,
    el("div", { class: "row" }, button, summary),
  );
  dialog.replaceChildren(head(dialog), el("div", { class: "text-check-body" }, form, error, text));
  const complain = (problem) => {
    error.textContent = problem.message ?? String(problem);
  };
  const say = (sentence, sentences = []) => {
    button.disabled = false;
    error.textContent = "";
    summary.textContent = sentence;
    text.replaceChildren(...sentences);
  };
  return {
    dialog,
    field,
    form,
    isWaiting: () => button.disabled,
    clear: () => say(""),
    wait() {
      say("Checking …");
      button.disabled = true;
    },
    complain(problem) {
      say("");
      complain(problem);
    },
    show: (checked, claims) => say(tally(claims), marked(checked, claims, complain)),
  };
}

const head = (dialog) =>
  el(
    "header",
    { class: "reader-head" },
    el(
      "div",
      {},
      el("h2", { id: "text-check-title" }, "Check a text"),
      el("p", { class: "muted" }, "Each sentence is compared with the documents of this workspace."),
    ),
    el(
      "div",
      { class: "row" },
      el("button", { class: "button", type: "button", onclick: () => dialog.close() }, "Close"),
    ),
  );

/** `3 sentences: 1 supported, 2 not found. Choose one to see why.` */
function tally(claims) {
  if (!claims.length) return "No sentence in the text makes a claim.";
  const told = Object.entries(FINDING)
    .map(([status, { word }]) => [claims.filter((claim) => claim.status === status).length, word.toLowerCase()])
    .filter(([number]) => number);
  const counts = told.map(([number, word]) => `${number} ${word}`).join(", ");
  return `${count(claims.length, "sentence")}: ${counts}. Choose one to see why.`;
}

/** The text as it was pasted, each claim in its place; one at a time shows what was found of it. */
function marked(text, claims, complain) {
  const characters = codePoints(text);
  const parts = [];
  let chosen = null;
  let shown = null;
  const choose = (mark, claim) => {
    if (mark === chosen) return;
    shown?.remove();
    chosen?.setAttribute("aria-expanded", false);
    chosen = mark;
    shown = finding(claim, complain);
    mark.setAttribute("aria-expanded", true);
    mark.after(shown);
  };
  let from = 0;
  for (const claim of claims) {
    parts.push(characters.slice(from, claim.start).join(""), sentence(claim, choose));
    from = claim.end;
  }
  return [...parts, characters.slice(from).join("")];
}

/** A button that runs on over lines as text does, which an element of that name cannot. */
function sentence(claim, choose) {
  const { sign, word } = FINDING[claim.status];
  const mark = el(
    "span",
    { class: `claim ${claim.status}`, role: "button", tabindex: 0, "aria-expanded": "false" },
    el("span", { class: "sign", "aria-hidden": "true" }, `${sign} `),
    claim.text,
    el("span", { class: "visually-hidden" }, ` ${word}.`),
  );
  for (const name of ["click", "focus"]) mark.addEventListener(name, () => choose(mark, claim));
  mark.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose(mark, claim);
  });
  return mark;
}

function finding(claim, complain) {
  const { word, meaning } = FINDING[claim.status];
  const place = { ...claim, start: claim.quote_start, end: claim.quote_end };
  return el(
    "div",
    { class: "finding" },
    el("p", {}, el("span", { class: `verdict ${claim.status}` }, word), meaning),
    claim.quote ? el("blockquote", {}, claim.quote) : null,
    claim.document
      ? el(
          "button",
          { class: "link", type: "button", onclick: () => openDocument(place, complain) },
          `Open ${whereabouts(claim)}`,
        )
      : null,
    el("p", { class: "muted" }, `Supported by the documents: ${percent(claim.probability)}`),
  );
}
