// The scores of a strategy run in words: what they are made of, what held them down, and why it tried again.

import { el } from "./dom.js";
import { count } from "./words.js";

const SCORES = [
  ["faithfulness", "Faithfulness", "Is it what the evidence says?"],
  ["relevance", "Relevance", "Is the evidence about the question?"],
  ["completeness", "Completeness", "Is every part of the question answered?"],
  ["reasoning_quality", "Reasoning", "Does one thing follow from the other?"],
];
const RETRY = {
  conflict: "the sources disagree",
  citation_issue: "a citation was wrong",
  hallucination: "a sentence was not supported",
  needs_retry: "too much was left open",
};

/** The section of the checks panel for an evaluation. */
export function quality(evaluation) {
  const attempts = evaluation.confidence_history ?? [];
  return el(
    "section",
    { class: "quality" },
    el("h3", {}, "Quality"),
    el("p", { class: "muted" }, "Scores of the text, each from 0 to 1."),
    el(
      "dl",
      { class: "scores" },
      score("Overall", "All four, weighted", evaluation.overall, "overall"),
      SCORES.map(([name, title, meaning]) => score(title, meaning, evaluation[name], name)),
    ),
    sentences("What lowered the score", [...(evaluation.penalties ?? []), ...(evaluation.clamps ?? [])]),
    sentences("Left open", evaluation.logical_gaps ?? []),
    sentences(
      "Attempts",
      attempts.map((confidence, at) => attempt(at, confidence, evaluation.retry_reasons?.[at])),
    ),
    sentences("Decided by a person", (evaluation.settlements ?? []).map(settlement)),
    el("p", { class: "muted" }, basis(evaluation)),
  );
}

function score(title, meaning, value, name) {
  if (typeof value !== "number") return null;
  return el(
    "div",
    { class: name === "overall" ? "score overall" : "score" },
    el("dt", {}, title, el("span", { class: "muted" }, meaning)),
    el("dd", {}, el("meter", { min: 0, max: 1, value, "aria-label": title }), el("span", {}, value.toFixed(2))),
  );
}

function sentences(title, said) {
  if (!said.length) return null;
  return [
    el("h4", {}, title),
    el(
      "ul",
      { class: "plain" },
      said.map((sentence) => el("li", {}, sentence)),
    ),
  ];
}

function attempt(at, confidence, why) {
  const reasons = Object.keys(RETRY)
    .filter((name) => why?.[name])
    .map((name) => RETRY[name]);
  const again = why ? `; tried again because ${reasons.join(" and ") || "that was too low"}` : "";
  return `Attempt ${at + 1}: the critic gave it ${confidence.toFixed(2)}${again}.`;
}

function settlement({ dispute, preferred }) {
  const side = dispute.sides[preferred];
  return side ? `${side.title} was followed: ${side.value}.` : "Neither side was preferred, so both are shown.";
}

function basis({ citations, retrieval }) {
  const parts = [];
  if (citations)
    parts.push(`Cites ${count(citations.passages, "passage")} of ${count(citations.documents, "document")}.`);
  if (retrieval)
    parts.push(`${count(retrieval.candidates, "passage")} considered, ${retrieval.filtered_out} of them not relevant.`);
  return parts.join(" ");
}
