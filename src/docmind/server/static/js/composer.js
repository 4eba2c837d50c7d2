// Where questions are written: Enter sends, Shift+Enter starts a new line, and the field grows with what is in it.

import { $ } from "./dom.js";

/** `{limit, use, busy}`: let people write so much, put a question into the field, show whether one is under way. */
export function makeComposer({ ask, stop }) {
  const field = $("question");
  const grow = () => {
    field.rows = 1;
    while (field.scrollHeight > field.clientHeight && field.rows < 8) field.rows += 1;
  };
  const send = () => {
    const question = field.value.trim();
    if (!question || !$("stop").hidden) return;
    field.value = "";
    grow();
    ask(question);
  };
  field.addEventListener("input", grow);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  });
  $("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  $("stop").addEventListener("click", stop);
  return {
    limit: (most) => {
      field.maxLength = most;
    },
    use: (question) => {
      field.value = question;
      grow();
      field.focus();
    },
    busy: (isBusy) => {
      $("ask").hidden = isBusy;
      $("stop").hidden = !isBusy;
    },
  };
}
