// What the check found: every sentence with its verdict, and the scores where there are any.

import { el } from "./dom.js";
import { quality } from "./quality.js";
import { CLAIM, count } from "./words.js";

const ABOUT =
  "Whether the documents support each sentence. How likely the whole answer is to be right is shown above it.";

/** Fill `panel`; `point` is called with the number of a claim to show it in the answer. */
export function showChecks(panel, turn, point) {
  const result = turn?.result;
  const claims = turn?.claims ?? [];
  if (!turn || (!result && !claims.length)) {
    const waits = turn && !turn.problem ? "Sentences appear here as they are checked." : "";
    panel.replaceChildren(
      el(
        "p",
        { class: "muted" },
        waits || "Every sentence of an answer is checked against the documents. What was found is shown here.",
      ),
    );
    return;
  }
  panel.replaceChildren(
    result ? "" : el("p", { class: "muted" }, "Checking …"),
    result && claims.length ? el("p", { class: "muted" }, ABOUT) : "",
    claims.length ? tally(claims) : el("p", { class: "muted" }, "No sentence in it makes a claim."),
    el(
      "ol",
      { class: "claims" },
      claims.map((claim, at) => entry(claim, at, point)),
    ),
    result?.evaluation ? quality(result.evaluation) : "",
  );
}

/** `3 supported, 1 uncited`. */
export function tallied(claims) {
  const counts = new Map();
  for (const { status } of claims) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, number]) => `${number} ${(CLAIM[status]?.[0] ?? status).toLowerCase()}`).join(", ");
}

const tally = (claims) => el("p", { class: "muted" }, `${count(claims.length, "sentence")}: ${tallied(claims)}.`);

function entry(claim, at, point) {
  const [verdict, meaning] = CLAIM[claim.status] ?? [claim.status, ""];
  return el(
    "li",
    {},
    el(
      "button",
      { class: "checked", type: "button", onclick: () => point(at) },
      el("span", { class: `verdict ${claim.status}` }, verdict),
      el("span", { class: "claim-text" }, claim.text),
      el("span", { class: "muted" }, meaning),
      claim.quote && claim.quote !== claim.text ? el("q", {}, claim.quote) : null,
    ),
  );
}
