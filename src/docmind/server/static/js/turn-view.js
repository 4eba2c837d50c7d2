// One turn on the page: the question, the draft while it is one, and the answer with its marks once it was checked.

import { placeCharts } from "./charts.js";
import { tallied } from "./checks.js";
import { linkCitations } from "./citations.js";
import { markClaims } from "./claims.js";
import { banner } from "./clarify.js";
import { announce, el } from "./dom.js";
import { downloadButtons } from "./downloads.js";
import { facilities } from "./map.js";
import { rendered } from "./markdown.js";
import { nearest } from "./nearest.js";
import { STATUS, count, plain, seconds } from "./words.js";

/** `{element, update}`; `actions`: `open` a citation, `reply` to a question, `again`, `choose`, `inspect` the turn. */
export function viewTurn(turn, actions) {
  const state = el("p", { class: "state" });
  const body = el("div", { class: "answer" });
  const foot = el("div", { class: "turn-foot" });
  const replies = el("div", { class: "replies" });
  const element = el(
    "article",
    { class: "turn", "aria-label": turn.question },
    el("h2", { class: "asked" }, turn.question),
    replies,
    state,
    body,
    foot,
  );
  element.addEventListener("click", () => actions.choose(turn));

  let shown = null;
  let setting = null;
  const update = async () => {
    if (turn.run) element.dataset.run = turn.run;
    replies.replaceChildren(...(turn.replies ?? []).map(reply));
    const isNew = turn.result !== shown;
    shown = turn.result;
    if (isNew) setting = shown ? showResult(turn, body, foot, actions) : null;
    if (!shown) {
      body.replaceChildren(...underWay(turn, actions));
      foot.replaceChildren();
    }
    // The status must never stand above a draft, so it waits until the answer is set.
    await setting;
    state.replaceChildren(...headline(turn));
    element.classList.toggle("running", !turn.result && !turn.problem);
    if (isNew && turn.result) announce(spoken(turn.result));
  };
  return { element, update };
}

const reply = ({ question, answer }) =>
  el("p", { class: "reply" }, el("span", { class: "muted" }, question), el("strong", {}, answer));

function headline(turn) {
  if (turn.problem) return [el("span", { class: "status failed" }, turn.wasStopped ? "Stopped" : "It did not work")];
  if (!turn.result) return [el("span", { class: "pulse" }), turn.active ? `${plain(turn.active)} …` : "Starting …"];
  const { status, confidence_in_words: sureness, usage } = turn.result;
  return [
    el("span", { class: `status ${status}` }, STATUS[status]),
    sureness ? el("span", { class: "sureness" }, capitalised(sureness)) : null,
    el("span", { class: "muted" }, seconds(usage.seconds)),
  ].filter(Boolean);
}

function underWay(turn, { again }) {
  if (turn.problem) {
    return [
      el("p", {}, turn.problem),
      el(
        "button",
        { class: "button", type: "button", onclick: () => again(turn) },
        turn.wasStopped ? "Go on" : "Try again",
      ),
    ];
  }
  if (!turn.draft) return [];
  const checked = turn.claims.length ? ` ${count(turn.claims.length, "sentence")} checked so far.` : "";
  return [
    el(
      "div",
      { class: "draft" },
      el("p", { class: "draft-label" }, el("strong", {}, "Draft"), ` Not checked yet; it may still change.${checked}`),
      el("p", { class: "draft-text" }, turn.draft),
    ),
  ];
}

async function showResult(turn, body, foot, actions) {
  const { result } = turn;
  const text = el("div", { class: "prose" });
  text.append(await rendered(result.answer));
  await placeCharts(text, result.charts);
  linkCitations(text, result.citations, actions.open);
  markClaims(text, result.answer, result.claims);
  body.replaceChildren(
    ...[
      result.clarification
        ? banner(turn, { open: actions.open, reply: (answer) => actions.reply(turn, answer) })
        : null,
      result.answer ? text : null,
      ...(result.notices ?? []).map((notice) => el("p", { class: "muted" }, notice)),
      facilities(result.actions),
      nearest(result.nearest, actions.open),
    ].filter(Boolean),
  );
  const behind = result.claims.length ? `Checked: ${tallied(result.claims)}` : "How it came about";
  foot.replaceChildren(
    el("button", { class: "quiet strong", type: "button", onclick: () => actions.inspect(turn) }, behind),
    el("span", { class: "row" }, result.answer ? downloadButtons(turn) : null),
  );
}

function spoken({ status, answer, clarification, claims, confidence_in_words: sureness }) {
  const sure = sureness ? ` ${capitalised(sureness)}.` : "";
  const checked = claims.length ? ` ${count(claims.length, "sentence")}: ${tallied(claims)}.` : "";
  return `${STATUS[status]}.${sure}${checked} ${clarification?.question ?? answer}`;
}

const capitalised = (words) => words[0].toUpperCase() + words.slice(1);
