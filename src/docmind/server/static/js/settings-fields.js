// Settings that are a number, a choice, a yes or a text: one field each, and one button that saves what was changed.

import { patch } from "./api.js";
import { el } from "./dom.js";
import { saying } from "./settings-saying.js";
import { ANSWERS, CHOICES, LABELS, LIMITS, MEANINGS } from "./settings-words.js";
import { plain } from "./words.js";

export const answersForm = (rows, saved) => form("answers-form", rows, ANSWERS, saved);
export const limitsForm = (rows, saved) => form("limits-form", rows, LIMITS, saved);

/** `saved` is called with what the service answers, and with the form's id. */
function form(id, rows, groups, saved) {
  const shown = groups.flatMap(({ title, about, names, folded }) => {
    const fields = names.filter((name) => rows.has(name)).map((name) => field(rows.get(name), folded));
    if (!fields.length) return [];
    return [{ title, about, folded, fields }];
  });
  const fields = shown.flatMap((group) => group.fields);
  const status = saying();
  const button = el("button", { type: "submit", class: "button primary" }, "Save");
  const save = async () => {
    const changes = Object.fromEntries(
      fields.filter((one) => one.isChanged()).map((one) => [one.row.name, one.value()]),
    );
    if (!Object.keys(changes).length) return status.say("Nothing was changed.");
    button.disabled = true;
    status.say("Saving …");
    try {
      await saved(await patch("/settings", { changes }), id);
    } catch (problem) {
      status.fail(problem);
    } finally {
      button.disabled = false;
    }
  };
  return el(
    "form",
    {
      id,
      class: "settings-form",
      onsubmit: (event) => {
        event.preventDefault();
        save();
      },
    },
    shown.map(({ title, about, folded, fields: own }) => section(title, about, folded, own)),
    el("div", { class: "settings-foot row wrap" }, button, status.node),
  );
}

/** What came of a change, in a sentence. */
export function outcome({ at_once: atOnce, at_the_next_start: later, notes }) {
  const said = [
    atOnce.length ? "Saved. It applies from the next question." : null,
    later.length && !atOnce.length ? "Saved." : null,
    later.length ? `Restart the service to use: ${later.map(label).join(", ")}.` : null,
    atOnce.length || later.length ? null : "Nothing changed: it was already set like that.",
    ...notes,
  ];
  return said.filter(Boolean).join(" ");
}

function section(title, about, folded, fields) {
  const inner = [about ? el("p", { class: "muted" }, about) : null, fields.map((one) => one.node)];
  if (folded) return el("details", { class: "settings-group" }, el("summary", {}, title), inner);
  return el("fieldset", { class: "settings-group" }, el("legend", {}, title), inner);
}

const label = (name) => LABELS[name] ?? plain(name.split(".").at(-1)).replace(/^./, (first) => first.toUpperCase());

/** One setting; `isNamed` also shows what the file calls it. */
function field(row, isNamed) {
  const id = `setting-${row.name.replace(".", "-")}`;
  const input = control(row, id);
  const shares = row.name === "answers.most_wrong";
  const before = input.type === "checkbox" ? input.checked : input.value;
  return {
    row,
    isChanged: () => (input.type === "checkbox" ? input.checked : input.value) !== before,
    value() {
      if (input.type === "checkbox") return input.checked;
      const text = input.value.trim();
      if (text === "") return null;
      return shares ? Number(text) / 100 : text;
    },
    node: el(
      "div",
      { class: "setting" },
      el("label", { for: id }, label(row.name)),
      isNamed ? el("code", { class: "setting-name" }, row.variable) : null,
      el("div", { class: "setting-control" }, input, shares ? el("span", { "aria-hidden": "true" }, "%") : null),
      el("p", { id: `${id}-about`, class: "muted" }, meaning(row), remark(row)),
    ),
  };
}

function control(row, id) {
  const common = { id, "aria-describedby": `${id}-about`, disabled: row.fixed };
  if (row.kind === "yes or no") return el("input", { ...common, type: "checkbox", checked: row.value === true });
  if (row.kind === "choice") {
    return el(
      "select",
      common,
      row.choices.map((name) => el("option", { value: name, selected: name === row.value }, CHOICES[name] ?? name)),
    );
  }
  const shares = row.name === "answers.most_wrong";
  const scaled = (value) => (value === null ? null : shares ? Math.round(value * 1000) / 10 : value);
  const isDefault = row.origin === "default";
  const numeric = row.kind !== "text";
  return el("input", {
    ...common,
    type: numeric ? "number" : "text",
    step: row.kind === "whole number" ? 1 : numeric ? "any" : null,
    min: scaled(row.least ?? null),
    max: scaled(row.most ?? null),
    value: isDefault ? "" : scaled(row.value),
    placeholder: row.default === null ? "not set" : scaled(row.default),
    autocomplete: "off",
  });
}

const meaning = (row) => MEANINGS[row.name] ?? row.meaning.replaceAll("`", "");

/** Where a value comes from, if it cannot be changed here, and when a change is used. */
export function remark(row) {
  if (row.origin === "program") return " Set by the program that started the service.";
  if (row.fixed) return ` Set by ${row.variable} (${row.origin}), so it is changed there.`;
  return row.at_once ? null : " Used after a restart of the service.";
}

export const labelled = (control, words) =>
  el("div", { class: "setting" }, el("label", { for: control.id }, words), control);

export const textInput = (id, value, placeholder, disabled = false) =>
  el("input", { id, type: "text", autocomplete: "off", spellcheck: "false", value, placeholder, disabled });
