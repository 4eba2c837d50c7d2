// Tabs as keyboards and screen readers know them.

import { el } from "./dom.js";

/** Fill `list` with tabs, one for each `[name, label]`; each shows the panel `panel-name`. Gives what chooses one. */
export function makeTabs(list, names, picked) {
  const buttons = names.map(([name, label]) =>
    el(
      "button",
      {
        id: `tab-${name}`,
        role: "tab",
        type: "button",
        "aria-controls": `panel-${name}`,
        onclick: () => {
          picked(name);
          choose(name);
        },
      },
      label,
    ),
  );
  const choose = (chosen) => {
    names.forEach(([name], at) => {
      buttons[at].setAttribute("aria-selected", name === chosen);
      buttons[at].tabIndex = name === chosen ? 0 : -1;
      document.getElementById(`panel-${name}`).hidden = name !== chosen;
    });
  };
  list.append(...buttons);
  list.addEventListener("keydown", (event) => moveBetween(buttons, event));
  choose(names[0][0]);
  return choose;
}

/** Arrow keys move between the parts of a group, of which Tab reaches only the chosen one. */
export function moveBetween(buttons, event) {
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  const at = buttons.indexOf(document.activeElement);
  if (!step || at < 0) return;
  event.preventDefault();
  const next = buttons[(at + step + buttons.length) % buttons.length];
  next.focus();
  next.click();
}
