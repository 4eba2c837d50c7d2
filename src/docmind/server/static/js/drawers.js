// On a narrow page the library and the details slide over the conversation; Escape closes them.

import { $ } from "./dom.js";

const NAMES = ["library", "details"];

/** Let the buttons `show-…` open and close the drawers. */
export function makeDrawers() {
  for (const name of NAMES) {
    $(`show-${name}`).addEventListener("click", () => (isOpen(name) ? closeDrawers() : openDrawer(name)));
  }
  addEventListener("keydown", ({ key }) => {
    const open = NAMES.find(isOpen);
    if (key !== "Escape" || !open || document.querySelector("dialog[open]")) return;
    closeDrawers();
    $(`show-${open}`).focus();
  });
}

export function openDrawer(name) {
  closeDrawers();
  $(name).classList.add("open");
  $(`show-${name}`).setAttribute("aria-expanded", true);
}

export function closeDrawers() {
  for (const name of NAMES) {
    $(name).classList.remove("open");
    $(`show-${name}`).setAttribute("aria-expanded", false);
  }
}

const isOpen = (name) => $(name).classList.contains("open");
