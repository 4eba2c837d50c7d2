// The passages nearest to a question that was not answered: something to read on, and not what an answer rests on.

import { whereabouts } from "./citations.js";
import { el } from "./dom.js";

const TITLE = "The nearest passages";
const ABOUT = "These passages come closest to the question, but do not clearly answer it.";

/** A section that lists them, or null where there are none; `open` is called with the place of one. */
export function nearest(passages, open) {
  if (!passages.length) return null;
  return el(
    "section",
    { class: "nearest", "aria-label": TITLE },
    el("h3", {}, TITLE),
    el("p", { class: "muted" }, ABOUT),
    el(
      "ul",
      { class: "plain" },
      passages.map((passage) => entry(passage, open)),
    ),
  );
}

/** The same for a file, or null. */
export function nearestAsMarkdown(passages) {
  if (!passages.length) return null;
  const lines = passages.map((passage) => `- ${whereabouts(passage)} (${passage.source}): ${passage.excerpt}`);
  return `## ${TITLE}\n\n${ABOUT}\n\n${lines.join("\n")}`;
}

function entry(passage, open) {
  const below = passage.heading.filter((part) => !part.startsWith(passage.title));
  return el(
    "li",
    {},
    el(
      "button",
      { class: "near", type: "button", onclick: () => open(passage) },
      el("span", { class: "near-title" }, whereabouts(passage)),
      el("span", { class: "muted" }, [passage.source, ...below].join(" · ")),
      el("span", { class: "near-excerpt" }, passage.excerpt),
    ),
  );
}
