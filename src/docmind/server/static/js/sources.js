// The sources of an answer, one after the other: which document, and the very words.

import { whereabouts } from "./citations.js";
import { el } from "./dom.js";
import { supporting } from "./words.js";

/** Fill `panel` with what the turn cites; `open` is called with a citation. */
export function showSources(panel, turn, open) {
  const citations = turn?.result?.citations ?? [];
  if (!citations.length) {
    panel.replaceChildren(el("p", { class: "muted" }, why(turn)));
    return;
  }
  panel.replaceChildren(
    el(
      "ol",
      { class: "sources" },
      citations.map((citation) => entry(citation, open)),
    ),
  );
}

function why(turn) {
  if (!turn) return "The documents behind an answer are listed here, with the exact words it cites.";
  if (turn.result?.nearest.length) return "There is no answer, so nothing is cited.";
  return turn.result ? "This answer cites nothing." : "The sources are listed as soon as the answer has been checked.";
}

function entry(citation, open) {
  return el(
    "li",
    {},
    el(
      "button",
      { class: "source", type: "button", onclick: () => open(citation) },
      el(
        "span",
        { class: "source-head" },
        el("span", { class: "marker" }, citation.marker.replace(/[^\d]/g, "")),
        el("span", { class: "source-title" }, whereabouts(citation)),
      ),
      el("q", {}, citation.quote),
      el("span", { class: "support" }, supporting(citation.support)),
    ),
  );
}
