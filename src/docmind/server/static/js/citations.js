// Citations in an answer: buttons that show the exact quote, and open the document at that place.

import { $, el, textNodes } from "./dom.js";
import { supporting } from "./words.js";

/** What cites in an answer: `[1]`, `[1, 2]`, `[Doc 3]`. */
export const BRACKET = /\[(?:Doc )?\d+(?:, ?(?:Doc )?\d+)*\]/g;
const FIGURE = /\d+(?:[.,]\d+)*/g;
const LONGEST_WORD = 24;

/** Replace every marker by a button, or by a mark that it leads nowhere. */
export function placeCitations(root, citations) {
  const cited = new Set(citations.flatMap(({ marker }) => numbersOf(marker)));
  for (const node of textNodes(root)) {
    if (node.parentElement?.closest(".formula, code, pre")) continue;
    let rest = node;
    for (const found of [...node.data.matchAll(BRACKET)]) {
      const offset = rest.data.indexOf(found[0]);
      const place = rest.splitText(offset);
      rest = place.splitText(found[0].length);
      place.replaceWith(...numbersOf(found[0]).map((number) => mark(number, cited.has(number))));
    }
  }
  for (const first of root.querySelectorAll(".cite")) {
    if (!first.previousSibling?.classList?.contains("cite")) keepTogether(first);
  }
}

/** Have each button show the quotes that its sentence rests on, and `open` the first; sentences are marked by then. */
export function linkCitations(root, { citations, claims }, open) {
  for (const button of root.querySelectorAll("button.cite")) {
    const { marker } = button.dataset;
    const numbered = citations.filter((citation) => numbersOf(citation.marker).includes(marker));
    const cited = quotesOf(claims[claimBefore(root, button)], numbered);
    button.setAttribute("aria-label", `Source ${marker}: ${whereabouts(cited[0])}`);
    button.addEventListener("click", () => {
      hideQuote();
      open(cited[0]);
    });
    for (const shown of ["mouseenter", "focus"]) button.addEventListener(shown, () => showQuote(button, cited));
    for (const hidden of ["mouseleave", "blur"]) button.addEventListener(hidden, hideQuote);
  }
}

/** `Annual report 2024, page 2`, with the cell where it is one of a table. */
export function whereabouts({ title, page, cell }) {
  return [title, page ? `page ${page}` : null, cell].filter(Boolean).join(", ");
}

const numbersOf = (bracket) => bracket.match(/\d+/g);

/** Which claim a marker belongs to: the last one that begins before it. */
function claimBefore(root, button) {
  const before = [...root.querySelectorAll(".claim")].filter(
    (claim) => claim.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  return before.at(-1)?.dataset.claim;
}

/** Of the quotes under one number, those that a claim rests on: its own words, else the cells with its figures. */
function quotesOf(claim, cited) {
  if (!claim || cited.length === 1) return cited;
  const figures = new Set(claim.text.match(FIGURE));
  const own = cited.filter(({ quote }) => quote === claim.quote);
  const cells = cited.filter(({ quote }) => quote.match(FIGURE)?.every((figure) => figures.has(figure)));
  return [own, cells, cited].find((quotes) => quotes.length);
}

function mark(number, leadsSomewhere) {
  if (!leadsSomewhere) return el("span", { class: "cite unknown", title: "This source does not exist." }, number);
  return el("button", { class: "cite", type: "button", data: { marker: number } }, number);
}

/** Citations stay on the line of the word they follow, and the full stop after them stays with them. */
function keepTogether(first) {
  const row = el("span", { class: "together" });
  const before = first.previousSibling;
  const word = before?.nodeType === Node.TEXT_NODE ? /(\S+)\s*$/.exec(before.data) : null;
  first.before(row);
  if (word && word[1].length <= LONGEST_WORD) {
    before.data = before.data.slice(0, word.index);
    row.append(word[1]);
  }
  for (let next = first; next?.classList?.contains("cite"); next = row.nextSibling) row.append(next);
  const stop = row.nextSibling?.nodeType === Node.TEXT_NODE ? /^[.,;:!?)]+/.exec(row.nextSibling.data) : null;
  if (stop) {
    row.nextSibling.data = row.nextSibling.data.slice(stop[0].length);
    row.append(stop[0]);
  }
}

function showQuote(button, cited) {
  const card = $("quote-card");
  card.replaceChildren(
    ...cited.flatMap((citation) => [
      el("p", { class: "quote-title" }, whereabouts(citation)),
      el("blockquote", {}, citation.quote),
      el("p", { class: "muted" }, supporting(citation.support)),
    ]),
    el("p", { class: "muted" }, "Click to open the document at this place."),
  );
  card.hidden = false;
  button.setAttribute("aria-describedby", card.id);
  place(card, button.getBoundingClientRect());
}

export function hideQuote() {
  $("quote-card").hidden = true;
}

function place(card, around) {
  const { width, height } = card.getBoundingClientRect();
  const left = Math.min(Math.max(8, around.left + around.width / 2 - width / 2), innerWidth - width - 8);
  const below = around.bottom + 8;
  const top = below + height > innerHeight ? Math.max(8, around.top - height - 8) : below;
  card.style.left = `${left}px`;
  card.style.top = `${top}px`;
}
