// What stands behind the chosen answer: its sources, its checks and its run, each in a tab.

import { showChecks } from "./checks.js";
import { $ } from "./dom.js";
import { closeDrawers, openDrawer } from "./drawers.js";
import { openDocument } from "./reader.js";
import { showSources } from "./sources.js";
import { showRun } from "./steps.js";
import { makeTabs } from "./tabs.js";

const TABS = [
  ["sources", "Sources"],
  ["checks", "Checks"],
  ["run", "Run"],
];
const POINTED_MS = 1600;

/** `{show, inspect}`: show a turn with the workflow it ran in, and bring its checks to the front. */
export function makeDetails() {
  let picked = false;
  const choose = makeTabs($("tabs"), TABS, () => {
    picked = true;
  });
  return {
    show(turn, workflow) {
      // Until a person picks a tab: the run while it goes on, then what came of it. Before that nobody asked for a graph.
      if (!picked) choose(!turn || turn.result ? "sources" : "run");
      showSources($("panel-sources"), turn, openDocument);
      showChecks($("panel-checks"), turn, (claim) => pointAt(turn, claim));
      showRun($("panel-run"), turn, workflow);
    },
    inspect() {
      choose("checks");
      openDrawer("details");
    },
  };
}

/** Bring a sentence of the answer into view, and let it stand out for a moment. */
function pointAt({ run }, claim) {
  const marks = document.querySelectorAll(`[data-run="${run}"] [data-claim="${claim}"]`);
  if (!marks.length) return;
  closeDrawers();
  marks[0].scrollIntoView({ block: "center", behavior: "smooth" });
  for (const mark of marks) {
    mark.classList.add("pointed");
    setTimeout(() => mark.classList.remove("pointed"), POINTED_MS);
  }
}
