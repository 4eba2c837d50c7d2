// Citations in an answer: buttons that show the exact quote, and open the document at that place.

import { $, el, textNodes } from "./dom.js";
import { supporting } from "./words.js";

/** What cites in an answer: `[1]`, `[1, 2]`, `[Doc 3]`. */
export const BRACKET = /\[(?:Doc )?\d+(?:, ?(?:Doc )?\d+)*\]/g;
const LONGEST_WORD = 24;

/** Replace every marker that leads somewhere by a button; `open` is called with its citation. */
export function linkCitations(root, citations, open) {
  const byMarker = new Map();
  for (const citation of citations) {
    byMarker.set(citation.marker, [...(byMarker.get(citation.marker) ?? []), citation]);
  }
  for (const node of textNodes(root)) {
    if (node.parentElement?.closest(".formula, code, pre")) continue;
    let rest = node;
    for (const found of [...node.data.matchAll(BRACKET)]) {
      const offset = rest.data.indexOf(found[0]);
      const place = rest.splitText(offset);
      rest = place.splitText(found[0].length);
      place.replaceWith(...numbersOf(found[0]).map((number) => mark(number, byMarker, open)));
    }
  }
  for (const first of root.querySelectorAll(".cite")) {
    if (!first.previousSibling?.classList?.contains("cite")) keepTogether(first);
  }
}

/** `Annual report 2024, page 2`, with the cell where it is one of a table. */
export function whereabouts({ title, page, cell }) {
  return [title, page ? `page ${page}` : null, cell].filter(Boolean).join(", ");
}

const numbersOf = (bracket) => bracket.match(/\d+/g);

function mark(number, byMarker, open) {
  const cited = byMarker.get(`[${number}]`) ?? byMarker.get(`[Doc ${number}]`);
  if (!cited) return el("span", { class: "cite unknown", title: "This source does not exist." }, number);
  const button = el(
    "button",
    {
      class: "cite",
      type: "button",
      data: { marker: number },
      "aria-label": `Source ${number}: ${whereabouts(cited[0])}`,
    },
    number,
  );
  button.addEventListener("click", () => {
    hideQuote();
    open(cited[0]);
  });
  for (const shown of ["mouseenter", "focus"]) button.addEventListener(shown, () => showQuote(button, cited));
  for (const hidden of ["mouseleave", "blur"]) button.addEventListener(hidden, hideQuote);
  return button;
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
    el("p", { class: "muted" }, "Click to open the document here."),
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
