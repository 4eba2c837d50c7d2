// The turns of a conversation: asks, listens while a run tells what it does, replies, and stops.

import { ask, get } from "./api.js";
import { $ } from "./dom.js";
import { keepInSight } from "./sight.js";
import { finishedTurn, isRunning, newTurn, take, takeUp } from "./turn.js";
import { viewTurn } from "./turn-view.js";

export class Conversation {
  /** `parts`: `open` a citation, `inspect` a turn; `changed` and `ended` are told the turn that did, `begun` when the
   *  conversation is on record. */
  constructor(parts) {
    this.parts = parts;
    this.sight = keepInSight();
    this.clear();
  }

  /** Nothing asked yet. What is under way is stopped; it can be resumed from the list of conversations. */
  clear() {
    this.replaced();
    this.stop();
    this.turns = [];
    this.views = new Map();
    this.chosen = null;
    this.thread = null;
    this.sight.forget();
    $("turns").replaceChildren();
    this.parts.changed(null);
  }

  /** `{thread}` or `{run}` of what is shown; null where nothing is on record yet. */
  get place() {
    if (this.thread) return { thread: this.thread };
    return this.turns[0]?.run ? { run: this.turns[0].run } : null;
  }

  /** Something else is going to be shown. Gives a check whether nothing came in between. */
  replaced() {
    const mine = Symbol("what is to be shown");
    this.latest = mine;
    return () => this.latest === mine;
  }

  /** What was asked earlier, as turns to show. */
  async earlierTurns({ runs, workflow }) {
    const turns = runs.map((run) => earlierTurn(run, workflow));
    for (const turn of turns) await this.noteWaiting(turn);
    return turns;
  }

  show(turns, thread) {
    this.clear();
    this.thread = thread;
    for (const turn of turns) this.add(turn);
  }

  /** Ask in this conversation; where the workflow keeps none, each question begins one of its own. */
  async ask(question, workflow) {
    if (!workflow.converses || !this.thread) this.clear();
    const turn = newTurn(question, workflow.name);
    if (workflow.converses) this.thread ??= `web-${newName()}`;
    this.add(turn);
    const body = { question, workflow: workflow.name, ...(workflow.converses ? { thread: this.thread } : {}) };
    await this.listen(turn, "/ask", body);
  }

  async reply(turn, answer) {
    takeUp(turn, answer);
    await this.listen(turn, `/runs/${turn.run}/resume`, { answer });
  }

  /** Take up what was stopped or broke off, from its last finished step where it had begun. */
  async again(turn) {
    turn.problem = null;
    const begun = turn.run
      ? [`/runs/${turn.run}/resume`, {}]
      : ["/ask", { question: turn.question, workflow: turn.workflow, ...(turn.thread ? { thread: turn.thread } : {}) }];
    await this.listen(turn, ...begun);
  }

  stop() {
    this.stopping?.abort();
  }

  choose(turn) {
    if (this.chosen === turn) return;
    this.chosen = turn;
    for (const [each, { element }] of this.views) element.classList.toggle("chosen", each === turn);
    this.parts.changed(turn);
  }

  get isBusy() {
    return this.turns.some(isRunning);
  }

  add(turn) {
    const { open, inspect } = this.parts;
    const view = viewTurn(turn, {
      open,
      inspect: (one) => {
        this.choose(one);
        inspect(one);
      },
      choose: (one) => this.choose(one),
      reply: (one, answer) => this.reply(one, answer),
      again: (one) => this.again(one),
    });
    turn.thread = this.thread;
    this.turns.push(turn);
    this.views.set(turn, view);
    $("turns").append(view.element);
    this.choose(turn);
    this.refresh(turn);
    this.sight.follow(view.element);
  }

  async listen(turn, path, body) {
    this.replaced();
    this.stopping = new AbortController();
    this.choose(turn);
    this.refresh(turn);
    try {
      for await (const event of ask(path, body, this.stopping.signal)) {
        take(turn, event);
        if (event.type === "run_started") this.parts.begun();
        if (event.type === "result") await this.noteWaiting(turn);
        await this.refresh(turn);
        if (event.type === "result") this.sight.arrived(this.views.get(turn)?.element);
      }
      if (isRunning(turn)) turn.problem = "The connection was lost before the answer arrived.";
    } catch (problem) {
      turn.wasStopped = problem.name === "AbortError";
      turn.problem = turn.wasStopped ? "You can continue where it stopped." : problem.message;
    }
    this.refresh(turn);
    this.parts.ended(turn);
  }

  /** A run may also end with a question back; then there is nothing to resume. */
  async noteWaiting(turn) {
    if (!turn.result?.clarification) return;
    const { clarifications } = await get("/clarifications");
    turn.waiting = clarifications.some(({ run }) => run === turn.run);
  }

  async refresh(turn) {
    const shown = this.views.get(turn)?.update();
    if (turn === this.chosen) this.parts.changed(turn);
    await shown;
  }
}

function earlierTurn({ run, question, result, state, answers, feedback }, workflow) {
  const turn = result ? finishedTurn(question, result) : newTurn(question, workflow);
  const goesOn = "It is still being worked on. Open it again in a moment.";
  const stopped = "Stopped before there was an answer.";
  if (!result) Object.assign(turn, { wasStopped: true, problem: state === "running" ? goesOn : stopped });
  const replies = answers.map((answer) => ({ question: "Your reply:", answer }));
  return Object.assign(turn, { run, feedback, replies });
}

/** Names a conversation. A page that was not fetched from this machine or over HTTPS has no `randomUUID`. */
const newName = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
