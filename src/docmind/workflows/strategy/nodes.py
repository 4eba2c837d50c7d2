"""The nodes that the supervisor sends out: each reads the state, calls a skill and returns what it changed."""

from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from docmind.domain.search import Filters, Hit
from docmind.quality.audit import CitationAudit
from docmind.quality.citations import find
from docmind.skills.critique import Critique, criticise
from docmind.skills.decompose import by_structure
from docmind.skills.disputes import ASK_FROM, find_disputes, told
from docmind.skills.evaluate import evaluate, local_scores
from docmind.skills.grade import by_reading
from docmind.skills.multi_query_search import gather
from docmind.skills.nearest import nearest
from docmind.skills.survey import matters, sought, surveys
from docmind.skills.synthesize import synthesize
from docmind.workflows.citations import NumberedDraft
from docmind.workflows.services import Services
from docmind.workflows.step import Step
from docmind.workflows.strategy.state import (
    Attempt,
    Evidence,
    MASISState,
    MASISUpdate,
    evidence_of,
    hits_in,
    noted,
    scope_of,
)
from docmind.workflows.strategy.supervisor import who_calculates

REPHRASE = (
    "Your query did not match any documents with sufficient relevance. "
    "Please rephrase it in the words the documents use, or ask about what they cover."
)
UPLOAD = "This workspace has no documents that could be searched. Please upload documents and ask again."
_MOST_ADDED = 6
"""Claims and gaps that are searched besides the question."""
_LONGEST_ADDED = 300


async def researcher_node(state: MASISState, runtime: Runtime[Services]) -> MASISUpdate:
    """Find what bears on the question; on a retry look wider, and for what was unsupported or left open."""
    step = Step("researcher", state, runtime)
    services, limits = step.services, step.services.strategy
    again = state.get("critique") is not None
    limit = limits.retry_candidates if again else limits.candidates
    threshold = limits.retry_min_score if again else limits.min_score
    parts = state.get("sub_questions") or by_structure(state["user_query"]).sub_queries
    scope = scope_of(state, services)

    async def search(query: str, filters: Filters, most: int = limit) -> list[Hit]:
        return await services.corpus.asearch(query, scope, limit=most, filters=filters)

    wanting = _wanting(state.get("critique"))
    queries = [state["user_query"], *parts, *wanting]
    if surveys(state["user_query"]):
        found = await sought(state["user_query"], search, limit=limit)
        missed = await gather(search, wanting, limit=limit) if wanting else []
        hits = _best_of_each((*found, *missed))
    else:
        hits = await gather(search, queries, limit=limit)
    each = [by_reading(asked, hits, services.scorer) for asked in dict.fromkeys((state["user_query"], *parts))]
    scores = [max(scored) for scored in zip(*each, strict=True)]
    candidates = [evidence_of(hit, score) for hit, score in zip(hits, scores, strict=True)]
    kept = [one for one in candidates if one["score"] >= threshold]
    retrieval: dict[str, Any] = {
        "queries": len(dict.fromkeys(queries)),
        "limit": limit,
        "threshold": threshold,
        "candidates": len(candidates),
        "filtered_out": len(candidates) - len(kept),
        "avg_score": _mean([one["score"] for one in kept]),
        "scores": [one["score"] for one in kept],
    }
    decision = f"{len(kept)} of {len(candidates)} candidates" if kept else "no evidence"
    missing = f"{REPHRASE} {who_calculates(state['user_query'], services)}".strip() if candidates else UPLOAD
    reason = "" if kept else missing
    event = step.decided(decision, reason, limit=limit, threshold=threshold, avg_score=retrieval["avg_score"])
    update: MASISUpdate = {
        "evidence": kept,
        "sub_questions": list(parts),
        **noted(state, event, retrieval=retrieval),
    }
    if kept:
        return update
    near = [one.model_dump() for one in nearest(state["user_query"], hits, services.scorer)]
    return {**update, "requires_human_review": True, "clarification_question": reason, "nearest": near}


async def synthesizer_node(state: MASISState, runtime: Runtime[Services]) -> MASISUpdate:
    """Write the answer from the evidence, told what was wrong with the last draft and what a person decided."""
    step = Step("synthesizer", state, runtime)
    services = step.services
    synthesis = await synthesize(
        state["user_query"],
        state.get("sub_questions") or [state["user_query"]],
        hits_in(state, services),
        services.grounder,
        services.scorer,
        services.strategy,
        services.writer,
        critique=state.get("critique"),
        settlements=state.get("settlements") or [],
        tell=NumberedDraft(step.draft, (one["passage_id"] for one in state["evidence"])),
    )
    event = step.decided(
        "drafted", note=synthesis.note, characters=len(synthesis.text), compression_ratio=synthesis.ratio
    )
    return {
        "draft_answer": synthesis.text,
        "draft_confidence": synthesis.confidence,
        **noted(state, event, compression_ratio=synthesis.ratio),
    }


