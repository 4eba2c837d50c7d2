"""The door to analysing: a question and passages go in, figures, calculations and quotes come out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from docmind.domain.documents import Passage
from docmind.quality.quantities import Computed, Refusal
from docmind.skills.finance.analysis import NOT_FOUND, Analysis
from docmind.skills.finance.companies import Answer, answer_for, companies_asked
from docmind.skills.finance.compute.calculations import (
    compute_of_two,
    compute_over_time,
    developed,
    name_one_thing,
    passing,
    periods_of,
    ranked,
)
from docmind.skills.finance.compute.checks import with_doubts
from docmind.skills.finance.compute.parts import parts_of
from docmind.skills.finance.evidence.choice import best_row
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.evidence.lookup import FORETOLD, asks_for_outcome, explain, look_up, outcome_of, wanted_by
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.phrases import terms
from docmind.skills.finance.plan.execution import execute
from docmind.skills.finance.plan.rule_planner import read_plan
from docmind.skills.finance.question import FinanceQuestion, read_question


def analyse(text: str, passages: Sequence[Passage], owners: Mapping[str, str] | None = None) -> Analysis:
    """Answer a question on figures from passages, or say why not; `owners` names the company of each document."""
    return analyse_with(read_question(text), Evidence(passages, owners))


def analyse_with(question: FinanceQuestion, evidence: Evidence) -> Analysis:
    """The same for several questions on the same passages, which are read once."""
    owners = companies_asked(question, evidence)
    return answer_for(question, evidence, owners, _answer) if owners else _answer(question, evidence)


def _answer(question: FinanceQuestion, evidence: Evidence) -> Analysis:
    plan = read_plan(question.text, beside=0)
    planned = execute(plan, question.text, evidence, question.form) if plan is not None else None
    if planned is not None and not planned.refusal:
        return planned
    if _asks_what_was_expected(question, evidence):
        if asks_for_outcome(question):
            return outcome_of(question, evidence, lambda part: _answer(part, evidence))
        return explain(question, evidence)
    return with_doubts(_ANSWERS.get(question.operation, _calculated)(question, evidence), evidence)


def _asks_what_was_expected(question: FinanceQuestion, evidence: Evidence) -> bool:
    """Tables tell what was, unless a row says otherwise; what was expected stands in sentences."""
    foretold = FORETOLD.search(question.text)
    words = frozenset(terms(foretold[0])) if foretold is not None else frozenset()
    return foretold is not None and not any(words & one.name for one in evidence.series)


def _parts_or_figures(question: FinanceQuestion, evidence: Evidence) -> Analysis:
    parts = parts_of(question, evidence)
    return parts if parts.quotes else look_up(question, evidence)


def _developed(question: FinanceQuestion, evidence: Evidence) -> Analysis:
    """What no figures tell of may be told in words."""
    told = developed(question, evidence)
    return explain(question, evidence) if told.refusal and not question.metrics else told


_ANSWERS: dict[Operation, Answer] = {
    Operation.RANK: ranked,
    Operation.COUNT: passing,
    Operation.SELECT: passing,
    Operation.PERIODS: periods_of,
    Operation.PARTS: _parts_or_figures,
    Operation.EXPLAIN: explain,
    Operation.DEVELOPMENT: _developed,
    Operation.LOOKUP: look_up,
}


def _calculated(question: FinanceQuestion, evidence: Evidence) -> Analysis:
    of_two = question.operation in (Operation.SHARE, Operation.RATIO)
    phrases = question.sides
    if phrases is not None and question.operation is Operation.SHARE and _is_share_already(phrases[0], evidence):
        return replace(look_up(replace(question, text=phrases[0], sides=None), evidence), question=question)
    if phrases is not None and (of_two or not name_one_thing(phrases, question, evidence)):
        return _told(question, compute_of_two(question, evidence, phrases))
    return look_up(question, evidence) if of_two else _over_time(question, evidence)


def _is_share_already(phrase: str, evidence: Evidence) -> bool:
    """Whether the table gives percentages itself: cost of sales as a percentage of revenue."""
    series = evidence.best(phrase)
    return series is not None and series.unit == "percent"


def _over_time(question: FinanceQuestion, evidence: Evidence) -> Analysis:
    """Calculated from a table; what is asked of one period or none may also be stated as it is."""
    series = best_row(wanted_by(question, evidence.companies), evidence, ignored=question.unsought)
    stated = len(question.periods) < 2
    if series is None and not stated:
        series = evidence.prose.series(question)
    if series is None:
        return look_up(question, evidence) if stated else Analysis(question, refusal=NOT_FOUND)
    if question.operation is Operation.AVERAGE and series.is_average:
        return look_up(question, evidence)
    if question.operation is Operation.SUM:
        is_total = series.is_total and not question.adds_up and not question.is_stretch
        if is_total or question.respectively or stated:
            return look_up(question, evidence)
    told = _told(question, compute_over_time(question, series))
    return look_up(question, evidence) if told.refusal and stated else told


def _told(question: FinanceQuestion, outcome: Computed | Refusal) -> Analysis:
    if isinstance(outcome, Refusal):
        return Analysis(question, refusal=outcome.reason)
    return Analysis(question, (outcome,))
