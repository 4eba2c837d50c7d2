// The banner of a run that needs a person: what it asks, what there is to choose from, and both sides of a conflict.

import { whereabouts } from "./citations.js";
import { el } from "./dom.js";

/** The banner; `reply` is called with the answer of the person, `open` with a place of a document. */
export function banner(turn, { reply, open }) {
  const { clarification, evaluation } = turn.result;
  const sides = evaluation?.disputes?.[0]?.sides ?? [];
  const choices = clarification.options.map((option) => [option, sides.find((side) => option === nameOf(side))]);
  const plainly = choices.filter(([, side]) => !side).map(([option]) => option);
  const answer = (option) => el("button", { class: "button", type: "button", onclick: () => reply(option) }, option);
  return el(
    "section",
    { class: "banner", role: "group", "aria-label": "A question for you" },
    el("p", { class: "banner-kind" }, sides.length ? "The sources disagree" : "A question for you"),
    el("p", { class: "banner-question" }, clarification.question),
    sides.length
      ? el(
          "div",
          { class: "sides" },
          choices.filter(([, side]) => side).map(([option, side]) => sideCard(side, () => reply(option), open)),
        )
      : null,
    turn.waiting ? el("div", { class: "row wrap" }, plainly.map(answer)) : null,
    turn.waiting
      ? sides.length
        ? null
        : ownWords(reply)
      : el("p", { class: "muted" }, "Ask again below."),
  );
}

const nameOf = ({ title, value }) => `${title}: ${value}`;

function sideCard(side, choose, open) {
  const place = { ...side, document: side.document_id, quote: side.claim };
  return el(
    "article",
    { class: "side" },
    el("p", { class: "side-value" }, side.value),
    el("p", { class: "muted" }, whereabouts(side)),
    el("blockquote", {}, side.claim),
    el(
      "div",
      { class: "row wrap" },
      el("button", { class: "button primary", type: "button", onclick: choose }, "Follow this source"),
      el("button", { class: "quiet", type: "button", onclick: () => open(place) }, "Open the document"),
    ),
  );
}

function ownWords(reply) {
  const field = el("input", {
    type: "text",
    "aria-label": "Your answer",
    placeholder: "Or answer in your own words",
    autocomplete: "off",
  });
  const form = el("form", { class: "row" }, field, el("button", { class: "button", type: "submit" }, "Answer"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim()) reply(field.value.trim());
  });
  return form;
}
