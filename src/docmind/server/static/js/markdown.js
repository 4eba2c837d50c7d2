// Turns an answer's Markdown into elements. Raw HTML is text, what is left is sanitised, and formulas are set apart.

import createDOMPurify from "../vendor/dompurify/purify.js";
import MarkdownIt from "../vendor/markdown-it/markdown-it.js";
import { el, textNodes } from "./dom.js";

const ALLOWED = [
  "p",
  "br",
  "hr",
  "em",
  "strong",
  "s",
  "code",
  "pre",
  "blockquote",
  "ul",
  "ol",
  "li",
  "a",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
];
/** How an answer sets a formula. */
export const FORMULA = /\$\$([^$]+)\$\$|\\\[([\s\S]+?)\\\]|\\\((.+?)\\\)/g;
// Characters that belong to nobody: they hold a formula's place while Markdown is read, and are taken out of answers.
const PLACE = /\uE000(\d+)\uE001/;
const NOBODYS = /[\uE000\uE001]/g;

const reader = new MarkdownIt({ html: false, linkify: false, breaks: false });
const purify = createDOMPurify(window);
purify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
});

/** A draft as a fragment, its formulas as they were written: a half one cannot be set. */
export const renderedDraft = (draft) =>
  purify.sanitize(reader.render(draft.replace(NOBODYS, "")), {
    ALLOWED_TAGS: ALLOWED,
    ALLOWED_ATTR: ["start"],
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });

/** The answer as a fragment, its formulas typeset. */
export async function rendered(answer) {
  const formulas = [];
  const held = answer.replace(NOBODYS, "").replace(FORMULA, (whole, display, block, inline) => {
    formulas.push({ tex: display ?? block ?? inline, display: inline === undefined, whole });
    return `\uE000${formulas.length - 1}\uE001`;
  });
  const fragment = purify.sanitize(reader.render(held), {
    ALLOWED_TAGS: ALLOWED,
    ALLOWED_ATTR: ["href", "start"],
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const table of fragment.querySelectorAll("table")) {
    const frame = el("div", { class: "table-frame" });
    table.replaceWith(frame);
    frame.append(table);
  }
  if (formulas.length) await typeset(fragment, formulas);
  return fragment;
}

async function typeset(fragment, formulas) {
  const katex = await loadKatex();
  for (const node of textNodes(fragment)) {
    let rest = node;
    for (let found = PLACE.exec(rest.data); found; found = PLACE.exec(rest.data)) {
      const place = rest.splitText(found.index);
      rest = place.splitText(found[0].length);
      const formula = formulas[Number(found[1])];
      place.replaceWith(formula ? setFormula(katex, formula) : "");
    }
  }
}

function setFormula(katex, { tex, display, whole }) {
  const holder = el("span", { class: display ? "formula display" : "formula" });
  try {
    katex.render(tex, holder, { displayMode: display, throwOnError: true, trust: false, maxExpand: 200, maxSize: 20 });
  } catch {
    holder.replaceChildren(el("code", {}, whole));
  }
  return holder;
}

async function loadKatex() {
  if (!globalThis.katex) {
    document.head.append(el("link", { rel: "stylesheet", href: "/static/vendor/katex/katex.css" }));
    await import("../vendor/katex/katex.js");
  }
  return globalThis.katex;
}
