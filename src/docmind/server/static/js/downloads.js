// Takes an answer out of the page: to the clipboard, and to files.

import { whereabouts } from "./citations.js";
import { el } from "./dom.js";
import { nearestAsMarkdown } from "./nearest.js";
import { tell } from "./notice.js";
import { STATUS } from "./words.js";

/** A button that copies the turn's answer with its sources. */
export function copyButton(turn) {
  const copy = el("button", { class: "quiet", type: "button" }, "Copy");
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(asMarkdown(turn));
    tell("The answer was copied with its sources.");
  });
  return copy;
}

/** Hand a blob to the person as a file. */
export function save(name, blob) {
  const address = URL.createObjectURL(blob);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The question, its answer and its sources. */
export function asMarkdown({ question, result }) {
  const sources = result.citations.map(
    (citation) => `- ${citation.marker} ${whereabouts(citation)}: “${citation.quote}”`,
  );
  const parts = [
    `# ${question}`,
    result.answer,
    sources.length ? `## Sources\n\n${sources.join("\n")}` : null,
    nearestAsMarkdown(result.nearest),
  ];
  const sure = result.confidence_in_words ? ` Confidence: ${result.confidence_in_words}.` : "";
  const ending = `${STATUS[result.status]}.${sure} Run ${result.run_id}.`;
  return `${[...parts, ending].filter(Boolean).join("\n\n")}\n`;
}
