"""Checks a whole response before it goes out, its claims, formulas and charts, and repairs it by code."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Any

from docmind.domain.verdicts import Audit, AuditedClaim, ClaimStatus
from docmind.models.chat.model import ChatModel
from docmind.quality.audit import audit, confidence
from docmind.quality.charts import check_placeholders, trace_points, validate_chart
from docmind.quality.claims import claims
from docmind.quality.grounding import Grounder
from docmind.quality.grounding.evidence import written
from docmind.quality.latex import find_formulas, validate_latex
from docmind.quality.quantities import Agreement, Computed, Operand, Quantity, read_quantities
from docmind.quality.quantities.computed import exact_value
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.wording.answer import explain, formulas
from docmind.skills.finance.wording.charts import rest_of
from docmind.skills.finance.wording.sentences import Sources, steps_of
from docmind.skills.judge import Judgement, judgement_of, second_opinion

_ROSE = re.compile(
    r"\b(?:rose|risen|grew|grown|increased?|climbed|gained|improved|up by|went up|an increase)\b", re.IGNORECASE
)
_FELL = re.compile(
    r"\b(?:fell|fallen|declined?|decreased?|dropped|shrank|shrunk|lost|worsened|down by|went down|a decrease)\b",
    re.IGNORECASE,
)
_ABOVE = re.compile(
    r"\b(?:exceed(?:s|ed)?|surpass(?:es|ed)?|outperform(?:s|ed)?|above|(?:higher|greater|larger|bigger|more) than)\b",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"\b(?:trail(?:s|ed)?|below|behind|under|(?:lower|less|smaller|fewer) than|fell short of)\b", re.IGNORECASE
)
_DENIED = re.compile(r"\b(?:not|never|no)\b|n't\b", re.IGNORECASE)


def wrong_way_round(claim: str, analysis: Analysis, sources: Sources) -> str:
    """Why a claim has a relation the wrong way round, as a sentence; nothing where it has none, or has it right."""
    if _DENIED.search(claim):
        return ""
    return next(chain(_moved(claim, analysis, sources), _compared(claim, analysis, sources)), "")


def _moved(claim: str, analysis: Analysis, sources: Sources) -> Iterator[str]:
    """A number that was computed as a fall and is told as a rise, or the other way."""
    said = read_quantities(claim)
    for step in _steps(analysis):
        over_time = len(step.operands) == 2 and sources.thing(step.operands[0]) == sources.thing(step.operands[-1])
        told = any(
            step.confirms(one) is Agreement.AGREE or step.confirms(_turned(one)) is Agreement.AGREE for one in said
        )
        if not over_time or not told or step.quantity.unit == "times":
            continue
        rose, fell = _ROSE.search(claim) is not None, _FELL.search(claim) is not None
        if rose != fell and ((rose and step.exact < 0) or (fell and step.exact > 0)):
            yield f"{step.label} comes to {step.quantity.text}: it {'fell' if rose else 'rose'}."


def _turned(quantity: Quantity) -> Quantity:
    """A fall is said without its sign."""
    return replace(quantity, value=-quantity.value)


def _compared(claim: str, analysis: Analysis, sources: Sources) -> Iterator[str]:
    """One thing said to be above another that is below it."""
    for one, other in combinations(_things(analysis), 2):
        if one.quantity.unit != other.quantity.unit or one.period != other.period:
            continue
        first, second = ((claim.find(name), operand) for name, operand in _named(one, other, sources))
        (start, left), (end, right) = sorted((first, second), key=lambda place: place[0])
        between = claim[max(start, 0) : max(end, 0)]
        above, below = _ABOVE.search(between) is not None, _BELOW.search(between) is not None
        if start < 0 or above == below:
            continue
        gap = exact_value(left) - exact_value(right)
        if (above and gap < 0) or (below and gap > 0):
            yield f"{left.label} is {left.quantity.text} and {right.label} is {right.quantity.text}."


def _named(one: Operand, other: Operand, sources: Sources) -> Sequence[tuple[str, Operand]]:
    """Each by its company where the companies differ, else by its label."""
    owners = sources.whose(one), sources.whose(other)
    apart = owners[0] != owners[1] and all(owners)
    names = owners if apart else (sources.label(one), sources.label(other))
    return tuple(zip(names, (one, other), strict=True))


def _steps(analysis: Analysis) -> list[Computed]:
    return [step for result in analysis.results if isinstance(result, Computed) for step in steps_of(result)]


def _things(analysis: Analysis) -> list[Operand]:
    """What was computed with, and what stands beside each other without a calculation."""
    operands = [operand for step in _steps(analysis) for operand in step.operands]
    return list(dict.fromkeys((*operands, *(one for one in analysis.results if not isinstance(one, Computed)))))


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


def borne_out(text: str, analysis: Analysis, sources: Sources, grounder: Grounder) -> str:
    """A text without the sentences that do not pass the check."""
    wrong = check(text, {}, analysis, sources, grounder).judgement.hallucinated
    for one in sorted(wrong, key=lambda claim: claim.claim.span, reverse=True):
        text = text[: one.claim.span.start] + text[one.claim.span.end :]
    return "\n".join(line for line in text.split("\n") if line.strip() != "-").strip()


def sound_charts(
    charts: Mapping[int, Mapping[str, Any]], analysis: Analysis, sources: Sources
) -> list[Mapping[str, Any]]:
    """The charts that can be drawn and show nothing but what is known."""
    known = known_to(analysis, sources)
    return [
        chart
        for chart in charts.values()
        if not validate_chart(chart) and all(one.source is not None for one in trace_points(chart, known))
    ]
