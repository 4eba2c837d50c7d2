// Keeps the newest answer in sight, and never pulls a reader away from what they read.

import { $ } from "./dom.js";

const BY_KEY = new Set(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", " "]);

/** `{follow, arrived, forget}`: look at a turn, say that its answer is there, and look at none. */
export function keepInSight() {
  const frame = $("scroll");
  const jump = $("jump");
  let followed = null;
  let reads = false;
  const show = (element) => {
    jump.hidden = true;
    element.scrollIntoView({ block: "start" });
  };

  const moved = () => {
    reads = true;
  };
  for (const gesture of ["wheel", "touchmove", "pointerdown"]) frame.addEventListener(gesture, moved, { passive: true });
  frame.addEventListener("keydown", ({ key }) => BY_KEY.has(key) && moved());
  frame.addEventListener("scroll", () => {
    if (!jump.hidden && isInSight(followed, frame)) jump.hidden = true;
  });
  jump.addEventListener("click", () => {
    show(followed);
    frame.focus();
  });

  return {
    follow(element) {
      followed = element;
      reads = false;
      show(element);
    },
    arrived(element) {
      if (element !== followed) return;
      if (!reads) show(element);
      else jump.hidden = isInSight(element, frame);
    },
    forget() {
      followed = null;
      jump.hidden = true;
    },
  };
}

/** Whether its answer, which begins below the question, can be seen. */
function isInSight(element, frame) {
  const answer = element?.querySelector(".answer")?.getBoundingClientRect();
  if (!answer) return true;
  const { top, bottom } = frame.getBoundingClientRect();
  return answer.top < bottom && answer.bottom > top;
}
