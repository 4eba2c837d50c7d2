"""Checks a whole response before it goes out: its claims and citations, its formulas, its charts and their places."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from docmind.domain.verdicts import Audit, AuditedClaim, ClaimStatus
from docmind.models.chat.model import ChatModel
from docmind.quality.audit import audit
from docmind.quality.charts import check_placeholders, trace_points, validate_chart
from docmind.quality.claims import claims
from docmind.quality.confidence import confidence
from docmind.quality.grounding import Grounder
from docmind.quality.grounding.copies import written
from docmind.quality.latex import find_formulas, validate_latex
from docmind.quality.quantities import Computed, Operand
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.wording.explanation import explain, formulas
from docmind.skills.finance.wording.plots import rest_of
from docmind.skills.finance.wording.relations import wrong_way_round
from docmind.skills.finance.wording.sources import Sources, steps_of
from docmind.skills.judge import Judgement, judgement_of
from docmind.skills.opinion import second_opinion

WRONG_WAY_ROUND = 0.02
"""What is left of a claim that has its numbers the wrong way round."""
_PLACE = re.compile(r"\[CHART:\d{1,4}+\]")


@dataclass(frozen=True, slots=True)
class ResponseCheck:
    """What became of a response."""

    judgement: Judgement
    faults: tuple[str, ...]
    """What is wrong with it besides its claims, a sentence each."""

    @property
    def problems(self) -> list[str]:
        """Everything that keeps it from going out, a sentence each."""
        claims = (f"“{one.claim.text}”: {one.reason}" for one in self.judgement.hallucinated)
        return list(dict.fromkeys((*claims, *self.faults)))


def check(
    answer: str, charts: Mapping[int, Mapping[str, Any]], analysis: Analysis, sources: Sources, grounder: Grounder
) -> ResponseCheck:
    """Hold a response against its passages and against what was computed from them."""
    results = [result for result in analysis.results if isinstance(result, Computed)]
    steps = [step for result in results for step in steps_of(result)]
    # A fall is told without its sign: fell by 3.7% is -3.7%. Which way it went is looked at besides.
    computed = [*steps, *(_without_sign(step) for step in steps if step.exact < 0)]
    prose = _without_own_formulas(answer, analysis)
    own_words = _without_own_formulas(explain(analysis, sources), analysis) if analysis.results else ""
    own = frozenset(written(claim.text) for claim in claims(own_words))
    question = analysis.question.text
    found = audit(prose, sources.passages, grounder, asked=question, computed=computed, vouched_for=own)
    judged = tuple(_the_right_way_round(one, analysis, sources) for one in found.claims)
    judgement = judgement_of(Audit(judged, confidence(judged)))
    problems = []
    if not found.claims:
        problems.append("The response says nothing that could be checked.")
    elif not any(one.claim.citations for one in found.claims):
        problems.append("The response cites nothing.")
    problems += [problem.reason for problem in validate_latex(answer)]
    problems += [problem.reason for problem in check_placeholders(answer, charts)]
    known = known_to(analysis, sources)
    for number, chart in charts.items():
        problems += [f"Chart {number}, {one.path}: {one.reason}" for one in validate_chart(chart)]
        problems += [f"Chart {number}: {one.reason}" for one in trace_points(chart, known) if one.source is None]
    return ResponseCheck(judgement, tuple(problems))


async def check_by_both(checked: ResponseCheck, sources: Sources, chat: ChatModel | None) -> tuple[ResponseCheck, str]:
    """What became of a response once a chat model, too, has judged it; and why it was not heard."""
    if chat is None:
        return checked, ""
    judgement, note, _ = await second_opinion(checked.judgement, sources.passages, chat)
    return replace(checked, judgement=judgement), note


def _without_sign(step: Computed) -> Computed:
    return replace(step, exact=-step.exact, quantity=step.quantity.size)


def _the_right_way_round(one: AuditedClaim, analysis: Analysis, sources: Sources) -> AuditedClaim:
    """A claim that rests on the right numbers and has them the wrong way round is contradicted by them."""
    reason = wrong_way_round(one.claim.text, analysis, sources)
    if not reason:
        return one
    grounding = replace(one.grounding, status=ClaimStatus.CONTRADICTED, probability=WRONG_WAY_ROUND)
    return replace(one, status=ClaimStatus.CONTRADICTED, reason=reason, grounding=grounding)


def _without_own_formulas(answer: str, analysis: Analysis) -> str:
    """The answer with the formulas of its calculations blanked out; any other may say things in words."""
    for formula in formulas(analysis):
        answer = answer.replace(formula, " " * len(formula))
    return _PLACE.sub(lambda place: " " * len(place[0]), answer)


def without_formulas(answer: str) -> str:
    """The answer with formulas and places of charts blanked out, so that every other character stays where it is."""
    for formula in find_formulas(answer):
        span = formula.span
        answer = answer[: span.start] + " " * len(span) + answer[span.end :]
    return _PLACE.sub(lambda place: " " * len(place[0]), answer)


def known_to(analysis: Analysis, sources: Sources) -> Sequence[Operand]:
    """Everything a chart may show: the figures of the passages, what was computed, and what is left of a whole."""
    figures = [figure for series in sources.evidence.series for figure in series.figures]
    rests = [rest for result in analysis.results if (rest := rest_of(result, sources)) is not None]
    return [*figures, *analysis.results, *rests]
