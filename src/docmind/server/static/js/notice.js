// Says above the conversation what went wrong, until it is closed or something else is said.

import { $, el } from "./dom.js";

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
