// Brings files in, chosen or dropped anywhere on the page. The service reads them in the background: the list of what
// waits, is read and has ended comes from there, so that it is the same after a reload.

import { currentWorkspace, listen, remove, upload } from "./api.js";
import { $, announce } from "./dom.js";
import { clearNotice, complain, tell } from "./notice.js";
import { listUploads } from "./upload-list.js";
import { count } from "./words.js";

const BATCH_BYTES = 8 * 2 ** 20;
const RETRY_MS = 2000;

let limits = () => ({});
let changed = async () => {};
let sending = [];
let watching = null;
let shown = [];
// By workspace, files that had been read before the page looked: only what was rejected of them is news.
const settled = new Map();

/** Take files from the chooser and from drops; `limits` says what the service takes, `done` is called as files end. */
export function takeFiles(parts) {
  ({ limits, done: changed } = parts);
  $("files").addEventListener("change", async ({ target }) => {
    const files = [...target.files];
    target.value = "";
    await bringIn(files);
  });
  let depth = 0;
  const veil = $("drop-veil");
  const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
  const track = (name, react) =>
    addEventListener(name, (event) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      react(event);
      veil.hidden = depth === 0;
    });
  track("dragenter", () => {
    depth += 1;
  });
  track("dragleave", () => {
    depth = Math.max(0, depth - 1);
  });
  track("dragover", () => {});
  track("drop", (event) => {
    depth = 0;
    bringIn([...event.dataTransfer.files]);
  });
}

/** A table of facilities replaces the one before it. */
export function takeFacilities({ done }) {
  $("facilities").addEventListener("change", async ({ target }) => {
    const form = new FormData();
    form.append("file", target.files[0]);
    target.value = "";
    clearNotice();
    try {
      for await (const { imported, errors } of upload("/facilities", form)) {
        if (errors.length) complain(new Error(`Nothing was imported. ${errors.slice(0, 3).map(rowError).join(" ")}`));
        else tell(`${count(imported, "place")} imported. You can ask about them in Chat.`);
      }
    } catch (problem) {
      complain(problem);
    }
    await done();
  });
}

const rowError = ({ row, reason }) => (row ? `${row}: ${reason}` : reason);

/** Show the uploads of the workspace, and follow them until all have ended. */
export async function followUploads() {
  watching?.abort();
  const workspace = currentWorkspace();
  const here = new AbortController();
  watching = here;
  let ended = null;
  let open = true;
  while (open && !here.signal.aborted) {
    try {
      for await (const { uploads } of listen("/uploads", here.signal)) {
        if (here.signal.aborted) return;
        const files = uploads.flatMap(({ files: of }) => of);
        const now = files.filter(hasEnded).length;
        if (!settled.has(workspace)) settled.set(workspace, new Set(files.filter(isQuiet).map(({ id }) => id)));
        open = now < files.length;
        show(files);
        if (ended === null ? open : now > ended) await changed();
        if (ended !== null && now > ended && !open) announce(`Reading has finished: ${summary(files)}.`);
        ended = now;
      }
    } catch (problem) {
      if (problem.name === "AbortError") return;
      // A service that is started again reads on where it was.
      if (problem.status) return complain(problem);
      await new Promise((resume) => setTimeout(resume, RETRY_MS));
    }
  }
}

/** Whether anything of the workspace is still to be read, as far as the page knows. */
export const isComingIn = () => shown.some((file) => !hasEnded(file));

const isQuiet = ({ state }) => ["done", "cancelled"].includes(state);

const hasEnded = ({ state }) => !["queued", "reading"].includes(state);

function summary(files) {
  const rejected = files.filter(({ state }) => state === "rejected").length;
  const read = files.filter(({ state }) => state === "done").length;
  return [count(read, "file") + " read", rejected ? `${rejected} rejected` : null].filter(Boolean).join(", ");
}

function show(files) {
  shown = files;
  const workspace = currentWorkspace();
  const here = sending.filter((one) => one.workspace === workspace);
  const news = files.filter(({ id }) => !settled.get(workspace)?.has(id));
  listUploads($("uploads"), [...news, ...here], { cancel: takeOff, clear });
}

/** Take what has ended off the list; a file that is still read stays on it. */
async function clear(files) {
  sending = sending.filter((one) => !files.includes(one));
  await takeOff(files.map(({ id }) => id).filter(Boolean));
}

async function takeOff(ids) {
  try {
    for (const id of ids) await remove(`/uploads/${encodeURIComponent(id)}`);
  } catch (problem) {
    complain(problem);
  }
  await followUploads();
}

/** Send files: the small ones first, so that they are read while the large ones are on their way. */
async function bringIn(files) {
  if (!files.length) return complain(new Error("What you dropped has no files in it."));
  clearNotice();
  const workspace = currentWorkspace();
  const taken = new Set();
  const entries = files.map((file) => {
    const reason = refuse(file, taken);
    taken.add(file.name);
    return { file, name: file.name, bytes: file.size, workspace, state: reason ? "rejected" : "sending", reason };
  });
  sending.push(...entries);
  show(shown);
  for (const batch of batches(entries.filter(({ state }) => state === "sending"))) await send(batch, workspace);
}

function refuse(file, taken) {
  const { file_mb: largest } = limits();
  if (file.size > largest * 2 ** 20) return `is larger than ${largest} MB, the limit for one file.`;
  return taken.has(file.name) ? "has the name of another file that you sent with it." : null;
}

function batches(entries) {
  const made = [];
  let bytes = 0;
  for (const entry of [...entries].sort((one, other) => one.bytes - other.bytes)) {
    bytes += entry.bytes;
    const last = made.at(-1);
    if (last && bytes <= BATCH_BYTES && last.length < limits().files) last.push(entry);
    else {
      made.push([entry]);
      bytes = entry.bytes;
    }
  }
  return made;
}

async function send(batch, workspace) {
  const form = new FormData();
  for (const { file } of batch) form.append("files", file);
  try {
    for await (const answer of upload("/uploads", form, workspace)) if (answer.id) break;
    sending = sending.filter((one) => !batch.includes(one));
  } catch (problem) {
    for (const entry of batch) Object.assign(entry, { state: "rejected", reason: problem.message });
    complain(problem);
  }
  if (workspace === currentWorkspace()) followUploads();
}
