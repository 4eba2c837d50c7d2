"""The analysis agent: figures and calculations from the passages, done in code with exact decimals, then done again."""

from dataclasses import replace
from typing import NamedTuple

from langgraph.graph import END, StateGraph

from docmind.skills.finance import Analysis, Evidence, Operation, analyse_with, read_question, validate
from docmind.skills.finance.analysis import from_plain, join_analyses, to_plain
from docmind.skills.finance.compute.parts import breakdown_of
from docmind.skills.finance.confidence import signals_of
from docmind.skills.finance.evidence.lookup import explain
from docmind.skills.finance.follow_up import leaves_open
from docmind.skills.finance.plan import execute
from docmind.skills.finance.plan.chat_planner import BY_RULE
from docmind.skills.finance.search.query import ProcessedQuery, plan_of
from docmind.skills.finance.search.searches import unheard_of
from docmind.workflows.finance.context import sources_in
from docmind.workflows.finance.edges import Agent, node, noted, unless_failed
from docmind.workflows.finance.state import AnalysisResult, FinanceState, FinanceUpdate, asked_of, result_in
from docmind.workflows.services import Services
from docmind.workflows.step import Step


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


async def analyse(state: FinanceState, step: Step) -> FinanceUpdate:
    """Read the figures that the question names out of the passages, and calculate what it asks for."""
    asked = asked_of(state)
    evidence = sources_in(state, step.services).evidence
    answer = answered(asked, evidence)
    reason = _out_of_reach(asked, evidence, planned=answer.by_plan)
    question = answer.analysis.question
    found = Analysis(question, refusal=reason) if reason else answer.analysis
    by_whole_plan = answer.by_plan and asked.get("planned_whole", False)
    second = asked["besides"] if not by_whole_plan else ""
    both = join_analyses(state["current_query"], found, _besides(second, evidence)) if second else None
    found = both or found
    plan = plan_of(asked)
    whole = both is not None or (by_whole_plan and plan is not None and not plan.words)
    result: AnalysisResult = {
        "primary_metric": next(iter(asked["metrics"]), ""),
        "operation": question.operation.value,
        "analysis": to_plain(found),
        "out_of_reach": reason,
        "findings": [],
        "document_flaws": [],
        "unread": "" if whole else asked["unread"],
    }
    decision = (
        "refused" if found.refusal else f"{found.question.operation.value}: {_count(len(found.results), 'result')}"
    )
    why = found.refusal or " ".join((*found.doubts, *found.missing))
    return {"analysis_results": result, **noted(state, step.decided(decision, why, note=answer.note))}


async def validate_analysis(state: FinanceState, step: Step) -> FinanceUpdate:
    """Do every sum again, read every source again, and hold totals against their parts."""
    result = result_in(state)
    evidence = sources_in(state, step.services).evidence
    found = validate(from_plain(result["analysis"]), evidence)
    wrong = [one.message for one in found if not one.is_of_document]
    flaws = [one.message for one in found if one.is_of_document]
    decision = "invalid" if wrong else "valid"
    checked: AnalysisResult = {**result, "findings": wrong, "document_flaws": flaws}
    return {"analysis_results": checked, **noted(state, step.decided(decision, " ".join((*wrong, *flaws))))}


def build_analysis_agent() -> Agent:
    builder = StateGraph(FinanceState, context_schema=Services)
    builder.add_node("analysis", node("analysis", analyse))
    builder.add_node("validation", node("validation", validate_analysis))

    builder.set_entry_point("analysis")
    builder.add_conditional_edges("analysis", unless_failed, {"success": "validation", "error": END})
    builder.add_edge("validation", END)
    return builder.compile()


def _out_of_reach(asked: ProcessedQuery, evidence: Evidence, *, planned: bool) -> str:
    """Why no figure can be the one asked for: nobody knows of what, or whatever figures there are are of others."""
    if not planned and leaves_open(asked["question"]):
        return "The question leaves open what it asks about."
    unknown = unheard_of(asked, evidence)
    return f"The documents do not mention {', '.join(f'“{one}”' for one in unknown)}." if unknown else ""


def _besides(question: str, evidence: Evidence) -> Analysis:
    return analyse_with(read_question(question), evidence)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
