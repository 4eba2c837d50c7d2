// How numbers, times and the service's own terms read to people.

export const percent = (share) => `${Math.round(share * 100)}%`;

export const count = (number, noun, plural = `${noun}s`) =>
  `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;

export function seconds(value) {
  if (value < 0.001) return "under 1 ms";
  return value < 1 ? `${Math.round(value * 1000)} ms` : `${value.toFixed(value < 10 ? 1 : 0)} s`;
}

/** `memory_and_query` or `ASK_CLARIFICATION` as people write it. */
export const plain = (name) => (/^[A-Z_]+$/.test(name) ? name.toLowerCase() : name).replaceAll("_", " ");

export const STATUS = {
  answered: "Answered",
  caveat: "Answered with a caveat",
  needs_clarification: "Waiting for you",
  refused: "No answer",
  failed: "Failed",
};

/** What the documents say of one sentence of an answer: a word for it, and what it means. How likely the whole answer
 * is right is another matter, and comes from the service in words of its own. */
export const CLAIM = {
  supported: ["Supported", "The cited words say so."],
  uncited: ["Uncited", "It has no citation."],
  fabricated: ["Invented source", "It cites a source that does not exist."],
  misattributed: ["Misattributed", "Another passage supports it, but not the cited one."],
  contradicted: ["Contradicted", "The evidence says something else."],
  unsupported: ["Not found", "The passages that were found do not say so."],
};

const SUPPORTS = 0.5;

/** Whether a source says what the sentence that cites it says. */
export const supporting = (support) => (support >= SUPPORTS ? "Supports the sentence" : "May not support the sentence");

/** What the documents say of a sentence of any text. */
export const FINDING = {
  supported: { sign: "✓", word: "Supported", meaning: "The documents say so." },
  contradicted: { sign: "✗", word: "Contradicted", meaning: "The documents say something else." },
  not_found: { sign: "?", word: "Not found", meaning: "No document says so." },
};

/** A document's characters are counted in code points, the browser's in UTF-16 units. */
export const codePoints = (text) => Array.from(text);
