// How uploads look: each file with its state, how far all of them are, what to cancel and what to clear.

import { el } from "./dom.js";
import { count } from "./words.js";

const OUTCOME = { added: "Added", updated: "Updated", unchanged: "Already there" };
const STATE = {
  sending: "Sending",
  queued: "Waiting",
  reading: "Reading",
  rejected: "Rejected",
  cancelled: "Cancelled",
};
const OPEN = ["sending", "queued", "reading"];
const ADDRESS = /^https?:\/\//i;
const MOST_MEMBERS = 5;
const MOST_DONE = 3;
const listed = new WeakMap();

/** Show files in the order in which they were sent, in place of those before; `actions` are `cancel` and `clear`. */
export function listUploads(place, files, actions) {
  // A button that is replaced while somebody presses it is not pressed.
  const now = JSON.stringify(files);
  if (listed.get(place) === now) return;
  listed.set(place, now);
  if (!files.length) return place.replaceChildren();
  const open = files.filter(({ state }) => OPEN.includes(state));
  // The documents stand below; a long list of what went well would only push them away.
  const well = open.length ? [] : files.filter(wentWell);
  const folded = well.length > MOST_DONE ? well : [];
  const rows = (some) => el("ul", { class: "upload-files", tabindex: 0 }, some.map((file) => row(file, actions)));
  place.replaceChildren(
    el("div", { class: "uploads-head" }, head(files, open), buttons(files, open, actions)),
    ...(open.length ? [bar(files, open)] : []),
    ...(folded.length < files.length ? [rows(files.filter((file) => !folded.includes(file)))] : []),
    ...(folded.length ? [el("details", {}, el("summary", {}, `Show ${count(folded.length, "file")}`), rows(folded))] : []),
  );
}

function head(files, open) {
  if (open.length) return el("p", {}, `${files.length - open.length} of ${count(files.length, "file")} done`);
  return el("p", {}, `${count(files.length, "file")} done`);
}

function buttons(files, open, { cancel, clear }) {
  const waiting = files.filter(({ state, id }) => state === "queued" && id);
  const ended = files.filter((one) => !open.includes(one));
  return el(
    "div",
    { class: "row" },
    waiting.length > 1 ? button("Cancel waiting", () => cancel(waiting.map(({ id }) => id))) : null,
    ended.length ? button("Clear", () => clear(ended), "Clear files that are done from this list") : null,
  );
}

const button = (text, onclick, label = null) =>
  el("button", { class: "quiet", type: "button", onclick, "aria-label": label }, text);

const bar = (files, open) =>
  el("progress", { max: files.length, value: files.length - open.length, "aria-label": "Files done" });

function row(file, { cancel }) {
  const away = () => cancel([file.id]);
  return el(
    "li",
    { class: `outcome ${kind(file)}` },
    el("p", {}, el("strong", {}, word(file)), ` ${file.name}`, told(file)),
    file.state === "queued" && file.id ? button("Cancel", away, `Cancel ${file.name}`) : null,
  );
}

/** Of an archive the members that were rejected; of any other file why it was. */
function told(file) {
  if (file.reason) return because(file.reason);
  if (file.state === "queued") return file.ahead ? ` · ${file.ahead} ahead` : "";
  const outcomes = file.outcomes ?? [];
  if (outcomes.length === 1) return outcomes[0].reason ? because(outcomes[0].reason) : "";
  if (!outcomes.length) return "";
  const rejected = outcomes.filter(({ outcome }) => outcome === "rejected");
  const named = rejected.slice(0, MOST_MEMBERS).map(({ name, reason }) => el("li", {}, name + because(reason)));
  const more = rejected.length - named.length;
  return [
    `: ${outcomes.length - rejected.length} of ${count(outcomes.length, "file")} read`,
    named.length ? el("ul", {}, named, more ? el("li", {}, `and ${more} more`) : null) : null,
  ];
}

/** Most reasons go on from the name of the file, as in `is empty.`; others are sentences by themselves. */
const because = (reason) => (/^[a-z]/.test(reason) ? ` ${reason}` : `: ${reason}`);

function word({ name, state, outcomes }) {
  if (state === "reading" && ADDRESS.test(name)) return "Fetching";
  if (state !== "done") return STATE[state] ?? state;
  return outcomes.length === 1 ? (OUTCOME[outcomes[0].outcome] ?? "Done") : "Done";
}

const wentWell = ({ state, outcomes }) => state === "done" && !outcomes.some(({ outcome }) => outcome === "rejected");

function kind({ state, outcomes }) {
  if (state !== "done") return state;
  return outcomes.some(({ outcome }) => ["added", "updated"].includes(outcome)) ? "added" : "unchanged";
}
