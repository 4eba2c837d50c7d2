"""Answers a question from passages: by the plan of a chat model where it comes to something, else by rule."""

from dataclasses import replace
from typing import NamedTuple

from docmind.skills.finance import Analysis, Evidence, Operation, analyse_with, read_question
from docmind.skills.finance.breakdown import breakdown_of
from docmind.skills.finance.certainty import signals_of
from docmind.skills.finance.lookup import explain
from docmind.skills.finance.plan import execute
from docmind.skills.finance.plan.chat_planner import BY_RULE
from docmind.skills.finance.seeking import ProcessedQuery, plan_of


class Answered(NamedTuple):
    """What a question came to, whether a plan answered it, and why not where there is one."""

    analysis: Analysis
    by_plan: bool = False
    note: str = ""


def answered(asked: ProcessedQuery, evidence: Evidence) -> Answered:
    """With what tells how likely it is right."""
    found = _answered(asked, evidence)
    signals = signals_of(found.analysis, evidence)
    return found._replace(analysis=replace(found.analysis, signals=signals))


def _answered(asked: ProcessedQuery, evidence: Evidence) -> Answered:
    plan, question = plan_of(asked), read_question(asked["question"])
    if asked["wants_chart"] and (parts := breakdown_of(question, evidence)) is not None:
        return Answered(parts)
    if plan is None:
        return Answered(analyse_with(question, evidence))
    if not plan.lookups:
        return Answered(explain(replace(question, operation=Operation.EXPLAIN), evidence), by_plan=True)
    found = execute(plan, asked["question"], evidence)
    if not found.refusal:
        return Answered(found, by_plan=True)
    return Answered(analyse_with(question, evidence), note=f"{BY_RULE} The plan comes to nothing: {found.refusal}")
