// A button that opens a menu. The browser closes it on Escape or a click elsewhere and gives the focus back.

import { el } from "./dom.js";

let made = 0;

/** The button and its menu; `items` are `[label, action]` pairs, null ones are left out. */
export function menuButton({ label, text, items, ...attributes }) {
  made += 1;
  const id = `menu-${made}`;
  const entries = items.filter(Boolean).map(([name, action]) =>
    el(
      "button",
      {
        class: "menu-item",
        role: "menuitem",
        type: "button",
        tabindex: -1,
        onclick: () => {
          menu.hidePopover();
          action();
        },
      },
      name,
    ),
  );
  const menu = el("div", { id, class: "menu", role: "menu", popover: "auto", "aria-label": label }, entries);
  const button = el(
    "button",
    {
      ...attributes,
      type: "button",
      popovertarget: id,
      "aria-label": label,
      "aria-haspopup": "menu",
      "aria-expanded": "false",
    },
    text,
  );
  menu.addEventListener("toggle", ({ newState }) => {
    const isOpen = newState === "open";
    button.setAttribute("aria-expanded", isOpen);
    if (!isOpen) return;
    place(menu, button.getBoundingClientRect());
    entries[0].focus();
  });
  menu.addEventListener("keydown", (event) => move(event, entries, menu));
  return [button, menu];
}

function move(event, entries, menu) {
  const at = entries.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (event.key === "Tab") menu.hidePopover();
  if (to === undefined) return;
  event.preventDefault();
  entries.at(to % entries.length).focus();
}

/** Below `around`, its right edges in line, or above where there is no room. */
export function place(panel, around) {
  const { width, height } = panel.getBoundingClientRect();
  const below = around.bottom + 4;
  const top = below + height > innerHeight ? Math.max(8, around.top - height - 4) : below;
  const left = Math.max(8, Math.min(around.right - width, innerWidth - width - 8));
  Object.assign(panel.style, { left: `${left}px`, top: `${top}px` });
}
