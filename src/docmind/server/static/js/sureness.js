// How likely an answer is right: one number, and on request what it means.

import { announce, el } from "./dom.js";
import { place } from "./menu.js";

let made = 0;

/** The words and the percentage, and a button that explains them. */
export function sureness({ confidence_in_words: words }) {
  made += 1;
  const id = `meaning-${made}`;
  const meaning = el("div", { id, class: "meaning", popover: "auto" }, el("p", {}, explained(words)));
  const button = el(
    "button",
    { class: "explain", type: "button", popovertarget: id, "aria-label": "What does this percentage mean?" },
    "?",
  );
  meaning.addEventListener("toggle", ({ newState }) => {
    if (newState !== "open") return;
    place(meaning, button.getBoundingClientRect());
    announce(meaning.textContent);
  });
  const said = el("span", { class: "sureness" }, words[0].toUpperCase() + words.slice(1));
  return el("span", { class: "sure" }, said, button, meaning);
}

const explained = (words) =>
  `This is DocMind's estimate of how likely the whole answer is right: of 100 answers with this percentage, about ` +
  `${/(\d+)%/.exec(words)[1]} should be. It may be less accurate for documents unlike those it was measured on. The checks ` +
  "answer a different question: whether the documents support each sentence.";
