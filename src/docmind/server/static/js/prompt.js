// Asks a person for one thing in a dialog: a key, a name, or a yes.

import { $, el } from "./dom.js";

/** What was entered, or null where the dialog was closed. Without a `label` there is nothing to enter but a yes.
 *  `value` is what stands in the field at first; an `optional` one may be left empty. */
export function askFor({ title, explanation, label, type = "text", action, error, value, optional = false }) {
  const dialog = $("prompt");
  const field = label ? el("input", { id: "prompt-field", type, autocomplete: "off", required: !optional, value }) : null;
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
    if (value) field?.select();
  });
}
