"""The nodes of the docs workflow: each reads the state, calls a skill and returns what it changed."""

import time
from typing import Any

from langgraph.runtime import Runtime

from docmind.domain.search import Filters, Hit
from docmind.domain.trace import Event
from docmind.skills.decompose import decompose
from docmind.skills.drafting import draft
from docmind.skills.gather import gather
from docmind.skills.judge import judge
from docmind.workflows.docs.state import DocMindState, DocMindUpdate, hit_of, section_of
from docmind.workflows.services import Services, services_of

NO_ANSWER = "Unable to provide a confident response. Please rephrase your query."


async def decompose_node(state: DocMindState, runtime: Runtime[Services]) -> DocMindUpdate:
    """Break the question into what can be searched alone."""
    step = _Step("decompose", state)
    services = services_of(runtime.context)
    found, note = await decompose(state["query"], services.writer)
    queries = len(found.sub_queries)
    return {
        "decomposition": found.model_dump(),
        **step.done(f"{queries} sub-quer{'y' if queries == 1 else 'ies'}", note, intent=found.intent),
    }


async def retrieve_node(state: DocMindState, runtime: Runtime[Services]) -> DocMindUpdate:
    """Search every sub-query; after a bad draft also what it claimed, without sections that did not speak of it."""
    step = _Step("retrieve", state)
    services = services_of(runtime.context)
    useless = state.get("useless") or []
    queries = [*_sub_queries(state), *_unsupported(state)]
    limit = services.sections

    async def search(query: str, filters: Filters) -> list[Hit]:
        return await services.corpus.asearch(query, services.scope, limit=limit, filters=filters)

    hits = await gather(search, queries, limit=limit, without=useless)
    again = f"looked again with {len(queries)} queries, leaving out {len(useless)} sections" if useless else ""
    return {
        "retrieved_sections": [section_of(hit) for hit in hits],
        **step.done(f"{len(hits)} sections", again, best=round(hits[0].relevance_score, 3) if hits else 0.0),
    }


async def generate_node(state: DocMindState, runtime: Runtime[Services]) -> DocMindUpdate:
    """Write the answer from the sections, told what was wrong with the last draft."""
    step = _Step("generate", state)
    services = services_of(runtime.context)
    hits = [hit_of(section, services.scope) for section in state["retrieved_sections"]]
    drafted = await draft(
        state["query"],
        hits,
        services.grounder,
        services.scorer,
        services.writer,
        wrong=_unsupported(state),
    )
    refused = drafted.refused
    return {
        "generated_response": drafted.text,
        "refusal": drafted.reason if refused else None,
        **step.done("refused" if refused else "drafted", drafted.note, characters=len(drafted.text)),
    }


async def judge_node(state: DocMindState, runtime: Runtime[Services]) -> DocMindUpdate:
    """Check every claim of the draft against the sections."""
    step = _Step("judge", state)
    services = services_of(runtime.context)
    passages = [hit_of(section, services.scope).passage for section in state["retrieved_sections"]]
    judgement = judge(state.get("generated_response") or "", passages, services.grounder, asked=state["query"])
    refused, hallucinated = state.get("refusal"), bool(judgement.hallucinated)
    useless = {section["passage_id"] for section in state["retrieved_sections"]} - judgement.useful
    return {
        "judge_verdict": {
            "is_hallucinated": hallucinated,
            "should_return": not hallucinated and not refused,
            "reasoning": refused or judgement.reasoning,
            "claims": judgement.claims(),
            "confidence_score": round(judgement.audit.confidence, 4),
        },
        "retry_count": state.get("retry_count", 0) + hallucinated,
        "useless": [*(state.get("useless") or []), *sorted(useless)] if hallucinated else state.get("useless") or [],
        **step.done(
            "hallucinated" if hallucinated else "refused" if refused else "accepted",
            refused or judgement.reasoning,
            claims=len(judgement.audit.claims),
        ),
    }


async def output_node(state: DocMindState) -> DocMindUpdate:
    """Give out the draft that passed, or say that none did."""
    step = _Step("output", state)
    verdict = state.get("judge_verdict")
    passed = verdict is not None and verdict["should_return"]
    return {
        "final_output": (state.get("generated_response") or NO_ANSWER) if passed else NO_ANSWER,
        **step.done("answered" if passed else "no answer"),
    }


class _Step:
    """Notes that a node ran, when and for how long."""

    def __init__(self, node: str, state: DocMindState) -> None:
        self._node = node
        self._state = state
        self._started = time.perf_counter()

    def done(self, decision: str, reason: str = "", **detail: Any) -> DocMindUpdate:
        seconds = time.perf_counter() - self._started
        event = Event(node=self._node, decision=decision, reason=reason, seconds=round(seconds, 6), detail=detail)
        return {
            "node_history": [*(self._state.get("node_history") or []), self._node],
            "trace": [*(self._state.get("trace") or []), event.model_dump()],
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
