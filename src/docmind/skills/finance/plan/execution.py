"""Carries a plan out: figures are looked up, calculated with, and told in the form that is asked for."""

from dataclasses import replace
from decimal import Decimal

from docmind.quality.quantities import Computed, Figure, Operand, Ranking, Refusal, write
from docmind.quality.quantities.computed import rounded
from docmind.quality.quantities.quantity import latex_number, latex_unit
from docmind.skills.finance.analysis import Analysis, Quote
from docmind.skills.finance.catalogue import item_called, measure_called, metrics_in
from docmind.skills.finance.compute.calculations import period_quote
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.phrases import sought, terms
from docmind.skills.finance.plan.lookups import LookedUp, look_up, written_out
from docmind.skills.finance.plan.plan import Calculation, Lookup, Plan
from docmind.skills.finance.plan.steps import OPERATIONS, RANKING, outcome_of, owner_of
from docmind.skills.finance.plan.subjects import take_definitions
from docmind.skills.finance.question import FinanceQuestion, NumberFormat, read_question


def in_form(result: Operand, form: NumberFormat) -> Operand:
    """The same number in another scale or with other decimals; a figure keeps all the digits it was printed with."""
    scale = form.scale if form.scale is not None and result.quantity.unit == "money" else result.scale
    if not isinstance(result, Computed):
        return replace(result, scale=scale)
    step = Decimal(1).scaleb(-form.places) * scale if form.places is not None else result.quantity.step
    if (scale, step) == (result.scale, result.quantity.step):
        return result
    shown = replace(result.quantity, value=rounded(result.exact, step), step=step)
    text = write(shown, scale)
    number = latex_number(shown.value / scale, step / scale) + latex_unit(shown, scale)
    formula, latex = (side.rpartition(" ")[0] for side in (_left(result.formula), _left(result.latex)))
    if scale > result.scale and result.quantity.unit == "money":
        # The figures in it stay in their own scale.
        by = f"{scale / result.scale:,f}"
        formula, latex = f"({formula}) / {by}", rf"\frac{{{latex}}}{{{latex_number(scale / result.scale, Decimal(1))}}}"
    return replace(
        result,
        quantity=replace(shown, text=text),
        formula=f"{formula} = {text}",
        latex=f"{latex} = {number}",
        scale=scale,
    )


def _left(formula: str) -> str:
    """What stands before the result, with the sign."""
    return formula.replace("≈", "=").replace(r"\approx", "=").rpartition("=")[0] + "="


def execute(plan: Plan, text: str, evidence: Evidence, form: NumberFormat | None = None) -> Analysis:
    """What a plan for a question comes to; refused, naming what is missing, where a lookup finds nothing.

    `form` is how the number is wanted, where the text does not say so any more.
    """
    question = _question(plan, text)
    question = question if form is None else replace(question, form=form)
    unsigned = question.unsigned and bool(read_question(text).periods)
    whole = written_out(plan, evidence)
    looked = look_up(whole, evidence)
    missing = tuple(dict.fromkeys(one.reason for one in looked.unfound))
    if missing:
        told = _without(whole, {one.lookup.id for one in looked.unfound})
        if told is None:
            return Analysis(question, refusal=" ".join(missing))
        whole, question = told, replace(question, operation=_question(told, text).operation)
    values, quotes = dict(looked.found), list[Quote]()
    for step in whole.steps:
        outcome = outcome_of(step, whole, values, looked.series, evidence.companies, unsigned=unsigned)
        if isinstance(outcome, Refusal):
            return Analysis(question, refusal=outcome.reason)
        if isinstance(outcome, Ranking):
            quotes.append(_named(outcome, lowest=step.operation is Calculation.LOWEST, evidence=evidence))
        values[step.id] = outcome.order if isinstance(outcome, Ranking) else outcome
    found = dict.fromkeys(result for one in whole.shown for result in values[one])
    results = tuple(in_form(result, question.form) for result in found)
    sure = all(lookup.id in looked.by_catalogue for lookup in whole.lookups if looked.found[lookup.id])
    computed = any(isinstance(result, Computed) for result in results)
    unsaid = () if sure and computed else _unsaid(question, whole, looked)
    by_name = len(looked.by_catalogue) / len(whole.lookups)
    doubts = (*looked.doubts, *unsaid)
    return Analysis(question, results, tuple(quotes), doubts=doubts, missing=missing, by_name=by_name)


