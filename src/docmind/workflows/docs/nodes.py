"""The nodes of the docs workflow: each reads the state, calls a skill and returns what it changed."""

from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from docmind.domain.search import Filters, Hit
from docmind.skills.decompose import decompose
from docmind.skills.disputes import caveat, contested, find_disputes
from docmind.skills.drafting import draft
from docmind.skills.judge import judge_by_both
from docmind.skills.multi_query_search import gather
from docmind.skills.nearest import nearest
from docmind.skills.tables.ranker import computes
from docmind.skills.tables.table import rest_of_tables
from docmind.workflows.citations import by_place
from docmind.workflows.docs.state import DocMindState, DocMindUpdate
from docmind.workflows.sections import hit_of, section_of
from docmind.workflows.services import Services
from docmind.workflows.step import Step

NO_ANSWER = "Unable to provide a confident response. Please rephrase your query."


async def decompose_node(state: DocMindState, runtime: Runtime[Services]) -> DocMindUpdate:
    """Break the question into what can be searched alone."""
    step = Step("decompose", state, runtime)
    services = step.services
    found, note = await decompose(state["query"], services.writer)
    queries = len(found.sub_queries)
    return {
        "decomposition": found.model_dump(),
        **_noted(
            state, step.decided(f"{queries} search{'es' if queries != 1 else ''}", note=note, intent=found.intent)
        ),
    }


async def retrieve_node(state: DocMindState, runtime: Runtime[Services]) -> DocMindUpdate:
    """Search every sub-query; after a bad draft also what it claimed, without sections that did not speak of it."""
    step = Step("retrieve", state, runtime)
    services = step.services
    useless = state.get("useless") or []
    queries = [*_sub_queries(state), *_unsupported(state)]
    limit = services.sections

    async def search(query: str, filters: Filters) -> list[Hit]:
        return await services.corpus.asearch(query, services.scope, limit=limit, filters=filters)

    hits = await gather(search, queries, limit=limit, without=useless)
    if services.writer is None and computes(state["query"]):

        async def fetch(passage_ids: Sequence[str]) -> list[Hit]:
            return await services.corpus.afetch(passage_ids, services.scope)

        hits += await rest_of_tables(hits, fetch)
    again = f"looked again with {len(queries)} queries, leaving out {len(useless)} passages" if useless else ""
    return {
        "retrieved_sections": [section_of(hit) for hit in hits],
        **_noted(
            state,
            step.decided(
                f"{len(hits)} passage{'s' if len(hits) != 1 else ''}",
                again,
                best=round(hits[0].relevance_score, 3) if hits else 0.0,
            ),
        ),
    }


async def generate_node(state: DocMindState, runtime: Runtime[Services]) -> DocMindUpdate:
    """Write the answer from the sections, told what was wrong with the last draft."""
    step = Step("generate", state, runtime)
    services = step.services
    hits = [hit_of(section, services.scope) for section in state["retrieved_sections"]]
    drafted = await draft(
        state["query"],
        hits,
        services.grounder,
        services.scorer,
        services.writer,
        wrong=_unsupported(state),
        tell=by_place(step.draft, hits),
    )
    refused = drafted.refused
    return {
        "generated_response": drafted.text,
        "refusal": drafted.reason if refused else None,
        "draft_confidence": drafted.confidence,
        **_noted(
            state,
            step.decided(
                "refused" if refused else "drafted", drafted.reason, note=drafted.note, characters=len(drafted.text)
            ),
        ),
    }


async def judge_node(state: DocMindState, runtime: Runtime[Services]) -> DocMindUpdate:
    """Check every claim of the draft against the sections, and hear a judging model where there is one."""
    step = Step("judge", state, runtime)
    services = step.services
    passages = [hit_of(section, services.scope).passage for section in state["retrieved_sections"]]
    opinion = await judge_by_both(
        state.get("generated_response") or "", passages, services.grounder, services.judge, asked=state["query"]
    )
    judgement, likely = opinion.judgement, opinion.confidence(state.get("draft_confidence"))
    claims = judgement.claims()
    for claim in claims:
        step.checked(claim)
    hallucinated = bool(judgement.hallucinated)
    refused = state.get("refusal") or opinion.refusal(state.get("draft_confidence"))
    useless = {section["passage_id"] for section in state["retrieved_sections"]} - judgement.useful
    return {
        "judge_verdict": {
            "is_hallucinated": hallucinated,
            "should_return": not hallucinated and not refused,
            "reasoning": refused or judgement.reasoning,
            "claims": claims,
            "confidence_score": round(likely, 4),
        },
        "retry_count": state.get("retry_count", 0) + hallucinated,
        "useless": [*(state.get("useless") or []), *sorted(useless)] if hallucinated else state.get("useless") or [],
        **_noted(
            state,
            step.decided(
                "hallucinated" if hallucinated else "refused" if refused else "accepted",
                refused or judgement.reasoning,
                note=opinion.note,
                claims=len(judgement.audit.claims),
            ),
        ),
    }


async def output_node(state: DocMindState, runtime: Runtime[Services]) -> DocMindUpdate:
    """Give out the draft that passed, with what the documents disagree on; or say that none did, and what is near."""
    step = Step("output", state, runtime)
    verdict = state.get("judge_verdict")
    hits = [hit_of(section, step.services.scope) for section in state["retrieved_sections"]]
    if verdict is None or not verdict["should_return"]:
        near = [one.model_dump() for one in nearest(state["query"], hits, step.services.scorer)]
        return {"final_output": NO_ANSWER, "nearest": near, **_noted(state, step.decided("no answer"))}
    services = step.services
    questions = [state["query"], *_sub_queries(state)]
    disputes = find_disputes(questions, hits, verdict["claims"], services.scorer, services.conflicting)
    warning = caveat(disputes)
    confidence = contested(verdict["confidence_score"], disputes)
    return {
        "judge_verdict": {**verdict, "confidence_score": confidence},
        "final_output": "\n\n".join(filter(None, (state.get("generated_response"), warning))),
        "caveat": warning,
        **_noted(state, step.decided("answered", warning or "")),
    }


def _noted(state: DocMindState, event: dict[str, Any]) -> DocMindUpdate:
    """The step in the history and the trace, which grow by hand: nodes of others may return the whole state."""
    return {
        "node_history": [*(state.get("node_history") or []), event["node"]],
        "trace": [*(state.get("trace") or []), event],
    }


def _sub_queries(state: DocMindState) -> list[str]:
    decomposition = state.get("decomposition") or {}
    return list(decomposition.get("sub_queries") or [state["query"]])


def _unsupported(state: DocMindState) -> list[str]:
    """The claims of the last draft that were not borne out."""
    verdict = state.get("judge_verdict")
    if verdict is None or not verdict["is_hallucinated"]:
        return []
    return [claim["text"] for claim in verdict["claims"] if claim["status"] != "supported"]
