// Brings files in, chosen or dropped anywhere on the page, and says how far it is and what became of each.

import { upload } from "./api.js";
import { $, announce, el } from "./dom.js";
import { clearNotice, complain } from "./notice.js";
import { count } from "./words.js";

const OUTCOME = { added: "Added", updated: "Updated", unchanged: "Already there", rejected: "Rejected" };

/** Take files from the chooser and from drops; `limits` says what the service takes, `done` is called afterwards. */
export function takeFiles({ limits, done }) {
  const add = (files) => bringIn([...files], limits(), done);
  $("files").addEventListener("change", async ({ target }) => {
    await add(target.files);
    target.value = "";
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
    add(event.dataTransfer.files);
  });
}

/** A table of facilities replaces the one before it. */
export function takeFacilities({ done }) {
  $("facilities").addEventListener("change", async ({ target }) => {
    const form = new FormData();
    form.append("file", target.files[0]);
    target.value = "";
    try {
      for await (const { imported, errors } of upload("/facilities", form)) {
        if (errors.length) complain(new Error(`Nothing was imported. ${errors.slice(0, 3).map(rowError).join(" ")}`));
        else sayDone([el("p", {}, `${count(imported, "facility", "facilities")} imported. Ask for them in Chat.`)]);
      }
    } catch (problem) {
      complain(problem);
    }
    await done();
  });
}

const rowError = ({ row, reason }) => (row ? `${row}: ${reason}` : reason);

async function bringIn(files, limits, done) {
  const refusal = refuse(files, limits);
  if (refusal) return complain(new Error(refusal));
  clearNotice();
  const bar = el("progress", { max: files.length, "aria-label": "Files brought in" });
  const line = el("p", {}, `Sending ${count(files.length, "file")} …`);
  $("uploads").replaceChildren(line, bar);
  const form = new FormData();
  for (const file of files) form.append("files", file);
  try {
    for await (const event of upload("/documents", form)) {
      if (event.type === "file") {
        bar.value = event.done;
        line.textContent = `${event.done} of ${event.total}: ${event.name}`;
      } else if (event.type === "report") sayDone(event.files.map(outcome));
    }
  } catch (problem) {
    $("uploads").replaceChildren();
    complain(problem);
  }
  return done();
}

function refuse(files, { files: most, file_mb: largest }) {
  if (!files.length) return "There was no file in what you dropped.";
  if (files.length > most) return `${files.length} files at once are too many; the service takes ${most}.`;
  const large = files.find(({ size }) => size > largest * 2 ** 20);
  return large ? `${large.name} is larger than ${largest} MB, which is the most the service takes.` : null;
}

const outcome = ({ name, outcome: became, reason }) =>
  el(
    "p",
    { class: `outcome ${became}` },
    el("strong", {}, OUTCOME[became] ?? became),
    ` ${name}`,
    reason ? `: ${reason}` : "",
  );

function sayDone(lines) {
  $("uploads").replaceChildren(
    ...lines,
    el("button", { class: "quiet", type: "button", onclick: () => $("uploads").replaceChildren() }, "Close"),
  );
  announce(lines.map(({ textContent }) => textContent).join(". "));
}
