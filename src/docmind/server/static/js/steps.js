// The run behind an answer: its graph, and each step with its time, model calls and decision, to be stepped through.

import { el } from "./dom.js";
import { drawGraph } from "./graph.js";
import { follow, followToEnd } from "./path.js";
import { isRunning } from "./turn.js";
import { count, plain, seconds } from "./words.js";

/** Show the turn's run in `panel`; `workflow` is its description. */
export function showRun(panel, turn, workflow) {
  panel.replaceChildren();
  if (!workflow) return;
  let shown = turn?.steps.length ?? 0;
  const picture = el("div", { class: "graph-frame" });
  const list = el("ol", { class: "steps" });
  const draw = () => {
    const names = turn ? turn.steps.slice(0, shown).map(({ node }) => node) : [];
    const atEnd = turn?.result && turn.result.status !== "needs_clarification" && shown === turn.steps.length;
    const followed = atEnd ? followToEnd(workflow, names) : follow(workflow, names);
    picture.replaceChildren(drawGraph(workflow, followed, activeNode(turn, workflow, names, followed, shown)));
    list.replaceChildren(...(turn?.steps ?? []).map((step, at) => stepEntry(step, at, at === shown - 1, choose)));
    const started = turn && isRunning(turn) && turn.active;
    if (started) list.append(el("li", { class: "running" }, el("b", {}, plain(turn.active)), ` ${turn.doing} …`));
  };
  const choose = (step) => {
    shown = Math.max(0, Math.min(turn.steps.length, step));
    draw();
  };
  draw();
  panel.append(summary(turn, workflow), picture);
  if (turn?.result && turn.steps.length > 1) panel.append(stepper(turn.steps.length, () => shown, choose));
  panel.append(list);
}

/** While it runs, the node at work; when looked at again, the node of the chosen step. */
function activeNode(turn, workflow, names, followed, shown) {
  if (!turn) return null;
  if (isRunning(turn)) return turn.active ? follow(workflow, [...names, turn.active]).at : null;
  return shown && shown < turn.steps.length ? followed.at : null;
}

function summary(turn, workflow) {
  const usage = turn?.result?.usage;
  if (!usage) {
    return el("p", { class: "muted" }, `Up to ${count(workflow.most_steps, "step")} and ${mostCalls(workflow)}.`);
  }
  const calls = usage.model_calls ? count(usage.model_calls, "model call") : "no model calls";
  const cost = usage.model_calls && usage.cost != null ? `, ${price(usage.cost)} in cost` : "";
  const took = `${count(turn.steps.length, "step")}, ${calls}${cost}, ${seconds(usage.seconds)}`;
  return el("p", { class: "muted" }, `${took} (at most ${workflow.most_steps} steps)`);
}

function mostCalls(workflow) {
  if (!workflow.most_model_calls) return "no model calls";
  const read = workflow.most_input_tokens.toLocaleString("en");
  const written = workflow.most_output_tokens.toLocaleString("en");
  const cost = workflow.most_cost === null ? "" : `, costing up to ${price(workflow.most_cost)}`;
  return `${count(workflow.most_model_calls, "model call")} that read ${read} tokens and write ${written}${cost}`;
}

function price(amount) {
  return !amount || amount >= 1 ? amount.toFixed(2) : String(Number(amount.toPrecision(2)));
}

function stepper(total, shown, choose) {
  const slider = el("input", { type: "range", min: 0, max: total, value: total, "aria-label": "Step of the run" });
  const move = (to) => {
    choose(to);
    slider.value = shown();
  };
  slider.addEventListener("input", () => choose(Number(slider.value)));
  return el(
    "div",
    { class: "stepper" },
    el("button", { class: "quiet", onclick: () => move(shown() - 1) }, "Back"),
    slider,
    el("button", { class: "quiet", onclick: () => move(shown() + 1) }, "Next"),
  );
}

function stepEntry(step, at, current, choose) {
  const facts = [seconds(step.seconds)];
  if (step.model_calls) facts.push(count(step.model_calls, "model call"));
  return el(
    "li",
    { class: current ? "current" : null },
    el(
      "button",
      { class: "step", "aria-current": current ? "step" : null, onclick: () => choose(at + 1) },
      el("span", { class: "step-name" }, plain(step.node)),
      el("span", { class: "step-facts" }, facts.join(" · ")),
      el("span", { class: "step-decision" }, plain(step.decision)),
      step.reason ? el("span", { class: "step-reason" }, step.reason) : null,
      step.note ? el("span", { class: "step-note" }, step.note) : null,
    ),
  );
}
