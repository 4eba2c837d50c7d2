// One line beside a button that says what is going on, and what came of it.

import { el } from "./dom.js";

export function saying() {
  const node = el("p", { class: "saying", role: "status" });
  const show = (sentence, kind) => {
    node.textContent = sentence;
    node.dataset.kind = kind;
  };
  return {
    node,
    say: (sentence, kind = "") => show(sentence, kind),
    fail: (problem) => show(problem.message ?? String(problem), "bad"),
  };
}
