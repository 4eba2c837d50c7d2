// Says above the conversation what went wrong, until it is closed or something else is said; and below it, for a
// moment, what was done.

import { $, announce, el } from "./dom.js";

const SHOWN_MS = 5000;
let hiding = null;

export function complain(reason) {
  const notice = $("notice");
  notice.replaceChildren(
    el("p", {}, reason.message ?? String(reason)),
    el("button", { class: "quiet", onclick: clearNotice }, "Close"),
  );
  notice.hidden = false;
}

export function clearNotice() {
  $("notice").hidden = true;
}

/** Say that something was done, to those who see the page and to those who hear it. */
export function tell(sentence) {
  const toast = $("toast");
  toast.textContent = sentence;
  toast.hidden = false;
  announce(sentence);
  clearTimeout(hiding);
  hiding = setTimeout(() => {
    toast.hidden = true;
  }, SHOWN_MS);
}
