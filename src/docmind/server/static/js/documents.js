// The documents of the workspace: which there are, one opened, one deleted.

import { get, remove } from "./api.js";
import { $, el } from "./dom.js";
import { complain } from "./notice.js";
import { askFor } from "./prompt.js";
import { closeDocument, openDocument } from "./reader.js";
import { count } from "./words.js";

const FEW = 8;

/** List the documents again, and give them. */
export async function listDocuments({ mayEdit, changed }) {
  const { documents } = await get("/documents");
  const entries = documents.map((document) => entry(document, mayEdit, changed));
  $("documents").replaceChildren(...entries);
  const search = $("document-search");
  search.hidden = documents.length <= FEW;
  search.oninput = () => {
    const wanted = search.hidden ? "" : search.value.trim().toLowerCase();
    documents.forEach(({ title, name }, at) => {
      entries[at].hidden = !`${title} ${name}`.toLowerCase().includes(wanted);
    });
  };
  search.oninput();
  return documents;
}

function entry(document, mayEdit, changed) {
  const size = document.pages ? count(document.pages, "page") : count(document.passages, "passage");
  const open = el(
    "button",
    {
      class: "entry",
      type: "button",
      title: document.name,
      onclick: () => openDocument({ document: document.id }),
    },
    el("span", { class: "entry-title" }, document.title),
    el("span", { class: "muted" }, [kindOf(document), size, document.metadata.company].filter(Boolean).join(" · ")),
  );
  const away = el(
    "button",
    {
      class: "quiet away",
      type: "button",
      "aria-label": `Delete ${document.title}`,
      onclick: () => deleteDocument(document, changed),
    },
    "Delete",
  );
  return el("li", {}, open, mayEdit ? away : null);
}

function kindOf({ name }) {
  const [, suffix] = /\.([a-z0-9]{1,8})$/i.exec(name) ?? [];
  return suffix ? suffix.toUpperCase() : "Text";
}

async function deleteDocument({ id, title }, changed) {
  const sure = await askFor({
    title: "Delete this document?",
    explanation: `“${title}” is removed from this workspace and can no longer be cited.`,
    action: "Delete",
  });
  if (!sure) return;
  try {
    await remove(`/documents/${encodeURIComponent(id)}`);
    closeDocument(id);
  } catch (problem) {
    complain(problem);
  }
  await changed();
}