async def critic_node(state: MASISState, runtime: Runtime[Services]) -> MASISUpdate:
    """Judge every claim, lower the confidence for careless citing, and keep the draft if it is the best so far."""
    step = Step("critic", state, runtime)
    services, draft = step.services, state["draft_answer"] or ""
    hits = hits_in(state, services)
    found = await criticise(
        state["user_query"],
        draft,
        [hit.passage for hit in hits],
        services.grounder,
        services.strategy,
        services.judge,
        parts=state.get("sub_questions") or [],
        ratio=state["metrics"]["compression_ratio"],
        look_again=state.get("critique") is None,
    )
    for claim in found.claims:
        step.checked(claim)
    settlements = state.get("settlements") or []
    questions = [state["user_query"], *(state.get("sub_questions") or [])]
    about = matters(claim["text"] for claim in found.claims) if surveys(state["user_query"]) else []
    disputes = (
        []
        if settlements
        else find_disputes(questions, hits, found.claims, services.scorer, services.conflicting, matters=about)
    )
    disputes = [one for one in disputes if one["probability"] >= ASK_FROM]
    attempt: Attempt = {
        # What a person decided is said of the sources, not by them: it is no claim that evidence could bear out.
        "answer": "\n\n".join((draft, *map(told, settlements))),
        "confidence": found.critique["confidence"],
        "draft_confidence": state.get("draft_confidence"),
        "critique": found.critique,
        "claims": found.claims,
        "disputes": disputes,
        "evidence": _cited(draft, state["evidence"]),
        "evaluation": None,
        "only_quotes": found.only_quotes,
    }
    best = state.get("best")
    reasons = (*found.critique["penalties"], *(one["reason"] for one in attempt["disputes"]))
    event = step.decided(
        f"confidence {attempt['confidence']:.1%}", " ".join(reasons), note=found.note, claims=len(found.claims)
    )
    return {
        "critique": found.critique,
        "confidence": attempt["confidence"],
        "final_answer": attempt["answer"],
        "attempt": attempt,
        "best": attempt if best is None or attempt["confidence"] >= best["confidence"] else best,
        **noted(
            state,
            event,
            last_citation_audit=found.audit,
            confidence_history=[*state["metrics"].get("confidence_history", []), attempt["confidence"]],
            citations=_citation_counts(attempt, found.audit),
        ),
    }


async def evaluator_node(state: MASISState, runtime: Runtime[Services]) -> MASISUpdate:
    """Score the draft, never kinder than its citation audit. Nothing that is decided hangs on it."""
    step = Step("evaluator", state, runtime)
    services, attempt = step.services, state.get("attempt")
    if attempt is None:
        raise AssertionError("The critic runs before the evaluator.")
    audit = state["metrics"]["last_citation_audit"]
    by_code = attempt.get("only_quotes", False) and not services.strategy.judge_quotes
    local = local_scores(
        audit,
        [claim["confidence_score"] for claim in attempt["claims"]],
        [one["score"] for one in attempt["evidence"]],
        parts=len(state.get("sub_questions") or [1]),
        gaps=len(attempt["critique"]["logical_gaps"]),
    )
    evaluation, note = await evaluate(
        state["user_query"],
        attempt["answer"],
        [one["content"] for one in attempt["evidence"]],
        local,
        audit,
        services.strategy,
        None if by_code else services.judge,
        hallucinated=attempt["critique"]["hallucination_detected"],
    )
    evaluated: Attempt = {**attempt, "evaluation": evaluation}
    best = state.get("best")
    event = step.decided(
        f"overall {evaluation['overall']:.2f}",
        " ".join(evaluation["clamps"]),
        note=note,
        scored_by=evaluation["scored_by"],
    )
    return {
        "attempt": evaluated,
        "best": evaluated if best == attempt else best,
        **noted(state, event, evaluation=evaluation),
    }


def _best_of_each(hits: Sequence[Hit]) -> list[Hit]:
    """Each passage once, as the search found it that it is most relevant to."""
    best: dict[str, Hit] = {}
    for hit in hits:
        earlier = best.get(hit.passage.id, hit)
        best[hit.passage.id] = max(earlier, hit, key=lambda one: one.relevance_score)
    return list(best.values())


def _wanting(critique: Critique | None) -> list[str]:
    """What the last draft said without support, or left open."""
    wanting = [] if critique is None else [*critique["unsupported_claims"], *critique["logical_gaps"]]
    return [text[:_LONGEST_ADDED] for text in wanting[:_MOST_ADDED]]


def _cited(draft: str, evidence: list[Evidence]) -> list[Evidence]:
    """The evidence that the draft cites: with it alone a draft is kept, so that the state stays small."""
    targets = {marker.target.lower() for marker in find(draft)}
    return [one for one in evidence if one["passage_id"].lower() in targets]


def _citation_counts(attempt: Attempt, audit: CitationAudit) -> dict[str, int]:
    return {
        "passages": len(attempt["evidence"]),
        "documents": len({one["document_id"] for one in attempt["evidence"]}),
        "invalid": len(audit["invalid_citations"]),
        "uncited": len(audit["uncited_sentences"]),
    }


def _mean(values: list[float]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0
