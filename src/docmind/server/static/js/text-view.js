// The plain text of a document, exactly as it is searched and cited.

import { getText } from "./api.js";
import { el } from "./dom.js";
import { marked } from "./marks.js";
import { Stretches } from "./stretches.js";

export function makeTextView(document, path, say) {
  return new Stretches({
    label: "Text of the document",
    characters: document.characters,
    load: async (start, end) => [{ start, end, text: await getText(`${path}/text`, { start, end }) }],
    draw: (blocks, marks) => [
      el(
        "div",
        { class: "running-text" },
        blocks.flatMap(({ start, text }) => marked(text, start, marks)),
      ),
    ],
    say,
  });
}
