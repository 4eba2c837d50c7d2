// One chat model: its provider, its name and its key; it can be listed, tried and saved.

import { patch, post } from "./api.js";
import { el } from "./dom.js";
import { labelled, remark, textInput } from "./settings-fields.js";
import { composed, isModel, isRemote, parts, placeholders, PROVIDERS, whole } from "./settings-providers.js";
import { saying } from "./settings-saying.js";
import { count } from "./words.js";

/** `listed` names the providers whose models the service can list; `saved` is told what it answered to a change. */
export function modelForm({ role, title, about, without }, rows, listed, saved) {
  const row = rows.get(`models.${role}`);
  const stored = rows.get(`models.${role}_api_key`);
  const id = `${role}-form`;
  const fields = makeFields(role, row, stored, [...without, ...PROVIDERS]);
  const status = saying();

  const list = async () => {
    const { provider, address } = fields.chosen();
    const asked = { provider: provider === "server" ? whole(address) : provider, role, ...fields.key() };
    const { models, problem } = await post("/settings/models", asked);
    if (!models.length) return status.say(problem ?? "This provider lists no models.", problem ? "bad" : "");
    status.say(`${count(models.length, "model")} found.`);
    fields.offer(models);
  };
  const test = async () => {
    const seen = await post("/settings/trial", { model: fields.name(), role, ...fields.key() });
    status.say(seen.told, seen.works ? (seen.keeps_shape ? "good" : "caution") : "bad");
  };
  const change = async (changes) => saved(await patch("/settings", { changes }), id);
  const save = () => {
    const { api_key: key } = fields.key();
    const model = row.fixed ? {} : { [row.name]: fields.name() || null };
    return change({ ...model, ...(key ? { [stored.name]: key } : {}) });
  };

  /** Do something that takes a while, and say how it went. */
  const doing = async (button, sentence, work) => {
    button.disabled = true;
    status.say(sentence);
    try {
      await work();
    } catch (problem) {
      status.fail(problem);
    } finally {
      button.disabled = false;
    }
  };
  const named = (work) => async () => (fields.isNamed() ? work() : status.say("Name the model first.", "bad"));
  const button = (words, sentence, work, more = {}) => {
    const press = () => doing(made, sentence, work);
    const made = el("button", { type: "button", class: "button", onclick: press, ...more }, words);
    return made;
  };
  const testing = button("Test", "Asking the model …", named(test));
  const listing = button("List models", "Asking for the list …", list);
  const forgetting = button("Remove the stored key", "Removing …", () => change({ [stored.name]: null }), {
    hidden: !stored.is_set || stored.fixed,
  });
  const saving = el("button", { type: "submit", class: "button primary", disabled: row.fixed && stored.fixed }, "Save");
  fields.onChange(({ provider }) => {
    testing.hidden = !isModel(provider);
    listing.hidden = !(listed.includes(provider) || provider === "server");
    status.say("");
  });
  return el(
    "form",
    {
      id,
      class: "settings-group",
      "aria-labelledby": `${id}-title`,
      onsubmit: (event) => {
        event.preventDefault();
        doing(saving, "Saving …", named(save));
      },
    },
    el("h3", { id: `${id}-title` }, title),
    el("p", { class: "muted" }, about, row.fixed ? remark(row) : null),
    fields.nodes,
    el("div", { class: "row wrap" }, saving, testing, listing, forgetting),
    status.node,
  );
}

/** What is entered, and what of it is shown for the provider that is chosen. */
function makeFields(role, row, stored, choices) {
  const now = parts(row.value);
  const provider = el(
    "select",
    { id: `${role}-provider`, disabled: row.fixed },
    choices.map(([name, words]) => el("option", { value: name, selected: name === now.provider }, words)),
  );
  const address = textInput(`${role}-address`, now.address, "127.0.0.1:8001/v1", row.fixed);
  const model = textInput(`${role}-model`, now.model, "", row.fixed);
  const key = el("input", { id: `${role}-key`, type: "password", autocomplete: "off", disabled: stored.fixed });
  const found = el("select", { id: `${role}-found`, onchange: () => take() });
  const note = el("p", { class: "muted" });
  const rows = {
    address: labelled(address, "Address"),
    found: labelled(found, "Models offered"),
    model: labelled(model, "Model"),
    key: labelled(key, "Key"),
  };
  rows.key.append(note);
  const take = () => {
    if (found.value) model.value = parts(found.value).model;
  };
  const chosen = () => ({ provider: provider.value, address: address.value, model: model.value });
  const arrange = (changed) => {
    const fits = stored.is_set && now.provider === provider.value && hostOf(now.address) === hostOf(address.value);
    rows.address.hidden = provider.value !== "server";
    rows.model.hidden = !isModel(provider.value);
    rows.key.hidden = !isModel(provider.value) || !isRemote(provider.value);
    rows.found.hidden = true;
    model.placeholder = placeholders[provider.value] ?? "";
    key.placeholder = fits ? "Stored; enter another to replace it" : "";
    note.textContent = aboutKey(stored, fits, provider.value);
    changed(chosen());
  };
  return {
    nodes: [labelled(provider, "Provider"), rows.address, rows.found, rows.model, rows.key],
    chosen,
    name: () => composed(chosen()),
    key: () => (key.value.trim() && !rows.key.hidden ? { api_key: key.value.trim() } : {}),
    isNamed() {
      const needed = isModel(provider.value) ? (provider.value === "server" ? address : model) : null;
      if (!needed || needed.value.trim()) return true;
      needed.focus();
      return false;
    },
    offer(models) {
      const options = models.map((name) => el("option", { value: name }, parts(name).model));
      found.replaceChildren(el("option", { value: "" }, "Choose one"), ...options);
      rows.found.hidden = false;
      found.focus();
    },
    onChange(changed) {
      for (const one of [provider, address]) one.addEventListener("change", () => arrange(changed));
      arrange(changed);
    },
  };
}

function aboutKey(stored, fits, provider) {
  if (stored.fixed) return remark(stored).trim();
  if (fits) return "A key is stored on the server. It is not shown again, and is sent only to this provider.";
  const otherwise =
    provider === "server"
      ? "Leave it empty if the server needs none."
      : "Without a key here, the provider's usual environment variable on the server is used.";
  const dropped = stored.is_set ? " The stored key is for another provider, and is removed when you save." : "";
  return `It is stored on the server and not shown again. ${otherwise}${dropped}`;
}

const hostOf = (address) => (URL.canParse(whole(address)) ? new URL(whole(address)).origin : address);
