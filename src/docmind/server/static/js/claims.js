// Marks each sentence of a rendered answer with what the check found of it.

import { BRACKET } from "./citations.js";
import { el, textNodes } from "./dom.js";
import { FORMULA } from "./markdown.js";
import { CLAIM, codePoints } from "./words.js";

const WORD = /[\p{L}\p{N}]/u;
const OUTSIDE = ".cite, .formula, figure";

/** Wrap every claim of the answer. Markdown moves characters, so a claim is found by its letters and digits. */
export function markClaims(root, answer, claims) {
  const characters = codePoints(answer);
  const { letters, places } = lettersOf(root);
  let from = 0;
  const found = [];
  claims.forEach((claim, index) => {
    const said = characters.slice(claim.start, claim.end).join("").replace(FORMULA, "").replace(BRACKET, "");
    const wanted = codePoints(said).filter(isWord).join("").toLowerCase();
    const start = wanted ? letters.indexOf(wanted, from) : -1;
    if (start < 0) return;
    from = start + wanted.length;
    found.push({ index, claim, first: places[start], last: places[from - 1] });
  });
  // From the end, so that splitting a text node leaves the places before it as they were.
  for (const mark of found.reverse()) wrap(root, mark);
}

const isWord = (character) => WORD.test(character);

function lettersOf(root) {
  let letters = "";
  const places = [];
  for (const node of textNodes(root)) {
    if (node.parentElement?.closest(OUTSIDE)) continue;
    let offset = 0;
    for (const character of node.data) {
      if (isWord(character)) {
        const lower = character.toLowerCase();
        letters += lower;
        for (let unit = 0; unit < lower.length; unit += 1) places.push({ node, offset });
      }
      offset += character.length;
    }
  }
  return { letters, places };
}

function wrap(root, { index, claim, first, last }) {
  const nodes = textNodes(root);
  const between = nodes.slice(nodes.indexOf(first.node), nodes.indexOf(last.node) + 1);
  const pieces = between.filter((node) => !node.parentElement?.closest(OUTSIDE) && node.data.trim());
  pieces.reverse().forEach((node, at) => {
    let piece = node;
    if (node === last.node) piece.splitText(endOfSentence(node.data, last.offset));
    if (node === first.node) piece = piece.splitText(first.offset);
    const mark = el("span", { class: `claim ${claim.status}`, data: { claim: index } });
    piece.replaceWith(mark);
    mark.append(piece);
    if (at === 0 && claim.status !== "supported") {
      mark.after(el("span", { class: `verdict ${claim.status}` }, CLAIM[claim.status]?.[0] ?? claim.status));
    }
  });
}

/** The last letter's place, moved past the full stop, quotation mark or bracket that closes the sentence. */
function endOfSentence(text, offset) {
  let end = offset + codePoints(text.slice(offset))[0].length;
  while (end < text.length && !/\s/.test(text[end])) end += 1;
  return end;
}
