// Whether an answer is right, as the person who asked sees it: thumbs up or down, and a comment.

import { put, remove } from "./api.js";
import { el, svg } from "./dom.js";
import { complain, tell } from "./notice.js";

const LONGEST_COMMENT = 4000;
const THUMB = "M4 11h3v9H4zm5 9V11l3-7a2 2 0 0 1 2 2.5V10h4.5a2 2 0 0 1 2 2.4l-1.2 6A2 2 0 0 1 17.3 20z";

/** The buttons and, once one was pressed, a field for a comment. `turn.feedback` is what was said so far. */
export function feedback(turn) {
  const place = `/runs/${turn.run}/feedback`;
  const box = el("div", { class: "feedback", role: "group", "aria-label": "Is this answer right?" });
  const keep = async (right, comment, said) => {
    try {
      if (right === null) await remove(place);
      else await put(place, { right, comment });
      turn.feedback = right === null ? null : { right, comment };
      tell(said);
    } catch (problem) {
      complain(problem);
    }
    draw();
  };
  const thumb = (right) => {
    const isPressed = turn.feedback?.right === right;
    const press = async () => {
      await keep(isPressed ? null : right, turn.feedback?.comment ?? "", isPressed ? "Your rating was taken back." : "Your rating was saved.");
      box.querySelector(right ? ".up" : ".down").focus();
    };
    return el(
      "button",
      {
        class: `quiet thumb ${right ? "up" : "down"}`,
        type: "button",
        title: right ? "This answer is right" : "This answer is wrong",
        "aria-label": right ? "This answer is right" : "This answer is wrong",
        "aria-pressed": String(isPressed),
        onclick: press,
      },
      svg("svg", { class: "icon", viewBox: "0 0 24 24", width: 18, height: 18, "aria-hidden": "true" }, svg("path", { d: THUMB })),
    );
  };
  const draw = () => {
    const said = turn.feedback ? commentForm(turn.feedback, (comment) => keep(turn.feedback.right, comment, "Your comment was saved.")) : null;
    const asks = el("span", { class: "muted" }, "Is this answer right?");
    box.replaceChildren(...[asks, el("span", { class: "row" }, thumb(true), thumb(false)), said].filter(Boolean));
  };
  draw();
  return box;
}

function commentForm({ right, comment }, save) {
  const field = el("input", {
    type: "text",
    maxlength: LONGEST_COMMENT,
    value: comment,
    "aria-label": "Comment",
    placeholder: right ? "Add a comment" : "What is wrong with it?",
    autocomplete: "off",
  });
  const button = el("button", { class: "button small", type: "submit" }, "Save");
  const form = el("form", { class: "row comment" }, field, button);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await save(field.value.trim());
  });
  return form;
}
