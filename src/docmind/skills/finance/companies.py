"""Questions on several companies: each is answered from its own documents, or their figures are held side by side."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from docmind.quality.quantities import Computed, Operand, Ranking, Refusal, difference, rank, ratio, total
from docmind.skills.finance.analysis import Analysis, Quote
from docmind.skills.finance.company_names import named, without_names
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.over_time import PLACES, apart
from docmind.skills.finance.question import FinanceQuestion, read_question

__all__ = ["Answer", "answer_for", "companies_asked", "named", "owned"]

Answer = Callable[[FinanceQuestion, Evidence], Analysis]
_SIDE_BY_SIDE = (Operation.DIFFERENCE, Operation.RATIO, Operation.SUM)


def companies_asked(question: FinanceQuestion, evidence: Evidence) -> list[str]:
    """The companies of the documents that a question names, in its order; all of them where it names none."""
    return named(question.text, evidence.companies) or evidence.companies


def answer_for(question: FinanceQuestion, evidence: Evidence, owners: Sequence[str], answer: Answer) -> Analysis:
    """One answer of all: the figures side by side where the question compares companies, else one after the other."""
    # As of any one company: names would be looked for in labels.
    asked = read_question(without_names(question.text, owners))
    compares = question.operation is Operation.RANK and not question.of_periods
    beside = question.operation in _SIDE_BY_SIDE and len(question.periods) < 2
    if len(owners) > 1 and (compares or beside):
        single = replace(asked, operation=Operation.LOOKUP, sides=None)
        return _compared(question, {owner: _figure(answer(single, evidence.of(owner))) for owner in owners})
    answers = {owner: answer(asked, evidence.of(owner)) for owner in owners}
    if not named(question.text, owners):
        answers = _likeliest(answers)
    if len(owners) == 1:
        return replace(answers[owners[0]], question=question)
    refused = tuple(f"{owner}: {one.refusal}" for owner, one in answers.items() if one.refusal)
    results = tuple(owned(owner, result) for owner, one in answers.items() for result in one.results)
    quotes = tuple(quote for one in answers.values() for quote in one.quotes)
    if not results and not quotes:
        return Analysis(question, refusal=" ".join(refused))
    doubts = tuple(f"{owner}: {doubt}" for owner, one in answers.items() for doubt in one.doubts)
    return Analysis(question, results, quotes, doubts=doubts, missing=refused)


def _likeliest(answers: dict[str, Analysis]) -> dict[str, Analysis]:
    """Where no company is named, the answers that least speaks against; the refusals stay, to be told as missing."""
    least = min((len(one.doubts) for one in answers.values() if not one.refusal), default=0)
    return {owner: one for owner, one in answers.items() if one.refusal or len(one.doubts) == least}


def _figure(analysis: Analysis) -> Operand | None:
    return analysis.results[0] if len(analysis.results) == 1 else None


def owned(owner: str, result: Operand) -> Operand:
    """A result under the name of its company."""
    return replace(result, label=f"{owner}: {result.label}")


def _compared(question: FinanceQuestion, figures: dict[str, Operand | None]) -> Analysis:
    missing = [owner for owner, figure in figures.items() if figure is None]
    if missing:
        return Analysis(question, refusal=f"The passages do not hold the figure of {' and '.join(missing)}.")
    named = [owned(owner, figure) for owner, figure in figures.items() if figure is not None]
    if question.operation is Operation.RANK:
        return _ranked(question, named)
    outcome = _computed(question, named)
    return (
        Analysis(question, refusal=outcome.reason) if isinstance(outcome, Refusal) else Analysis(question, (outcome,))
    )


def _computed(question: FinanceQuestion, figures: Sequence[Operand]) -> Computed | Refusal:
    if question.operation is Operation.SUM:
        return total(figures)
    if len(figures) != 2:
        return Refusal("Only two companies can be set off against each other.")
    left, right = figures
    if question.operation is Operation.RATIO:
        # "How many times B is A" divides A by B.
        top, bottom = (right, left) if "how many times" in question.text.lower() else (left, right)
        return ratio(top, bottom, places=PLACES)
    return apart(left, right) if question.unsigned else difference(left, right)


def _ranked(question: FinanceQuestion, figures: Sequence[Operand]) -> Analysis:
    order = rank(figures)
    if not isinstance(order, Ranking):
        return Analysis(question, refusal=order.reason)
    best = order.order[-1 if question.least else 0]
    source = best.sources[0] if isinstance(best, Computed) else best
    return Analysis(question, order.order, (Quote(best.label.partition(": ")[0], source.span, source.source),))
