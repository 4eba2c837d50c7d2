// The settings of the service, for whoever may change them: a dialog with a tab for each kind.

import { get } from "./api.js";
import { $, el } from "./dom.js";
import { answersForm, limitsForm, outcome } from "./settings-fields.js";
import { keysPanel } from "./settings-keys.js";
import { modelsPanel } from "./settings-models.js";
import { makeTabs } from "./tabs.js";

const TABS = [
  ["settings-models", "Models"],
  ["settings-answers", "Answers"],
  ["settings-limits", "Limits"],
  ["settings-keys", "Keys"],
];

/** Let the button in the header open the settings. `changed` is called when something was saved. */
export function offerSettings(me, changed) {
  $("show-settings").hidden = !me.operates;
  if (!me.operates) return;
  const dialog = $("settings");
  const tabs = el("div", { class: "tabs", role: "tablist", "aria-label": "Settings" });
  const notice = el("div", { class: "settings-notice" });
  const panels = Object.fromEntries(TABS.map(([name]) => [name, panel(name)]));
  dialog.replaceChildren(head(dialog), tabs, notice, ...Object.values(panels));
  makeTabs(tabs, TABS, () => {});

  const show = (settings, only = null) => {
    const rows = new Map(settings.settings.map((row) => [row.name, row]));
    const made = {
      "settings-models": () => modelsPanel(rows, settings.providers, saved("settings-models")),
      "settings-answers": () => [answersForm(rows, saved("settings-answers"))],
      "settings-limits": () => [limitsForm(rows, saved("settings-limits"))],
      "settings-keys": () => keysPanel(),
    };
    notice.replaceChildren(...told(settings));
    for (const name of only ? [only] : Object.keys(made)) panels[name].replaceChildren(...made[name]());
  };
  /** The other tabs keep what is typed into them; the saved one shows what the service made of it. */
  const saved = (name) => async (now, form) => {
    show(now, name);
    const again = panels[name].querySelector(`#${form}`);
    again.querySelector(".saying").textContent = outcome(now);
    again.querySelector("[type=submit]").focus();
    await changed();
  };
  $("show-settings").addEventListener("click", async () => {
    for (const one of Object.values(panels)) one.replaceChildren(el("p", { class: "muted" }, "Loading …"));
    dialog.showModal();
    try {
      show(await get("/settings"));
    } catch (problem) {
      const said = () => el("p", { class: "error", role: "alert" }, problem.message ?? String(problem));
      for (const one of Object.values(panels)) one.replaceChildren(said());
    }
  });
}

const panel = (name) =>
  el("div", {
    id: `panel-${name}`,
    class: "settings-panel",
    role: "tabpanel",
    "aria-labelledby": `tab-${name}`,
    tabindex: 0,
  });

const head = (dialog) =>
  el(
    "header",
    { class: "reader-head" },
    el(
      "div",
      {},
      el("h2", { id: "settings-title" }, "Settings"),
      el("p", { class: "muted" }, "Settings are kept in a file on the server. You can also edit that file."),
    ),
    el(
      "div",
      { class: "row" },
      el("button", { class: "button", type: "button", onclick: () => dialog.close() }, "Close"),
    ),
  );

/** What is wrong with the file, and what waits for a restart. */
function told({ mistake, file, settings }) {
  const waiting = settings.filter(({ pending }) => pending).map(({ variable }) => variable);
  return [
    mistake
      ? el("p", { class: "error", role: "alert" }, `The file ${file} has a mistake, so it is ignored. ${mistake}`)
      : null,
    waiting.length
      ? el("p", { class: "caution" }, `Changed, but only used after a restart: ${waiting.join(", ")}.`)
      : null,
  ].filter(Boolean);
}
