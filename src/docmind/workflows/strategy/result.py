"""The end of a strategy run as the one form that all runs give back."""

from typing import Any

from docmind.domain.answers import CheckedClaim, Citation, Clarification, NearPassage, RunResult, RunUsage, Status
from docmind.domain.documents import file_name
from docmind.domain.trace import Event
from docmind.skills.disputes import put
from docmind.skills.nearest import NO_RELIABLE_ANSWER
from docmind.workflows.citations import Source, citations, moved_place, numbered
from docmind.workflows.strategy.nodes import REPHRASE
from docmind.workflows.strategy.state import Attempt, Evidence, MASISState

_SHOWN = ("citations", "confidence_history", "retry_reasons", "retrieval", "compression_ratio", "node_latencies")
"""The metrics that explain the scores."""


def result_of(state: MASISState, *, run_id: str, usage: RunUsage) -> RunResult:
    """The answer with its passages numbered in the order they are cited: ids are for programs, numbers for people."""
    attempt = state.get("attempt")
    numbered = _Numbered(attempt) if attempt is not None else None
    return RunResult(
        run_id=run_id,
        workflow="strategy",
        status=_status(state, attempt),
        answer=numbered.text if numbered else "",
        citations=numbered.citations() if numbered else [],
        claims=numbered.claims() if numbered else [],
        confidence=_confidence(attempt) if attempt else 0.0,
        nearest=_nearest(state, attempt),
        clarification=_clarification(state, attempt),
        evaluation=_panel(state, attempt) if attempt else None,
        usage=usage,
        trace=[Event.model_validate(event) for event in state.get("trace") or []],
    )


def _confidence(attempt: Attempt) -> float:
    """That the answer is right: the critic says how well it is supported, a quoted draft how likely it answers."""
    drafted = attempt.get("draft_confidence")
    return attempt["confidence"] if drafted is None else round(min(attempt["confidence"], drafted), 4)


def _nearest(state: MASISState, attempt: Attempt | None) -> list[NearPassage]:
    """What is near the question, where the best draft claims nothing or there is none."""
    if attempt is not None and attempt["claims"]:
        return []
    return [NearPassage.model_validate(one) for one in state.get("nearest") or []]


def _status(state: MASISState, attempt: Attempt | None) -> Status:
    if state.get("requires_human_review") or attempt is None or attempt["disputes"]:
        return Status.NEEDS_CLARIFICATION
    undecided = any(settled["preferred"] is None for settled in state.get("settlements") or [])
    return Status.CAVEAT if attempt["critique"]["logical_gaps"] or undecided else Status.ANSWERED


def _clarification(state: MASISState, attempt: Attempt | None) -> Clarification | None:
    """What a person is asked: to help a run that has ended, or to choose for one that waits."""
    if question := state.get("clarification_question"):
        # Whoever is shown passages to read on need not be told to ask again.
        near = state.get("nearest") and question.startswith(REPHRASE)
        return Clarification(question=f"{NO_RELIABLE_ANSWER}{question.removeprefix(REPHRASE)}" if near else question)
    if attempt is None or not attempt["disputes"]:
        return None
    asked = put(attempt["disputes"][0])
    return Clarification(question=asked["question"], options=asked["options"])


def _panel(state: MASISState, attempt: Attempt) -> dict[str, Any]:
    """The scores, what held them down, and what they rest on."""
    metrics, critique = state["metrics"], attempt["critique"]
    return {
        **(attempt["evaluation"] or {}),
        "penalties": critique["penalties"],
        "logical_gaps": critique["logical_gaps"],
        "hallucination_detected": critique["hallucination_detected"],
        "disputes": attempt["disputes"],
        "settlements": state.get("settlements") or [],
        **{name: metrics[name] for name in _SHOWN if name in metrics},
    }


class _Numbered:
    """An answer that cites passages by number, with every place in it moved to where it stands then."""

    def __init__(self, attempt: Attempt) -> None:
        self._attempt = attempt
        self._evidence: dict[str, Evidence] = {one["passage_id"].lower(): one for one in attempt["evidence"]}
        self._numbers: dict[str, int] = {}
        self.text, self._moved = numbered(attempt["answer"], self._evidence, self._numbers)

    def claims(self) -> list[CheckedClaim]:
        return [
            CheckedClaim(
                text=claim["text"],
                start=moved_place(claim["start"], self._moved),
                end=moved_place(claim["end"], self._moved),
                kind=claim["kind"],
                status=claim["status"],
                citations=[str(self._numbers.get(target.lower(), target)) for target in claim["citations"]],
                confidence_score=claim["confidence_score"],
                quote=claim["quote"],
            )
            for claim in self._attempt["claims"]
        ]

    def citations(self) -> list[Citation]:
        evidence = {passage: self._evidence[passage] for passage in self._numbers}
        sources = {
            one["passage_id"]: Source(
                self._numbers[passage],
                one["document_id"],
                one["document_title"],
                file_name(one["source"]),
                one["page"],
            )
            for passage, one in evidence.items()
        }
        return citations(self._attempt["claims"], sources)
