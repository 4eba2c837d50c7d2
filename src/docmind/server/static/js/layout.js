// Lays a graph out in rows: loops are cut, long edges run through lanes of their own, and lines are kept straight.

const SWEEPS = 24;
const END = "__end__";
// How hard a line pulls its two ends above each other, and how little a node gives way where a lane has to.
const PULL = { node: 8, joint: 0.5, lane: 4 };
const FIRM = { node: 20, lane: 1 };
// Short of where its neighbours pull it: otherwise the graph leans ever further to the side of its lanes.
const RESTRAINT = 0.9;

/** `{places, paths, width, height}`; `size(id)` gives `{width, height}` of a node, or of a lane for an id with `@`. */
export function layOut(nodes, edges, size) {
  const ranks = ranked(nodes, withoutLoops(nodes, edges));
  const rows = [];
  for (const { id } of nodes) (rows[ranks.get(id)] ??= []).push(id);
  const paths = edges.map((edge) => threaded(edge, ranks, rows));
  const neighbours = neighbourhood(paths);
  order(rows, neighbours);
  return { paths, ...placed(rows, neighbours, size) };
}

/** The edges with those that close a loop turned round. */
function withoutLoops(nodes, edges) {
  const state = new Map();
  const back = new Set();
  const visit = (id) => {
    state.set(id, "open");
    for (const edge of edges.filter(({ source }) => source === id)) {
      if (state.get(edge.target) === "open") back.add(edge);
      else if (!state.has(edge.target)) visit(edge.target);
    }
    state.set(id, "done");
  };
  for (const { id } of nodes) if (!state.has(id)) visit(id);
  return edges.map((edge) => (back.has(edge) ? { source: edge.target, target: edge.source } : edge));
}

/** How far each node is from the start by the longest way; the end stands below everything. */
function ranked(nodes, forward) {
  const ranks = new Map(nodes.map(({ id }) => [id, 0]));
  for (let round = 0; round < nodes.length; round += 1) {
    for (const { source, target } of forward) {
      if (source !== target) ranks.set(target, Math.max(ranks.get(target), ranks.get(source) + 1));
    }
  }
  const others = nodes.filter(({ id }) => id !== END).map(({ id }) => ranks.get(id));
  return ranks.set(END, Math.max(...others) + 1);
}

/** The edge's way through the rows; in rows that it only passes it gets a lane. */
function threaded(edge, ranks, rows) {
  const from = ranks.get(edge.source);
  const to = ranks.get(edge.target);
  const step = Math.sign(to - from) || 1;
  const way = [edge.source];
  for (let row = from + step; row !== to && from !== to; row += step) {
    const lane = `${edge.source}>${edge.target}@${row}`;
    rows[row].push(lane);
    way.push(lane);
  }
  return { ...edge, back: to <= from, way: [...way, edge.target] };
}

const isLane = (id) => id.includes("@");

function neighbourhood(paths) {
  const neighbours = new Map();
  const join = (one, other) => {
    const lanes = [one, other].filter(isLane).length;
    const pull = [PULL.node, PULL.joint, PULL.lane][lanes];
    neighbours.set(one, [...(neighbours.get(one) ?? []), { id: other, pull }]);
  };
  for (const { way } of paths) {
    way.slice(1).forEach((id, at) => {
      join(id, way[at]);
      join(way[at], id);
    });
  }
  return neighbours;
}

/** Where the neighbours of `id` are in the middle, by `where`. */
function middle(id, neighbours, where) {
  const around = neighbours.get(id) ?? [];
  const pulls = around.reduce((sum, { pull }) => sum + pull, 0);
  if (!pulls) return where.get(id);
  return around.reduce((sum, { id: other, pull }) => sum + pull * where.get(other), 0) / pulls;
}

/** Put each row in the order of the middles of its neighbours. */
function order(rows, neighbours) {
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const where = new Map(rows.flatMap((row) => row.map((id, at) => [id, (at + 0.5) / row.length])));
    const wanted = new Map([...where.keys()].map((id) => [id, middle(id, neighbours, where)]));
    for (const row of rows) row.sort((one, other) => wanted.get(one) - wanted.get(other));
  }
}

/** Every id as near to the middle of its neighbours as the order and the width of its row allow. */
function placed(rows, neighbours, size) {
  const where = new Map();
  for (const row of rows)
    spread(
      row,
      row.map(() => 0),
      size,
    ).forEach((x, at) => where.set(row[at], x));
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const row of sweep % 2 ? rows : [...rows].reverse()) {
      const wanted = row.map((id) => RESTRAINT * middle(id, neighbours, where));
      spread(row, wanted, size).forEach((x, at) => where.set(row[at], x));
    }
  }
  const left = Math.min(...[...where].map(([id, x]) => x - size(id).width / 2));
  const right = Math.max(...[...where].map(([id, x]) => x + size(id).width / 2));
  const places = new Map();
  let top = 0;
  for (const row of rows) {
    const height = Math.max(...row.map((id) => size(id).height));
    for (const id of row) places.set(id, { x: where.get(id) - left, y: top + height / 2 });
    top += height;
  }
  return { places, width: right - left, height: top };
}

/** The places nearest to the wanted ones that keep the order and leave room; those that collide move together. */
function spread(row, wanted, size) {
  let reached = 0;
  const offsets = row.map((id) => {
    const { width } = size(id);
    reached += width;
    return reached - width / 2;
  });
  const blocks = [];
  wanted.forEach((x, at) => {
    const weight = isLane(row[at]) ? FIRM.lane : FIRM.node;
    blocks.push({ sum: weight * (x - offsets[at]), weight, members: 1 });
    while (blocks.length > 1 && mean(blocks.at(-2)) > mean(blocks.at(-1))) {
      const last = blocks.pop();
      for (const key of ["sum", "weight", "members"]) blocks.at(-1)[key] += last[key];
    }
  });
  const shifts = blocks.flatMap((block) => Array(block.members).fill(mean(block)));
  return offsets.map((offset, at) => offset + shifts[at]);
}

const mean = ({ sum, weight }) => sum / weight;
