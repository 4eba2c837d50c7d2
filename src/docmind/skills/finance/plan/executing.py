"""Carries a plan out: figures are looked up and calculated with, and the analysis says what each result rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from docmind.quality.quantities import Computed, Figure, Operand, Ranking, Refusal, average, rank, ratio, share, total
from docmind.skills.finance.analysis import Analysis, Quote
from docmind.skills.finance.asking import sought
from docmind.skills.finance.combining import spelt_out
from docmind.skills.finance.composed import Operator
from docmind.skills.finance.developing import comparable, movement
from docmind.skills.finance.evidence import Evidence
from docmind.skills.finance.metrics import metrics_in
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.ordering import period_quote
from docmind.skills.finance.over_time import PLACES, moved, newest_first, sizes
from docmind.skills.finance.plan.lookups import LookedUp, look_up
from docmind.skills.finance.plan.plan import Calculation, Plan, Step
from docmind.skills.finance.question import FinanceQuestion, read_question
from docmind.skills.finance.series import Series
from docmind.skills.finance.terms import terms

Outcome = tuple[Operand, ...] | Ranking | Refusal
"""What a step comes to."""
_OPERATIONS = {
    Calculation.CHANGE: Operation.DIFFERENCE,
    Calculation.GROWTH: Operation.GROWTH,
    Calculation.SHARE: Operation.SHARE,
    Calculation.RATIO: Operation.RATIO,
    Calculation.SUM: Operation.SUM,
    Calculation.AVERAGE: Operation.AVERAGE,
    Calculation.CAGR: Operation.CAGR,
    Calculation.HIGHEST: Operation.RANK,
    Calculation.LOWEST: Operation.RANK,
    Calculation.SERIES: Operation.DEVELOPMENT,
}
_NO_NUMBER = (Calculation.HIGHEST, Calculation.LOWEST, Calculation.SERIES)
"""What these come to is not calculated with."""
_SPELT_OUT = {
    Calculation.CHANGE: Operator.LESS,
    Calculation.SUM: Operator.PLUS,
    Calculation.AVERAGE: Operator.AVERAGE,
}


def execute(plan: Plan, text: str, evidence: Evidence) -> Analysis:
    """What a plan for a question comes to; refused, naming what is missing, where a lookup finds nothing."""
    question = _question(plan, text)
    looked = look_up(plan, evidence)
    if looked.unfound:
        return Analysis(question, refusal=" ".join(dict.fromkeys(one.reason for one in looked.unfound)))
    values, quotes = dict(looked.found), list[Quote]()
    for step in plan.steps:
        outcome = _outcome(step, plan, values, looked)
        if isinstance(outcome, Refusal):
            return Analysis(question, refusal=outcome.reason)
        if isinstance(outcome, Ranking):
            quotes.append(_named(outcome, lowest=step.operation is Calculation.LOWEST, evidence=evidence))
        values[step.id] = outcome.order if isinstance(outcome, Ranking) else outcome
    results = tuple(dict.fromkeys(result for one in plan.shown for result in values[one]))
    return Analysis(question, results, tuple(quotes), doubts=(*looked.doubts, *_unsaid(question, plan, looked)))


def _question(plan: Plan, text: str) -> FinanceQuestion:
    """The question as everything that tells an analysis knows it: what is calculated, and for when, is the plan's."""
    shown = next((step for step in plan.steps if step.id in plan.shown), None)
    periods = dict.fromkeys(period for lookup in plan.lookups for period in lookup.periods)
    return replace(
        read_question(text),
        operation=_OPERATIONS[shown.operation] if shown is not None else Operation.LOOKUP,
        sides=None,
        periods=tuple(periods),
        is_stretch=False,
    )


def _outcome(step: Step, plan: Plan, values: Mapping[str, Sequence[Operand]], looked: LookedUp) -> Outcome:
    before = {one.id: one.operation for one in plan.steps}
    if any(before.get(taken) in _NO_NUMBER for taken in step.of):
        return Refusal("The plan calculates with what is no number.")
    operands = [operand for taken in step.of for operand in values[taken]]
    match step.operation:
        case Calculation.HIGHEST | Calculation.LOWEST:
            return rank(operands)
        case Calculation.SERIES:
            return _series(operands, looked.series.get(step.of[0]))
        case Calculation.SUM | Calculation.AVERAGE:
            calculate = total if step.operation is Calculation.SUM else average
            result: Operand | Refusal = _spelt_out(step, calculate(sizes(operands)))
        case Calculation.SHARE | Calculation.RATIO:
            result = _of_two(step, operands)
        case _:
            result = _moved(step, operands)
    return result if isinstance(result, Refusal) else (result,)


