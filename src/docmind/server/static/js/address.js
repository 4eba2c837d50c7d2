// The address of what the page shows, so that a reload, the Back button or a link comes back to it.

const KINDS = { t: "thread", r: "run", d: "document" };

let last = location.hash;
// What a document was opened over; a reload keeps it.
let beforeDocument = history.state?.before ?? null;

/** The address that the document in the address was opened over; null where there is none. */
export const addressBefore = () => (beforeDocument ? read(beforeDocument) : null);

/** `{workspace}` with a `thread`, a `run`, or a `document` and its `start` and `end`; null where it names nothing. */
export function currentAddress() {
  return read(location.hash);
}

function read(hash) {
  const [path, query] = hash.split("?");
  const [, root, workspace, kind, name] = path.split("/").map(decoded);
  if (root !== "w" || !workspace) return null;
  if (!kind) return { workspace };
  if (!KINDS[kind] || !name) return null;
  return { workspace, [KINDS[kind]]: name, ...(kind === "d" ? place(new URLSearchParams(query)) : {}) };
}

/** Call `handler` with the address whenever a person goes to another: by a link, the address field, back or forward. */
export function onAddress(handler) {
  // A link and the address field tell both of these, going back to another entry may tell the second alone.
  for (const event of ["hashchange", "popstate"]) {
    addEventListener(event, () => {
      if (location.hash === last) return;
      last = location.hash;
      handler(currentAddress());
    });
  }
}

export const workspaceAddress = (workspace) => `#/w/${encodeURIComponent(workspace)}`;
export const threadAddress = (workspace, thread) => `${workspaceAddress(workspace)}/t/${encodeURIComponent(thread)}`;
export const runAddress = (workspace, run) => `${workspaceAddress(workspace)}/r/${encodeURIComponent(run)}`;

/** The address of a conversation, which is a `thread` or a single `run`; without either, the workspace's. */
export function conversationAddress(workspace, { thread, run } = {}) {
  if (thread) return threadAddress(workspace, thread);
  return run ? runAddress(workspace, run) : workspaceAddress(workspace);
}

/** The address of a document, or of characters in it. */
export function documentAddress({ workspace, document, start, end }) {
  const characters = start === undefined || start === end ? "" : `?${new URLSearchParams({ start, end })}`;
  return `${workspaceAddress(workspace)}/d/${encodeURIComponent(document)}${characters}`;
}

/** Make it the page's address; with `replace`, in place of the one before, so that Back does not return there. */
export function goTo(address, { replace = false } = {}) {
  if (location.hash === address) return;
  if (replace || !location.hash) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  // A document that is still open goes back to this one from now on.
  beforeDocument = null;
  last = location.hash;
}

/** Show a document in the address; the first one is a step that Back undoes, another one replaces it. */
export function showAddress(address) {
  if (location.hash === address) return;
  const isFirst = beforeDocument === null;
  if (isFirst) beforeDocument = currentAddress()?.document ? "" : location.hash;
  history[isFirst ? "pushState" : "replaceState"]({ before: beforeDocument }, "", address);
  last = location.hash;
}

/** Take the document out of the address again; what stood there before is back. */
export function leaveAddress() {
  if (currentAddress()?.document) {
    history.replaceState(null, "", beforeDocument || location.pathname + location.search);
  }
  beforeDocument = null;
  last = location.hash;
}

/** The whole link, to be given to somebody else. */
export const linkTo = (address) => new URL(address, location.href).href;

function place(asked) {
  const [start, end] = ["start", "end"].map((name) => asWhole(asked.get(name)));
  return start !== null && end !== null && start < end ? { start, end } : {};
}

const asWhole = (text) => (/^\d{1,9}$/.test(text ?? "") ? Number(text) : null);

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
