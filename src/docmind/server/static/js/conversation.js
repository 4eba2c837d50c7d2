// The turns of a conversation: asks, listens while a run tells what it does, replies, and stops.

import { ask, get } from "./api.js";
import { $ } from "./dom.js";
import { finishedTurn, isRunning, newTurn, take, takeUp } from "./turn.js";
import { viewTurn } from "./turn-view.js";

export class Conversation {
  /** `parts`: `open` a citation, `inspect` a turn; `changed` and `ended` are told the turn that did. */
  constructor(parts) {
    this.parts = parts;
    this.clear();
  }

  /** Nothing asked yet. What is under way is stopped; it can be resumed from the earlier questions. */
  clear() {
    this.stop();
    this.turns = [];
    this.views = new Map();
    this.chosen = null;
    this.thread = null;
    $("turns").replaceChildren();
    this.parts.changed(null);
  }

  /** Show what was asked earlier. */
  async show({ runs, workflow, thread }) {
    this.clear();
    this.thread = thread;
    for (const { run, question, result } of runs) {
      const turn = result ? finishedTurn(question, result) : newTurn(question, workflow);
      if (!result) Object.assign(turn, { run, wasStopped: true, problem: "It was stopped before it had an answer." });
      await this.noteWaiting(turn);
      this.add(turn);
    }
  }

  async ask(question, workflow) {
    const turn = newTurn(question, workflow.name);
    this.add(turn);
    if (workflow.converses) this.thread ??= `web-${crypto.randomUUID()}`;
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
      : ["/ask", { question: turn.question, workflow: turn.workflow }];
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
    this.turns.push(turn);
    this.views.set(turn, view);
    $("turns").append(view.element);
    this.choose(turn);
    this.refresh(turn);
    view.element.scrollIntoView({ block: "start" });
  }

  async listen(turn, path, body) {
    this.stopping = new AbortController();
    this.choose(turn);
    this.refresh(turn);
    try {
      for await (const event of ask(path, body, this.stopping.signal)) {
        take(turn, event);
        if (event.type === "result") await this.noteWaiting(turn);
        this.refresh(turn);
      }
      if (isRunning(turn)) turn.problem = "The service went away before the answer was there.";
    } catch (problem) {
      turn.wasStopped = problem.name === "AbortError";
      turn.problem = turn.wasStopped ? "It can be taken up where it was." : problem.message;
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

  refresh(turn) {
    this.views.get(turn)?.update();
    if (turn === this.chosen) this.parts.changed(turn);
  }
}
