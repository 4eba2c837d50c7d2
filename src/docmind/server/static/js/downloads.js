// Takes an answer out of the page: as Markdown with its sources, as JSON, a chart as a picture.

import { whereabouts } from "./citations.js";
import { el } from "./dom.js";
import { nearestAsMarkdown } from "./nearest.js";
import { STATUS } from "./words.js";

/** Buttons that save the turn's answer. */
export function downloadButtons(turn) {
  const { result } = turn;
  const name = `docmind-${result.run_id.slice(0, 8)}`;
  const copy = el("button", { class: "quiet", type: "button" }, "Copy");
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(asMarkdown(turn));
    copy.textContent = "Copied";
  });
  return [
    copy,
    saveButton("Markdown", () => save(`${name}.md`, new Blob([asMarkdown(turn)], { type: "text/markdown" }))),
    saveButton("JSON", () =>
      save(`${name}.json`, new Blob([JSON.stringify(result, null, 2)], { type: "application/json" })),
    ),
  ];
}

/** Hand a blob to the person as a file. */
export function save(name, blob) {
  const address = URL.createObjectURL(blob);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

const saveButton = (label, onclick) =>
  el("button", { class: "quiet", type: "button", onclick, "aria-label": `Save as ${label}` }, label);

function asMarkdown({ question, result }) {
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
