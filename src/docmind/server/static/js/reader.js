// Opens a document at a place, beside the answer: as its pages or with its layout, and as plain text.

import { documentAddress, leaveAddress, linkTo, showAddress } from "./address.js";
import { currentWorkspace, get, getBlob } from "./api.js";
import { whereabouts } from "./citations.js";
import { $, el } from "./dom.js";
import { save } from "./downloads.js";
import { FindBar } from "./find-bar.js";
import { makeFormattedView } from "./formatted-view.js";
import { noMarks } from "./marks.js";
import { complain } from "./notice.js";
import { PageView } from "./page-view.js";
import { makeTabs } from "./tabs.js";
import { makeTextView } from "./text-view.js";
import { count } from "./words.js";

const BESIDE = "(min-width: 1081px)";
const PDF = "application/pdf";
const TITLES = { pages: "Pages", formatted: "Formatted", text: "Text" };

let open = null;
let opener = null;

/** Open the document of a citation; without `start`, from its beginning. `say` is told what goes wrong. */
export async function openDocument(citation, say = complain) {
  try {
    if (open?.document.id !== citation.document) {
      const path = `/documents/${encodeURIComponent(citation.document)}`;
      const document = await get(path);
      open?.close();
      open = new Reader(document, path, say);
    }
    await open.show(citation);
  } catch (problem) {
    say(problem);
  }
}

/** Close what is open; with an `id` only where that is the document. */
export function closeDocument(id = open?.document.id) {
  if (open?.document.id === id) $("reader").close();
}

/** Show the dialog: beside the answer where there is room, else over the page, and over another dialog. */
function appear(dialog) {
  if (dialog.open) return;
  opener = document.activeElement;
  const isBeside = matchMedia(BESIDE).matches && !document.querySelector("dialog:modal");
  document.body.classList.toggle("viewing", isBeside);
  if (isBeside) dialog.show();
  else dialog.showModal();
  dialog.onclose = () => disappear(dialog);
  addEventListener("keydown", closeOnEscape);
}

function disappear(dialog) {
  // The browser tells of closing a moment later, when it may be open again.
  if (dialog.open) return;
  removeEventListener("keydown", closeOnEscape);
  document.body.classList.remove("viewing");
  leaveAddress();
  open?.close();
  open = null;
  dialog.replaceChildren();
  if (opener?.isConnected) opener.focus();
}

/** A dialog over others does that by itself, and a field that is searched in is emptied first. */
function closeOnEscape({ key, target }) {
  const isEmptied = target.type === "search" && target.value;
  if (key === "Escape" && !isEmptied && !document.querySelector("dialog:modal")) closeDocument();
}

class Reader {
  constructor(document, path, say) {
    Object.assign(this, { document, path, say });
    this.dialog = $("reader");
    this.notes = el("p", { class: "viewer-note", role: "status", hidden: true });
    const note = (sentence) => this.note(sentence);
    this.views = {
      ...(document.media_type === PDF
        ? { pages: new PageView(path, say, note) }
        : { formatted: makeFormattedView(document, path, say, note) }),
      text: makeTextView(document, path, say),
    };
    this.marks = noMarks();
    this.bar = new FindBar(path, (hits, current) => this.found(hits, current), say);
    this.build();
  }

  build() {
    const names = Object.keys(this.views);
    const tabs = el("div", { class: "tabs", role: "tablist", "aria-label": "How the document is shown" });
    const panels = names.map((name) =>
      el(
        "div",
        { id: `panel-${name}`, class: "viewer-panel", role: "tabpanel", "aria-labelledby": `tab-${name}` },
        this.views[name].element,
      ),
    );
    this.head = el("div", { class: "viewer-head" });
    const bar = el("div", { class: "viewer-bar" }, tabs, this.bar.element);
    this.dialog.replaceChildren(this.head, bar, this.views.pages?.tools.element ?? "", this.notes, ...panels);
    const choose = makeTabs(
      tabs,
      names.map((name) => [name, TITLES[name]]),
      (name) => this.turnTo(name).catch(this.say),
    );
    this.choose = (name) => {
      this.view = name;
      choose(name);
      if (this.views.pages) this.views.pages.tools.element.hidden = name !== "pages";
    };
    this.choose(names[0]);
  }

  async show(citation) {
    this.citation = citation;
    const { start, end, page } = citation;
    this.place = { start: start ?? 0, end: end ?? 0, page };
    this.marks = { ...noMarks(), hits: this.marks.hits, cited: start < end ? [this.place] : [] };
    this.showHead();
    appear(this.dialog);
    showAddress(this.address());
    await this.turnTo(this.view);
    this.views[this.view].focus();
  }

  async found(hits, current) {
    this.marks = { ...this.marks, hits, current };
    this.place = current ?? this.marks.cited[0] ?? null;
    await this.turnTo(this.view).catch(this.say);
  }

  /** Show the place as one of the views does; the plain text is always there. */
  async turnTo(name) {
    this.choose(name);
    this.note("");
    try {
      await this.views[name].show(this.marks, this.place);
    } catch (problem) {
      if (name !== "pages") throw problem;
      await this.turnTo("text");
      this.note(problem.message);
    }
  }

  note(sentence) {
    this.notes.textContent = sentence;
    this.notes.hidden = !sentence;
  }

  showHead() {
    const { document, citation } = this;
    const facts = [document.name, document.pages ? count(document.pages, "page") : null].filter(Boolean);
    this.head.replaceChildren(
      el(
        "div",
        {},
        el("h2", { id: "reader-title" }, whereabouts({ ...citation, title: document.title })),
        el("p", { class: "muted" }, facts.join(" · ")),
      ),
      el(
        "div",
        { class: "row" },
        el("button", { class: "quiet", type: "button", onclick: (event) => this.copy(event.target) }, "Copy link"),
        el("button", { class: "quiet", type: "button", onclick: () => this.save() }, "Download the file"),
        el("button", { class: "button small", type: "button", onclick: () => this.dialog.close() }, "Close"),
      ),
    );
  }

  close() {
    this.bar.close();
    for (const view of Object.values(this.views)) view.close();
  }

  address() {
    const { start, end } = this.citation;
    return documentAddress({ workspace: currentWorkspace(), document: this.document.id, start, end });
  }

  async copy(button) {
    try {
      await navigator.clipboard.writeText(linkTo(this.address()));
      button.textContent = "Copied";
    } catch {
      this.note(`The link is ${linkTo(this.address())}`);
    }
  }

  async save() {
    try {
      save(this.document.name.split("/").at(-1), await getBlob(`${this.path}/original`));
    } catch (problem) {
      this.say(problem);
    }
  }
}