def _without(plan: Plan, lost: set[str]) -> Plan | None:
    """What is left of a plan without some of its lookups; None where all that it shows takes one of them.

    Of several companies or times the others are told, and those that an order was asked of without the order.
    """
    for step in plan.steps:
        if not lost.isdisjoint(step.of):
            lost = lost | {step.id}
    unordered = {one for step in plan.steps if step.id in lost and step.operation in RANKING for one in step.of}
    told = {*plan.shown, *unordered} - lost
    if not told:
        return None
    needed = set(told)
    for step in reversed(plan.steps):
        needed.update(step.of if step.id in needed else ())
    lookups = [one for one in plan.lookups if one.id in needed]
    return plan.model_copy(update={"lookups": lookups, "steps": [one for one in plan.steps if one.id in needed]})


def _question(plan: Plan, text: str) -> FinanceQuestion:
    """The question as everything that tells an analysis knows it: what is calculated, and for when, is the plan's."""
    shown = next((step for step in plan.steps if step.id in plan.shown), None)
    periods = dict.fromkeys(period for lookup in plan.lookups for period in lookup.periods)
    return replace(
        read_question(text),
        operation=OPERATIONS[shown.operation] if shown is not None else Operation.LOOKUP,
        sides=None,
        periods=tuple(periods),
        is_stretch=False,
    )


def _named(order: Ranking, *, lowest: bool, evidence: Evidence) -> Quote:
    """The company, the period or the thing that is the first, or the last: whatever tells it from the others."""
    best = order.order[-1 if lowest else 0]
    source = best.sources[0] if isinstance(best, Computed) else best
    owners = {owner_of(operand, evidence.companies) for operand in order.order}
    owner = owner_of(best, evidence.companies)
    if owner and len(owners) > 1:
        return Quote(owner, source.span, source.source)
    of_one_thing = len({operand.label for operand in order.order}) == 1
    if of_one_thing and isinstance(best, Figure):
        return period_quote(best, [operand for operand in order.order if isinstance(operand, Figure)])
    year = str(best.period.year) if of_one_thing and best.period is not None else ""
    return Quote(year or best.label.removeprefix(f"{owner}: "), source.span, source.source)


def _unsaid(question: FinanceQuestion, plan: Plan, looked: LookedUp) -> tuple[str, ...]:
    """Words of the question that neither the plan nor a row it found has: something else may be meant."""
    phrases = [f"{lookup.company} {name}" for lookup in plan.lookups for name in _names(lookup)]
    planned = terms(" ".join((*phrases, *(name for step in plan.steps for name in _called(step.name)))))
    metrics = metrics_in(planned).keys()
    alike = {word for metric, words in metrics_in(terms(question.text)).items() if metric in metrics for word in words}
    rows = (row.name | row.aside | row.column | row.context for row in looked.series.values())
    said = question.unsought.union(planned, alike, *rows)
    # What a formula of the question is made of has been looked up.
    body, _ = take_definitions(question.text)
    named = frozenset(sought(body, frozenset())) - said
    left = [word.strip(".,?’'") for word in body.split() if named.intersection(terms(word))]
    return (f"No figure that was looked up mentions “{' '.join(left)}”.",) if left else ()


def _names(lookup: Lookup) -> tuple[str, ...]:
    return (lookup.item, *_called(lookup.item))


def _called(name: str) -> tuple[str, ...]:
    """All names of an item or a measure."""
    entry = item_called(name) or measure_called(name)
    return entry.names if entry is not None else (name,)
