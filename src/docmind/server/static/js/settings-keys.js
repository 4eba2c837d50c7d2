// The keys of the service: which there are, a new one, which is shown this once, and one that is taken back.

import { get, post, remove, useKey } from "./api.js";
import { el } from "./dom.js";
import { askFor } from "./prompt.js";
import { labelled, textInput } from "./settings-fields.js";
import { saying } from "./settings-saying.js";

const ROLES = [
  ["reader", "Reader: can ask, search and read"],
  ["editor", "Editor: can also add and delete documents"],
  ["admin", "Admin: can also manage workspaces, keys and settings"],
];

/** The parts of the panel; the list is asked for when it is made. */
export function keysPanel() {
  const list = el("div", { class: "key-list" });
  const making = el("div");
  const status = saying();
  const show = async () => {
    try {
      const { keys } = await get("/keys");
      list.replaceChildren(keys.length ? table(keys, revoke) : el("p", {}, NO_KEYS));
      making.replaceChildren(keyForm(keys.length === 0, create));
    } catch (problem) {
      status.fail(problem);
    }
  };
  const create = async (asked, isFirst) => {
    const made = await post("/keys", asked);
    // From now on the service asks everybody for a key, this page too.
    if (isFirst) useKey(made.key);
    await show();
    making.prepend(secret(made.key, isFirst));
    making.querySelector("#new-key").focus();
  };
  const revoke = async (key) => {
    const sure = await askFor({
      title: "Revoke this key?",
      explanation: `Whoever has ${nameOf(key)} can no longer use the service with it.`,
      action: "Revoke",
    });
    if (!sure) return;
    try {
      await remove(`/keys/${key.id}`);
      await show();
      status.say("Revoked.");
    } catch (problem) {
      status.fail(problem);
    }
  };
  show();
  return [
    el(
      "section",
      { class: "settings-group" },
      el("h3", {}, "Keys and users"),
      el("p", { class: "muted" }, ABOUT),
      list,
    ),
    making,
    status.node,
  ];
}

const NO_KEYS =
  "There are no keys yet, so the service can only be used from this machine, and anyone using it may do everything.";
const ABOUT =
  "Anyone with a key can do what its role allows. Each user has their own conversations, and can have documents that nobody else sees.";

const nameOf = ({ id, user }) => (user ? `the key of ${user}` : `key ${id}`);

function table(keys, revoke) {
  const columns = ["Key", "Role", "Workspace", "User", "Per minute", "Created", ""];
  return el(
    "table",
    { class: "keys" },
    el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name || hidden("Revoke"))))),
    el(
      "tbody",
      {},
      keys.map((key) =>
        el(
          "tr",
          { class: key.revoked ? "revoked" : null },
          cell("Key", el("code", {}, key.id)),
          cell("Role", key.role),
          cell("Workspace", key.workspace ?? "all"),
          cell("User", key.user ?? "its own"),
          cell("Per minute", key.rate === null ? "no limit" : String(key.rate)),
          cell("Created", new Date(key.created).toLocaleDateString()),
          el("td", {}, ending(key, revoke)),
        ),
      ),
    ),
  );
}

function ending(key, revoke) {
  if (key.revoked) return "revoked";
  if (key.own) return "in use here";
  const name = `Revoke ${nameOf(key)}`;
  return el(
    "button",
    { type: "button", class: "button small", "aria-label": name, onclick: () => revoke(key) },
    "Revoke",
  );
}

const cell = (name, content) => el("td", { data: { name } }, content);
const hidden = (words) => el("span", { class: "visually-hidden" }, words);

function keyForm(isFirst, create) {
  const status = saying();
  const role = el(
    "select",
    { id: "key-role", disabled: isFirst },
    ROLES.map(([name, words]) =>
      el("option", { value: name, selected: name === (isFirst ? "admin" : "reader") }, words),
    ),
  );
  const workspace = textInput("key-workspace", "", "all (admins only)", isFirst);
  const user = textInput("key-user", "", "a user of its own", isFirst);
  const rate = el("input", { id: "key-rate", type: "number", min: 1, step: 1, placeholder: "no limit" });
  const button = el("button", { type: "submit", class: "button primary" }, "Create a key");
  const make = async () => {
    button.disabled = true;
    status.say("");
    try {
      const asked = { role: role.value, workspace: workspace.value.trim() || null, user: user.value.trim() || null };
      await create({ ...asked, rate: rate.value ? Number(rate.value) : null }, isFirst);
    } catch (problem) {
      status.fail(problem);
    } finally {
      button.disabled = false;
    }
  };
  return el(
    "form",
    {
      id: "key-form",
      class: "settings-group",
      "aria-labelledby": "key-form-title",
      onsubmit: (event) => {
        event.preventDefault();
        make();
      },
    },
    el("h3", { id: "key-form-title" }, "A new key"),
    isFirst ? el("p", { class: "caution" }, FIRST) : null,
    labelled(role, "Role"),
    labelled(workspace, "Workspace"),
    labelled(user, "User"),
    labelled(rate, "Requests per minute"),
    el("div", { class: "row wrap" }, button, status.node),
  );
}

const FIRST =
  "Once there is a key, the service asks everyone for one, including you. So the first key is an admin's: keep it safe. " +
  "Your conversations are kept, and this tab uses the new key.";

function secret(key, isFirst) {
  const shown = el("input", { id: "new-key", type: "text", readonly: true, value: key, onfocus: () => shown.select() });
  const copied = el("span", { role: "status", class: "muted" });
  const copy = async () => {
    shown.focus();
    try {
      await navigator.clipboard.writeText(key);
      copied.textContent = "Copied.";
    } catch {
      // Browsers keep the clipboard from pages that come by plain HTTP from another machine.
      copied.textContent = "The browser does not let the page copy. The key is selected: copy it with Ctrl+C.";
    }
  };
  return el(
    "div",
    { class: "secret settings-group" },
    labelled(shown, "The new key"),
    el("p", {}, "Copy it now: it is not shown again.", isFirst ? " This tab uses it already." : ""),
    el("div", { class: "row wrap" }, el("button", { type: "button", class: "button", onclick: copy }, "Copy"), copied),
  );
}
