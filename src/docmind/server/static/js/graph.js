// Draws a workflow as it runs: the node at work, the way that was taken, and how often a loop was gone through.

import { svg } from "./dom.js";
import { layOut } from "./layout.js";
import { plain } from "./words.js";

const NODE = { width: 112, height: 28 };
const ROOM = { width: 122, height: 54 };
const LANE = { width: 16, height: 10 };
const TERMINAL = { width: 30, height: 34 };
const INNER = { width: 16, height: 14 };
const MARGIN = 12;
const GROUP_NAME = 84;

/** The graph with the counts of a followed path; `active` is the id of the node at work. */
export function drawGraph(workflow, { visits, crossings }, active) {
  const edges = workflow.edges.filter((edge) => isShown(edge, workflow, crossings));
  const { places, paths, width, height } = layOut(workflow.nodes, edges, room);
  const left = MARGIN + (workflow.nodes.some(({ group }) => group) ? GROUP_NAME : 0);
  const frame = { width: width + left + MARGIN, height: height + 2 * MARGIN };
  const counted = paths.map((path) => ({ ...path, taken: crossings.get(`${path.source}>${path.target}`) ?? 0 }));
  counted.sort((one, other) => one.taken - other.taken);
  return svg(
    "svg",
    {
      class: "graph",
      ...frame,
      viewBox: `${-left} ${-MARGIN} ${frame.width} ${frame.height}`,
      role: "img",
      "aria-label": described(workflow, visits, active),
    },
    arrowHeads(),
    groupFrames(workflow.nodes, places),
    counted.map((path) => drawEdge(path, places)),
    workflow.nodes.map((node) => drawNode(node, places.get(node.id), visits.get(node.id) ?? 0, active)),
    counted.map((path) => loopCount(path, places)),
  );
}

const isTerminal = (id) => id.endsWith("__start__") || id.endsWith("__end__");
const isInner = (id) => isTerminal(id) && id.includes(":");

function room(id) {
  if (id.includes("@")) return LANE;
  if (isInner(id)) return INNER;
  return isTerminal(id) ? TERMINAL : ROOM;
}

/** Every node of a group has an edge to the group's end, for faults; it is drawn where it is the only way, or taken. */
function isShown({ source, target }, workflow, crossings) {
  const leavesEarly = target.endsWith(":__end__") || (target === "__end__" && source.endsWith(":__end__"));
  const ways = workflow.edges.filter((edge) => edge.source === source);
  const onwards = ways.some((edge) => edge.target !== target && !isBack(edge, workflow));
  return !(leavesEarly && onwards) || crossings.has(`${source}>${target}`);
}

const isBack = ({ source, target }, { nodes }) =>
  nodes.findIndex(({ id }) => id === target) < nodes.findIndex(({ id }) => id === source);

function groupFrames(nodes, places) {
  const groups = Map.groupBy(
    nodes.filter(({ group, id }) => group && !isTerminal(id)),
    ({ group }) => group,
  );
  return [...groups].map(([group, members]) => {
    const at = members.map(({ id }) => places.get(id));
    const x = Math.min(...at.map((place) => place.x)) - NODE.width / 2 - 8;
    const y = Math.min(...at.map((place) => place.y)) - NODE.height / 2 - 8;
    const width = Math.max(...at.map((place) => place.x)) + NODE.width / 2 + 8 - x;
    const height = Math.max(...at.map((place) => place.y)) + NODE.height / 2 + 8 - y;
    return svg(
      "g",
      { class: "group" },
      svg("rect", { x, y, width, height, rx: 10 }),
      svg("text", { x: x - 6, y: y + 14, "text-anchor": "end" }, plain(group)),
    );
  });
}

