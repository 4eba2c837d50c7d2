// One question and all that is known of its run, changed by the events it tells and by nothing else.

/** A turn that nothing has been told of yet. */
export function newTurn(question, workflow) {
  return {
    question,
    workflow,
    thread: null,
    run: null,
    steps: [],
    active: null,
    doing: "",
    draft: "",
    claims: [],
    result: null,
    feedback: null,
    problem: null,
  };
}

/** A run that ended earlier, as if its events had just been told. */
export function finishedTurn(question, result) {
  const turn = newTurn(question, result.workflow);
  return Object.assign(turn, { run: result.run_id, steps: result.trace, claims: result.claims, result });
}

/** Take in what the run tells. */
export function take(turn, event) {
  switch (event.type) {
    case "run_started":
      turn.run = event.run_id;
      break;
    case "node_started":
      turn.active = event.node;
      turn.doing = event.doing;
      break;
    case "draft":
      if (event.fresh) turn.claims = [];
      turn.draft = event.fresh ? event.text : turn.draft + event.text;
      break;
    case "claim_checked":
      turn.claims.push(event.claim);
      break;
    case "node_decided":
      turn.steps.push(event.event);
      turn.active = null;
      break;
    case "result":
      Object.assign(turn, { result: event.result, steps: event.result.trace, claims: event.result.claims });
      turn.active = null;
      break;
  }
}

/** A person takes the turn up again with an answer to its clarification. */
export function takeUp(turn, answer) {
  turn.replies = [...(turn.replies ?? []), { question: turn.result.clarification.question, answer }];
  Object.assign(turn, { result: null, problem: null, draft: "", claims: [] });
}

export const isRunning = (turn) => turn.result === null && turn.problem === null;
