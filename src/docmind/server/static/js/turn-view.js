// One turn on the page: the question, the draft while it is one, and the answer with its marks once it was checked.

import { placeCharts } from "./charts.js";
import { tallied } from "./checks.js";
import { linkCitations, placeCitations } from "./citations.js";
import { markClaims } from "./claims.js";
import { banner } from "./clarify.js";
import { announce, el } from "./dom.js";
import { copyButton } from "./downloads.js";
import { feedback } from "./feedback.js";
import { facilities } from "./map.js";
import { rendered, renderedDraft } from "./markdown.js";
import { nearest } from "./nearest.js";
import { shareMenu } from "./sharing.js";
import { sureness } from "./sureness.js";
import { STATUS, count, seconds } from "./words.js";

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
  if (turn.problem) return [el("span", { class: "status failed" }, turn.wasStopped ? "Stopped" : "Something went wrong")];
  if (!turn.result) return [el("span", { class: "pulse" }), turn.doing ? `${turn.doing} …` : "Starting …"];
  const { status, confidence_in_words: sure, usage } = turn.result;
  const shown = asksNothing(turn) ? "refused" : status;
  if (isCourtesy(turn.result)) return [];
  return [
    el("span", { class: `status ${shown}` }, STATUS[shown]),
    sure ? sureness(turn.result) : null,
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
        turn.wasStopped ? "Continue" : "Try again",
      ),
    ];
  }
  if (!turn.draft) return [];
  const checked = turn.claims.length ? ` ${count(turn.claims.length, "sentence")} checked so far.` : "";
  return [
    el(
      "div",
      { class: "draft" },
      el("p", { class: "draft-label" }, el("strong", {}, "Draft"), ` Not checked yet. It may still change.${checked}`),
      el("div", { class: "draft-text prose" }, renderedDraft(turn.draft)),
    ),
  ];
}

async function showResult(turn, body, foot, actions) {
  const { result } = turn;
  const text = el("div", { class: "prose" });
  text.append(await rendered(result.answer));
  await placeCharts(text, result.charts);
  placeCitations(text, result.citations);
  markClaims(text, result.answer, result.claims);
  linkCitations(text, result, actions.open);
  body.replaceChildren(
    ...[
      ...(result.notices ?? []).map((notice) => el("p", { class: "outage", role: "note" }, notice)),
      asksNothing(turn) ? el("p", {}, result.clarification.question) : null,
      result.clarification && !asksNothing(turn)
        ? banner(turn, { open: actions.open, reply: (answer) => actions.reply(turn, answer) })
        : null,
      result.answer ? text : null,
      facilities(result.actions),
      nearest(result.nearest, actions.open),
    ].filter(Boolean),
  );
  if (isCourtesy(result)) return foot.replaceChildren();
  const behind = result.claims.length ? `Checked: ${tallied(result.claims)}` : "How this was found";
  foot.replaceChildren(
    el("button", { class: "quiet strong", type: "button", onclick: () => actions.inspect(turn) }, behind),
    el("span", { class: "row" }, result.answer ? [copyButton(turn), ...shareMenu(turn)] : null),
    ...(isRated(turn) ? [feedback(turn)] : []),
  );
}

/** Where nothing was found a run may ask for other words; there are passages to read instead. */
const asksNothing = ({ result, waiting }) => Boolean(result.clarification && !waiting && result.nearest.length);

const COURTESIES = ["greeting", "thanks", "parting", "about_assistant"];

/** Nothing was looked up for it, so there is nothing to check, share or rate. */
const isCourtesy = ({ message_kind: kind }) => COURTESIES.includes(kind);

/** Only what was answered from the documents can be right or wrong; a rating that was given can always be taken back. */
const isRated = ({ result, waiting, feedback: given }) =>
  Boolean(given) || (!waiting && result.message_kind === "question" && ["answered", "caveat"].includes(result.status));

function spoken({ status, answer, clarification, claims, confidence_in_words: sureness }) {
  const sure = sureness ? ` ${capitalised(sureness)}.` : "";
  const checked = claims.length ? ` ${count(claims.length, "sentence")}: ${tallied(claims)}.` : "";
  return `${STATUS[status]}.${sure}${checked} ${clarification?.question ?? answer}`;
}

const capitalised = (words) => words[0].toUpperCase() + words.slice(1);
