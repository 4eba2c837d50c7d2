// Where a run went in its workflow's graph. Steps carry the name of a node, and two nodes may share a name.

/** `{visits, crossings, at}`: how often each node was entered and each edge taken, and where the run stands. */
export function follow(workflow, names) {
  const visits = new Map();
  const crossings = new Map();
  let at = "__start__";
  for (const name of names) {
    const way = shortest(workflow.edges, at, (id) => nameOf(workflow, id) === name);
    if (!way) continue;
    way.slice(1).forEach((id, index) => add(crossings, `${way[index]}>${id}`));
    if (at === "__start__") add(visits, at);
    at = way.at(-1);
    add(visits, at);
  }
  return { visits, crossings, at };
}

/** The way of a run that has ended. */
export function followToEnd(workflow, names) {
  const followed = follow(workflow, names);
  const way = shortest(workflow.edges, followed.at, (id) => id === "__end__");
  // What was replied to before the graph ran took no way through it.
  if (!way || followed.at === "__start__") return followed;
  way.slice(1).forEach((id, index) => add(followed.crossings, `${way[index]}>${id}`));
  add(followed.visits, "__end__");
  return followed;
}

const nameOf = (workflow, id) => workflow.nodes.find((node) => node.id === id)?.label;

const add = (counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1);

/** The fewest edges from a node to one that is wanted; back to itself takes at least one edge. */
function shortest(edges, from, wanted) {
  const ways = [[from]];
  const seen = new Set();
  for (const way of ways) {
    for (const { target } of edges.filter(({ source }) => source === way.at(-1))) {
      if (wanted(target)) return [...way, target];
      if (!seen.has(target)) ways.push([...way, target]);
      seen.add(target);
    }
  }
  return null;
}
