// A document with its headings, lists and tables, made of elements: nothing of its file becomes markup.

import { get } from "./api.js";
import { el } from "./dom.js";
import { marked } from "./marks.js";
import { Stretches } from "./stretches.js";

const MARKER = /^(?:- |\d+\. )/;
const DEEPEST = 6;

/** `note` is told why a document is shown without its layout. */
export function makeFormattedView(document, path, say, note) {
  return new Stretches({
    label: "The document",
    characters: document.characters,
    load: async (start, end) => {
      const layout = await get(`${path}/layout`, { start, end });
      note(layout.note);
      return layout.blocks;
    },
    draw: (blocks, marks) => [el("div", { class: "formatted" }, drawn(blocks, marks))],
    say,
  });
}

function drawn(blocks, marks) {
  const parts = [];
  for (let at = 0; at < blocks.length; ) {
    const run = runFrom(blocks, at);
    parts.push(element(run, marks));
    at += run.length;
  }
  return parts;
}

/** Items that follow each other are one list, and what was loaded of a table in parts is one table. */
function runFrom(blocks, at) {
  const { kind, table } = blocks[at];
  let end = at + 1;
  if (kind === "item" || kind === "table") {
    while (blocks[end]?.kind === kind && blocks[end].table === table) end += 1;
  }
  return blocks.slice(at, end);
}

function element(run, marks) {
  const [{ kind, text, start, level }] = run;
  const words = () => marked(text, start, marks);
  if (kind === "heading") return el(`h${Math.min(level + 2, DEEPEST)}`, { class: `level-${level}` }, words());
  if (kind === "item") return list(run, marks);
  if (kind === "table") return table(run, marks);
  if (kind === "code") return el("pre", { tabindex: 0 }, words());
  return el("p", { class: kind }, words());
}

/** A marker that the text begins with is what the list itself shows. */
function list(items, marks) {
  return el(
    "ul",
    {},
    items.map(({ text, start, level }) => {
      const [marker] = MARKER.exec(text) ?? [""];
      const number = marker.startsWith("-") ? "•" : marker.trim();
      const item = el("li", {}, el("span", { class: "bullet" }, number), el("span", {}, words(text, start, marker, marks)));
      item.style.marginInlineStart = `${(level - 1) * 1.5}em`;
      return item;
    }),
  );
}

const words = (text, start, marker, marks) => marked(text.slice(marker.length), start + marker.length, marks);

function table(parts, marks) {
  const { header } = parts[0];
  const rows = parts.flatMap((part) => part.rows);
  const width = Math.max(header.length, ...rows.flatMap(({ cells }) => cells.map(({ column }) => column + 1)));
  const columns = Array.from({ length: width }, (_, column) => column);
  const found = foundNames(rows, marks);
  const head = el(
    "tr",
    {},
    columns.map((column) => {
      const name = header[column] ?? "";
      return el("th", { scope: "col" }, found.has(column) ? el("mark", { class: found.get(column) }, name) : name);
    }),
  );
  return el(
    "div",
    { class: "table-frame", tabindex: 0, role: "group", "aria-label": "Table" },
    el(
      "table",
      {},
      header.some(Boolean) ? el("thead", {}, head) : null,
      el("tbody", {}, rows.map((row) => tableRow(row, columns, marks))),
    ),
  );
}

/** In the text the name of a column stands before each of its cells, so what is found there is marked in the header. */
function foundNames(rows, { hits, current }) {
  const found = new Map();
  for (const { cells } of rows) {
    const inOrder = [...cells].sort((a, b) => a.start - b.start);
    for (let at = 1; at < inOrder.length; at += 1) {
      const [from, to] = [inOrder[at - 1].end, inOrder[at].start];
      for (const hit of hits.filter(({ start, end }) => from <= start && end <= to)) {
        const { column } = inOrder[at];
        if (hit.start === current?.start) found.set(column, "hit current");
        else if (!found.has(column)) found.set(column, "hit");
      }
    }
  }
  return found;
}

function tableRow({ cells }, columns, marks) {
  const byColumn = new Map(cells.map((cell) => [cell.column, cell]));
  return el(
    "tr",
    {},
    columns.map((column) => {
      const cell = byColumn.get(column);
      const isCited = cell && marks.cited.some(({ start, end }) => start < cell.end && cell.start < end);
      const name = column === 0 ? ["th", { scope: "row" }] : ["td", {}];
      return el(name[0], { ...name[1], class: isCited ? "cited" : null }, cell ? marked(cell.text, cell.start, marks) : "");
    }),
  );
}