def _of_two(step: Step, operands: Sequence[Operand]) -> Operand | Refusal:
    if step.operation is Calculation.SHARE and operands[0].quantity.unit == "percent":
        # The report states the share itself.
        return operands[0]
    if len(operands) != 2:
        return Refusal(f"A {step.operation} takes two figures, and the plan names {len(operands)}.")
    first, second = operands
    if step.operation is Calculation.RATIO:
        return ratio(first, second, places=PLACES)
    return share(sizes([first])[0], second, places=PLACES)


def _moved(step: Step, operands: Sequence[Operand]) -> Computed | Refusal:
    """From the oldest to the newest of one thing; of two things the first less the second."""
    if len(operands) < 2:
        return Refusal(f"A {step.operation} takes two figures, and the plan names one.")
    things = {operand.label for operand in operands}
    if len(things) > 1 and len(operands) > 2:
        return Refusal(f"A {step.operation} takes two figures, and the plan names {len(operands)}.")
    ordered = newest_first(operands) if len(things) == 1 else list(operands)
    outcome = moved(_OPERATIONS[step.operation], ordered[0], ordered[-1])
    if isinstance(outcome, Computed) and len(things) == 1 and step.operation is Calculation.CHANGE:
        outcome = replace(outcome, label=f"change in {things.pop()}")
    return _spelt_out(step, outcome)


def _spelt_out(step: Step, outcome: Computed | Refusal) -> Computed | Refusal:
    operator = _SPELT_OUT.get(step.operation)
    return spelt_out(operator, outcome) if operator is not None and isinstance(outcome, Computed) else outcome


def _series(operands: Sequence[Operand], row: Series | None) -> Outcome:
    """How one thing moved: over the periods that were looked up, over all of its row where that is one or none."""
    figures = [operand for operand in operands if isinstance(operand, Figure)]
    if len(figures) < 2 and row is not None:
        figures = comparable(row.figures)
    if len(figures) < 2 or len({figure.label for figure in figures}) > 1:
        return Refusal("The figures are not of one thing at several times.")
    return movement(figures)


def _named(order: Ranking, *, lowest: bool, evidence: Evidence) -> Quote:
    """The company, the period or the thing that is the first, or the last: whatever tells it from the others."""
    best = order.order[-1 if lowest else 0]
    source = best.sources[0] if isinstance(best, Computed) else best
    owner, _, label = best.label.partition(": ")
    owners = {operand.label.partition(": ")[0] for operand in order.order}
    if owner in evidence.companies and len(owners) > 1:
        return Quote(owner, source.span, source.source)
    of_one_thing = len({operand.label for operand in order.order}) == 1
    if of_one_thing and isinstance(best, Figure):
        return period_quote(best, [operand for operand in order.order if isinstance(operand, Figure)])
    year = str(best.period.year) if of_one_thing and best.period is not None else ""
    return Quote(year or label or owner, source.span, source.source)


def _unsaid(question: FinanceQuestion, plan: Plan, looked: LookedUp) -> tuple[str, ...]:
    """Words of the question that neither the plan nor a row it found has: something else may be meant."""
    planned = terms(" ".join(f"{lookup.company} {lookup.phrase}" for lookup in plan.lookups))
    metrics = metrics_in(planned).keys()
    alike = {word for metric, words in metrics_in(terms(question.text)).items() if metric in metrics for word in words}
    rows = (row.name | row.aside | row.column | row.context for row in looked.series.values())
    said = question.unsought.union(planned, alike, *rows)
    named = frozenset(sought(question.text, frozenset())) - said
    left = [word.strip(".,?’'") for word in question.text.split() if named.intersection(terms(word))]
    return (f"Nothing that was looked up says “{' '.join(left)}”.",) if left else ()
