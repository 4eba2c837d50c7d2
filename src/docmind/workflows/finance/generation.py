"""The generation agent: tells figures or quotes reports, checks the response, heals it, and remembers the turn."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import mean
from typing import Any

from langgraph.graph import END, StateGraph

from docmind.domain.search import Hit
from docmind.memory.recollections import Recollection
from docmind.skills.answer import Draft, extract_answer
from docmind.skills.drafting import Drafted, Listener, draft
from docmind.skills.extract.statement_scorer import StatementScorer
from docmind.skills.finance import Analysis, Operation, read_question
from docmind.skills.finance.analysis import from_plain, to_plain
from docmind.skills.finance.companies import asked_of_one
from docmind.skills.finance.confidence import AnalysisModel, ReportReader, analysis_confidence
from docmind.skills.finance.question import asks_for_figures
from docmind.skills.finance.search.query import ProcessedQuery, plan_of, unreported
from docmind.skills.finance.wording.answer import refusal, tell
from docmind.skills.finance.wording.charts import drawn_as, plot_of, write_chart
from docmind.skills.finance.wording.response_check import borne_out, check, check_by_both, sound_charts
from docmind.skills.finance.wording.sentences import citations_of
from docmind.skills.judge import UNLIKELY
from docmind.skills.nearest import nearest
from docmind.workflows.citations import by_place
from docmind.workflows.finance.context import hits_in, hits_of, scope_of, sources_of, with_turn
from docmind.workflows.finance.edges import Agent, node, noted, route_after_quality_check, unless_failed
from docmind.workflows.finance.state import (
    AnswerResponse,
    FinanceState,
    FinanceUpdate,
    asked_of,
    response_in,
    result_in,
)
from docmind.workflows.services import Services
from docmind.workflows.step import Step

LIKELY_RIGHT = 0.5
"""From here on an answer is more likely right than not."""
NO_FIGURE = "No figure was found that is likelier to answer this; what is quoted is the nearest that the reports say."
UNANSWERED = "What was found there does not answer this."
SEVERAL = 2


async def read_answer(
    asked: ProcessedQuery, hits: Sequence[Hit], services: Services, listen: Listener, reader: ReportReader
) -> Drafted:
    """The answer that stands in the sentences of the hits, with how likely it is right; or why there is none."""
    parts = _parts(asked, hits)
    if services.writer is not None or len(parts) < SEVERAL:
        scorer: StatementScorer = services.scorer if services.writer is not None else reader
        # Figures were calculated with, as far as they can be, before anything is read.
        return await draft(
            asked["whole"], hits, services.grounder, scorer, services.writer, tell=listen, computes=False
        )
    services = replace(services, scorer=reader.of_parts())
    found = {name: _answer(question, own, hits, services) for name, (question, own) in parts.items()}
    likely = mean(one.confidence if one else 0.0 for one in found.values())
    # One of two companies is worth telling of; one of two years may be the wrong one.
    unlikely = len(asked["companies"]) < SEVERAL and likely < reader.refuse_below
    if unlikely or all(one is None for one in found.values()):
        return Drafted("", True, f"No passage that was found answers the question for {' or '.join(parts)}.")
    text = "\n\n".join(f"## {name}\n\n{one.text if one else UNANSWERED}" for name, one in found.items())
    listen(text, fresh=True)
    return Drafted(text, False, "", confidence=likely)


def _parts(asked: ProcessedQuery, hits: Sequence[Hit]) -> dict[str, tuple[str, list[Hit]]]:
    """What is asked by itself, under its name: each of several companies, or each of the reports of several years."""
    companies, years = asked["companies"], {report["fiscal_year"] for report in asked["about"]}
    if len(companies) >= SEVERAL:
        own = {one: [hit for hit in hits if hit.document.metadata.company == one] for one in companies}
        return {one: (asked_of_one(one, asked["whole"], companies), found) for one, found in own.items()}
    if len(companies) == 1 and len(years) >= SEVERAL:
        titles = dict.fromkeys(hit.document.title for hit in hits)
        return {title: (asked["whole"], [hit for hit in hits if hit.document.title == title]) for title in titles}
    return {}


def _answer(question: str, own: Sequence[Hit], hits: Sequence[Hit], services: Services) -> Draft | None:
    """What the hits of one part answer, cited by their places among all hits."""
    if not own:
        return None
    found = extract_answer(question, hits, services.grounder, services.scorer, own, computes=False)
    return None if found.refused else found


def in_words(asked: ProcessedQuery, confidence: float | None) -> Analysis:
    """An analysis that came to no figures, of all that is asked; with a doubt where some were asked for in vain."""
    unsure = confidence is not None and confidence < LIKELY_RIGHT and asks_for_figures(read_question(asked["question"]))
    question = replace(read_question(asked["whole"]), operation=Operation.EXPLAIN)
    return Analysis(question, doubts=(NO_FIGURE,) if unsure else ())


CERTAIN = 0.85
"""From here on figures are told without reading besides: a quotation is hardly ever likelier, and takes time."""


async def text_explanation(state: FinanceState, step: Step) -> FinanceUpdate:
    """Tell the analysis in Markdown or quote the reports, whichever is likelier right; or say why neither answers."""
    services, result, asked = step.services, result_in(state), asked_of(state)
    analysis = from_plain(result["analysis"])
    if reason := result["out_of_reach"]:
        return {**_refusal(state, services, reason), **noted(state, step.decided("refused", reason))}
    tellable = bool(analysis.results) and not analysis.refusal and not result["findings"]
    likely = analysis_confidence(analysis) if tellable else 0.0
    # A chart shows figures, and what is quoted does not.
    if not tellable or (likely < CERTAIN and not asked["wants_chart"]):
        # Beside figures that a chat model may word, nothing is written: a quotation is measured, and costs no call.
        unwritten = replace(services, writer=None)
        read = await _quotation(state, step, unwritten if tellable else services)
        if not tellable and read.confidence is not None and read.confidence < UNLIKELY:
            # What a chat model wrote besides the question is no answer; the reports may still have one.
            read = await _quotation(state, step, unwritten)
        if not read.refused and (read.confidence is None or read.confidence > likely):
            return _quoted(state, step, read)
        if not tellable or likely < AnalysisModel.shipped().refuse_below:
            return _unanswered(state, step, read)
    hits = hits_in(state, services)
    sources, listen = sources_of(hits), by_place(step.draft, hits)
    told = await tell(analysis, hits, sources, services.grounder, services.scorer, services.writer, listen=listen)
    plot, plan = plot_of(analysis, sources, wanted=asked["wants_chart"]), plan_of(asked)
    shown = plan.show if plan is not None and asked["chart_kind"] == "number" else asked["chart_kind"]
    plot = drawn_as(plot, shown) if plot is not None else plot
    return {
        "explanation": told.text,
        "draft_confidence": told.confidence,
        "chart_drafts": [write_chart(plot, sources)] if plot is not None else [],
        **noted(state, step.decided("told", note=told.note, characters=len(told.text))),
    }


async def _quotation(state: FinanceState, step: Step, services: Services) -> Drafted:
    """What the sentences of the reports say, as the reader finds it."""
    hits = hits_of(state.get("reading_context") or [], scope_of(state, services))
    asked, figures = asked_of(state), from_plain(result_in(state)["analysis"]).results
    reader = ReportReader(services.scorer, asked["whole"], asked["companies"], figures)
    return await read_answer(asked, hits, services, by_place(step.draft, hits), reader)


def _quoted(state: FinanceState, step: Step, read: Drafted) -> FinanceUpdate:
    analysis = in_words(asked_of(state), read.confidence)
    return {
        "retrieved_context": state.get("reading_context") or [],
        "analysis_results": {**result_in(state), "analysis": to_plain(analysis), "findings": [], "unread": ""},
        "explanation": read.text,
        "draft_confidence": read.confidence,
        **noted(state, step.decided("read", read.reason, note=read.note, characters=len(read.text))),
    }


def _unanswered(state: FinanceState, step: Step, read: Drafted) -> FinanceUpdate:
    """Neither the figures that were found nor a sentence are likely enough to be right."""
    result = result_in(state)
    found = from_plain(result["analysis"])
    reason = found.refusal or " ".join((*result["findings"], *found.doubts)) or read.reason
    return {**_refusal(state, step.services, reason), **noted(state, step.decided("refused", reason, note=read.note))}


async def synthesis(state: FinanceState, step: Step) -> FinanceUpdate:
    """Put text and charts together, with the cells of the tables that the numbers stand in."""
    response = state["response"]
    if response is not None and response["refusal"]:
        return noted(state, step.decided("refused", response["refusal"]))
    result, charts = result_in(state), state.get("chart_drafts") or []
    analysis, sources = from_plain(result["analysis"]), sources_of(hits_in(state, step.services))
    # A question that names no company is answered for those that tell, and the others are not missed.
    asked = asked_of(state)
    missing = [*(analysis.missing if asked["companies"] else ()), *unreported(asked)]
    unread = [f"Ask by itself what was not looked into here: “{result['unread']}”"] if result["unread"] else []
    places = [f"[CHART:{number}]" for number in range(1, len(charts) + 1)]
    made: AnswerResponse = {
        "answer": "\n\n".join((state.get("explanation") or "", *places)),
        "charts": {str(number): chart for number, chart in enumerate(charts, 1)},
        "citations": citations_of(analysis, sources),
        "claims": [],
        "confidence": 0.0,
        "notes": [*analysis.doubts, *missing, *unread, *result["document_flaws"]],
        "refusal": "",
    }
    event = step.decided("put together", charts=len(charts), citations=len(made["citations"]))
    return {"response": made, **noted(state, event)}


async def quality_check(state: FinanceState, step: Step) -> FinanceUpdate:
    """Check every claim, citation, formula and chart; a computed number counts where its calculation does."""
    response, services = response_in(state), step.services
    if response["refusal"]:
        return {"response_valid": True, "problems": [], **noted(state, step.decided("valid", response["refusal"]))}
    analysis, sources = from_plain(result_in(state)["analysis"]), sources_of(hits_in(state, services))
    charts = _numbered(response)
    local = check(response["answer"], charts, analysis, sources, services.grounder)
    checked, note = await check_by_both(local, sources, services.judge)
    claims = checked.judgement.claims()
    for claim in claims:
        step.checked(claim)
    drafted = state.get("draft_confidence")
    # What is quoted from prose says itself how likely it is right; of figures that is measured.
    likely = analysis_confidence(analysis) if drafted is None else drafted
    graded: AnswerResponse = {
        **response,
        "claims": claims,
        "confidence": round(min(likely, checked.judgement.audit.confidence), 4),
    }
    valid = not checked.problems
    return {
        "response": graded,
        "response_valid": valid,
        "problems": checked.problems,
        **noted(
            state,
            step.decided("valid" if valid else "invalid", " ".join(checked.problems), note=note, claims=len(claims)),
        ),
    }


async def self_heal(state: FinanceState, step: Step) -> FinanceUpdate:
    """Once by the model, told what was wrong; then by code, which leaves out what does not stand."""
    services, attempt = step.services, state["self_heal_attempts"] + 1
    analysis, hits = from_plain(result_in(state)["analysis"]), hits_in(state, services)
    sources, problems = sources_of(hits), state.get("problems") or []
    writer = services.writer if attempt == 1 else None
    listen = by_place(step.draft, hits)
    told = await tell(
        analysis, hits, sources, services.grounder, services.scorer, writer, wrong=problems, listen=listen
    )
    if told.refused:
        reason = told.reason or " ".join(problems)
        return {
            **_refusal(state, services, reason),
            "self_heal_attempts": attempt,
            **noted(state, step.decided("refused", reason, note=told.note)),
        }
    text = told.text if writer is not None else borne_out(told.text, analysis, sources, services.grounder)
    charts = sound_charts(_numbered(response_in(state)), analysis, sources)
    return {
        "explanation": text,
        "draft_confidence": told.confidence,
        "chart_drafts": [dict(chart) for chart in charts],
        "self_heal_attempts": attempt,
        **noted(state, step.decided(f"healed, attempt {attempt}", " ".join(problems), note=told.note)),
    }


async def memory_update(state: FinanceState, step: Step) -> FinanceUpdate:
    """Keep the turn in the conversation, and hand it to the memory of the user without waiting for it."""
    asked, response = asked_of(state), response_in(state)
    turn = Recollection(state["current_query"], asked["question"], response["answer"], tuple(asked["companies"]))
    messages = with_turn(state.get("messages") or [], turn)
    if step.services.memory is not None:
        await step.services.memory.aremember(turn, scope_of(state, step.services), state["session_id"])
    return {"messages": messages, **noted(state, step.decided("remembered", messages=len(messages)))}


def build_generation_agent() -> Agent:
    builder = StateGraph(FinanceState, context_schema=Services)
    builder.add_node("text_explanation", node("text_explanation", text_explanation))
    builder.add_node("synthesis", node("synthesis", synthesis))
    builder.add_node("quality_check", node("quality_check", quality_check))
    builder.add_node("self_heal", node("self_heal", self_heal))
    builder.add_node("memory_update", node("memory_update", memory_update))

    builder.set_entry_point("text_explanation")
    builder.add_conditional_edges("text_explanation", unless_failed, {"success": "synthesis", "error": END})
    builder.add_conditional_edges("synthesis", unless_failed, {"success": "quality_check", "error": END})
    builder.add_conditional_edges(
        "quality_check", route_after_quality_check, {"valid": "memory_update", "invalid": "self_heal", "error": END}
    )
    builder.add_conditional_edges("self_heal", unless_failed, {"success": "synthesis", "error": END})
    builder.add_edge("memory_update", END)
    return builder.compile()


def _refusal(state: FinanceState, services: Services, reason: str) -> FinanceUpdate:
    """No answer, why, and what to read instead."""
    chunks = state.get("reading_context") or state["retrieved_context"]
    near = nearest(asked_of(state)["whole"], hits_of(chunks, scope_of(state, services)), services.scorer)
    refused: AnswerResponse = {
        "answer": refusal(asked_of(state)),
        "charts": {},
        "citations": [],
        "claims": [],
        "confidence": 0.0,
        "notes": [],
        "refusal": reason,
    }
    return {"response": refused, "nearest": [one.model_dump() for one in near]}


def _numbered(response: AnswerResponse) -> dict[int, dict[str, Any]]:
    return {int(number): chart for number, chart in response["charts"].items()}
