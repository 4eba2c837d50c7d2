// Opens a document at a place: its text, with exactly the cited characters marked.

import { get, getBlob, getText } from "./api.js";
import { whereabouts } from "./citations.js";
import { $, el } from "./dom.js";
import { save } from "./downloads.js";
import { complain } from "./notice.js";
import { count } from "./words.js";

const AROUND = 20_000;

/** Open the document of a citation; without `start`, from its beginning. `say` is told what goes wrong. */
export async function openDocument(citation, say = complain) {
  const dialog = $("reader");
  const address = `/documents/${encodeURIComponent(citation.document)}`;
  try {
    const document = await get(address);
    const text = await passage(address, document.characters, citation);
    dialog.replaceChildren(head(document, citation, address, dialog), text);
    if (!dialog.open) dialog.showModal();
    text.querySelector("mark")?.scrollIntoView({ block: "center" });
  } catch (problem) {
    say(problem);
  }
}

function head(document, citation, address, dialog) {
  const facts = [
    document.name,
    document.pages ? count(document.pages, "page") : null,
    count(document.characters, "character"),
  ];
  const cited = citation.start === undefined ? null : `Characters ${citation.start} to ${citation.end}`;
  return el(
    "header",
    { class: "reader-head" },
    el(
      "div",
      {},
      el("h2", { id: "reader-title" }, whereabouts({ ...citation, title: document.title })),
      el("p", { class: "muted" }, [cited, ...facts].filter(Boolean).join(" · ")),
    ),
    el(
      "div",
      { class: "row" },
      el("button", { class: "quiet", type: "button", onclick: () => saveOriginal(address, document) }, "Save the file"),
      el("button", { class: "button", type: "button", onclick: () => dialog.close() }, "Close"),
    ),
  );
}

/** The characters around the place; they are counted as the service counts them, in code points. */
async function passage(address, characters, { start = 0, end = 0 }) {
  const from = Math.max(0, start - AROUND);
  const to = Math.min(characters, end + AROUND);
  const [before, cited, after] = await Promise.all(
    [
      [from, start],
      [start, end],
      [end, to],
    ].map(([one, other]) => (one < other ? getText(`${address}/text`, { start: one, end: other }) : "")),
  );
  return el(
    "div",
    { class: "reader-text", tabindex: 0, role: "document", "aria-label": "Text of the document" },
    from > 0 ? el("p", { class: "muted" }, "The text before this is left out.") : null,
    el("div", { class: "running-text" }, before, cited ? el("mark", {}, cited) : null, after),
    to < characters ? el("p", { class: "muted" }, "The text goes on.") : null,
  );
}

async function saveOriginal(address, { name }) {
  try {
    save(name.split("/").at(-1), await getBlob(`${address}/original`));
  } catch (problem) {
    complain(problem);
  }
}
