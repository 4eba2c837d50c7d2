// Marks stretches of a document's text: what is cited, and what was searched for.

import { el } from "./dom.js";
import { codePoints } from "./words.js";

/** No marks. `cited` and `hits` are stretches `{start, end}`; `current` is the one of the hits that is looked at. */
export const noMarks = () => ({ cited: [], hits: [], current: null });

/** The text, which stands at `start`, as nodes with its marks; counted in code points, as the service counts. */
export function marked(text, start, { cited, hits, current }) {
  const letters = codePoints(text);
  const end = start + letters.length;
  const within = (place) => place.start < end && start < place.end;
  const [ours, found] = [cited.filter(within), hits.filter(within)];
  if (!ours.length && !found.length) return [text];
  const edges = [...ours, ...found].flatMap((place) => [place.start, place.end]);
  const cuts = [...new Set([start, end, ...edges.filter((at) => start < at && at < end)])].sort((a, b) => a - b);
  return cuts.slice(1).map((until, at) => {
    const piece = letters.slice(cuts[at] - start, until - start).join("");
    const kind = kindOf(cuts[at], ours, found, current);
    return kind ? el("mark", { class: kind }, piece) : piece;
  });
}

function kindOf(at, cited, hits, current) {
  const holds = ({ start, end }) => start <= at && at < end;
  const hit = hits.find(holds);
  if (hit) return hit.start === current?.start ? "hit current" : "hit";
  return cited.some(holds) ? "cited" : null;
}

/** Bring the mark that is looked at into view: the current hit, else what is cited. */
export function showMark(root) {
  const found = root.querySelector("mark.current") ?? root.querySelector("mark");
  found?.scrollIntoView({ block: "center" });
  return Boolean(found);
}
