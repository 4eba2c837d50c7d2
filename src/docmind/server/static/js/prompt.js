// Asks a person for one thing in a dialog: a key, a name, or a yes.

import { $, el } from "./dom.js";

/** What was entered, or null where the dialog was closed. Without a `label` there is nothing to enter but a yes. */
export function askFor({ title, explanation, label, type = "text", action, error }) {
  const dialog = $("prompt");
  const field = label ? el("input", { id: "prompt-field", type, autocomplete: "off", required: true }) : null;
  const form = el(
    "form",
    {},
    el("h2", { id: "prompt-title" }, title),
    el("p", {}, explanation),
    error ? el("p", { class: "error", role: "alert" }, error) : null,
    label ? el("label", { for: "prompt-field" }, label) : null,
    field,
    el(
      "div",
      { class: "row end" },
      el("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Cancel"),
      el("button", { type: "submit", class: "button primary" }, action),
    ),
  );
  dialog.replaceChildren(form);
  return new Promise((resolve) => {
    let entered = null;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      entered = field ? field.value.trim() : true;
      dialog.close();
    });
    dialog.addEventListener("close", () => resolve(entered), { once: true });
    dialog.showModal();
    field?.focus();
  });
}