function drawNode({ id, label }, { x, y }, visited, active) {
  const state = id === active ? "active" : visited ? "visited" : "";
  if (isInner(id)) return null;
  if (isTerminal(id)) return svg("circle", { class: `terminal ${state}`, cx: x, cy: y, r: 6 });
  return svg(
    "g",
    { class: `node ${state}`, data: { node: id } },
    svg("rect", { x: x - NODE.width / 2, y: y - NODE.height / 2, width: NODE.width, height: NODE.height, rx: 7 }),
    svg("text", { x, y: y + 4, "text-anchor": "middle" }, plain(label)),
    visited > 1 ? badge("visits", x + NODE.width / 2 - 4, y - NODE.height / 2, visited) : null,
  );
}

function badge(kind, x, y, times) {
  return svg(
    "g",
    { class: `times ${kind}` },
    svg("circle", { cx: x, cy: y, r: 9.5 }),
    svg("text", { x, y: y + 3.5, "text-anchor": "middle" }, `${times}×`),
  );
}

function drawEdge({ way, back, conditional, taken }, places) {
  const kind = ["edge", back && "back", conditional && "conditional", taken && "taken"];
  const head = taken ? (back ? "head-back" : "head-taken") : "head";
  const pointsTo = isInner(way.at(-1)) ? null : `url(#${head})`;
  return svg("path", { class: kind.filter(Boolean).join(" "), d: curve(way, places, back), "marker-end": pointsTo });
}

/** How often a loop was gone back through, in the middle of its line. */
function loopCount({ way, back, taken }, places) {
  if (!back || !taken) return null;
  const stops = stopsOf(way, places, back);
  const [one, other] = [stops[Math.floor((stops.length - 1) / 2)], stops[Math.ceil((stops.length - 1) / 2)]];
  return badge("loops", (one.x + other.x) / 2, (one.y + other.y) / 2, taken);
}

/** A smooth line through the lanes, from the border of the first node to that of the last. */
function curve(way, places, back) {
  const stops = stopsOf(way, places, back);
  return stops.slice(1).reduce((drawn, { x, y }, at) => {
    const bend = (stops[at].y + y) / 2;
    return `${drawn} C ${stops[at].x} ${bend}, ${x} ${bend}, ${x} ${y}`;
  }, `M ${stops[0].x} ${stops[0].y}`);
}

function stopsOf(way, places, back) {
  const points = way.map((id) => places.get(id));
  const down = back ? -1 : 1;
  const border = (id) => (isInner(id) ? 0 : isTerminal(id) ? 7 : NODE.height / 2);
  // The way back keeps to the side, so that it does not cover the way forward.
  const aside = back ? Math.sign(points[1].x - points[0].x || 1) * (NODE.width / 4) : 0;
  const first = { x: points[0].x + aside, y: points[0].y + down * border(way[0]) };
  const gap = isInner(way.at(-1)) ? 0 : 4;
  const last = { x: points.at(-1).x + aside, y: points.at(-1).y - down * (border(way.at(-1)) + gap) };
  return [first, ...points.slice(1, -1), last];
}

function arrowHeads() {
  const head = (id) =>
    svg(
      "marker",
      {
        id,
        viewBox: "0 0 8 8",
        refX: 5,
        refY: 4,
        markerWidth: 8,
        markerHeight: 8,
        markerUnits: "userSpaceOnUse",
        orient: "auto",
      },
      svg("path", { d: "M 0 0 L 8 4 L 0 8 z", class: id }),
    );
  return svg("defs", {}, head("head"), head("head-taken"), head("head-back"));
}

function described({ title, nodes }, visits, active) {
  const label = (id) => plain(nodes.find((node) => node.id === id)?.label ?? id);
  const went = [...visits]
    .filter(([id]) => !isTerminal(id))
    .map(([id, times]) => (times > 1 ? `${label(id)} ${times} times` : label(id)));
  const now = active ? ` Now at ${label(active)}.` : "";
  return went.length ? `Graph of ${title}. Path so far: ${went.join(", ")}.${now}` : `Graph of ${title}.${now}`;
}
