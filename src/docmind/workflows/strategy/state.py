"""The state of the strategy workflow, a shared whiteboard; its fields are a contract with those who build on it."""

from dataclasses import replace
from typing import Annotated, Any, NotRequired, TypedDict

from pydantic import BaseModel, ConfigDict, Field

from docmind.domain.scope import Scope
from docmind.domain.search import Hit
from docmind.skills.critique import Critique
from docmind.skills.disputes import Dispute, Settlement
from docmind.skills.evaluate import Evaluation
from docmind.workflows.sections import Section, hit_of, section_of
from docmind.workflows.services import Services


class Evidence(Section):
    """A passage that bears on the question."""

    score: float
    """How likely it does, which is what the thresholds look at."""
    company: str | None


class Attempt(TypedDict):
    """A draft that was judged, with all that is needed to show it."""

    answer: str
    confidence: float
    """The critic's, which the supervisor decides by."""
    draft_confidence: NotRequired[float | None]
    """How likely the draft is right, where it is quoted from the documents."""
    critique: Critique
    claims: list[dict[str, Any]]
    disputes: list[Dispute]
    evidence: list[Evidence]
    evaluation: Evaluation | None
    only_quotes: NotRequired[bool]
    """Whether code is certain that every claim is borne out."""


class MASISState(TypedDict):
    user_query: str
    workspace_id: str | None
    """The workspace that is searched; none where the run's own is."""
    max_retries: int | None
    """None leaves it to the settings."""
    evidence: list[Evidence]
    draft_answer: str | None
    final_answer: str | None
    critique: Critique | None
    confidence: float
    retry_count: int
    requires_human_review: bool
    clarification_question: str | None
    trace: list[dict[str, Any]]
    metrics: dict[str, Any]
    draft_confidence: NotRequired[float | None]
    """How likely the draft is right, where it is quoted from the documents."""
    sub_questions: NotRequired[list[str]]
    attempt: NotRequired[Attempt | None]
    """The draft that was judged last; once a person is asked to help, the best one."""
    best: NotRequired[Attempt | None]
    """The draft with the highest confidence."""
    settlements: NotRequired[list[Settlement]]
    """What a person decided where sources disagree."""
    nearest: NotRequired[list[dict[str, Any]]]
    """Passages near the question, where nothing is answered."""


class MASISUpdate(TypedDict, total=False):
    """What a node may change. LangGraph drops other keys silently, so they are a type error instead."""

    evidence: list[Evidence]
    draft_answer: str
    draft_confidence: float | None
    final_answer: str
    critique: Critique
    confidence: float
    retry_count: int
    requires_human_review: bool
    clarification_question: str
    trace: list[dict[str, Any]]
    metrics: dict[str, Any]
    sub_questions: list[str]
    attempt: Attempt | None
    best: Attempt | None
    settlements: list[Settlement]
    nearest: list[dict[str, Any]]


class MASISInput(BaseModel):
    """A strategic question as it comes in, checked; the graph sees only what `to_state` makes of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    user_query: Annotated[str, Field(min_length=1)]
    workspace_id: str | None = None
    max_retries: Annotated[int, Field(ge=0)] | None = None

    def to_state(self) -> MASISState:
        return {
            "user_query": self.user_query,
            "workspace_id": self.workspace_id,
            "max_retries": self.max_retries,
            "evidence": [],
            "draft_answer": None,
            "final_answer": None,
            "critique": None,
            "confidence": 0.0,
            "retry_count": 0,
            "requires_human_review": False,
            "clarification_question": None,
            "trace": [],
            "metrics": {},
        }


def evidence_of(hit: Hit, score: float) -> Evidence:
    """The hit with how likely it bears on the question."""
    return {
        **section_of(hit),
        "score": score,
        "company": hit.document.metadata.company,
    }


def hits_of(evidence: list[Evidence], scope: Scope) -> list[Hit]:
    """The hits that evidence was made of, as far as answering and checking need them."""
    return [_with_company(hit_of(one, scope), one["company"]) for one in evidence]


def _with_company(hit: Hit, company: str | None) -> Hit:
    document = replace(hit.document, metadata=replace(hit.document.metadata, company=company))
    return replace(hit, document=document)


def noted(state: MASISState, event: dict[str, Any], **metrics: Any) -> MASISUpdate:
    """The trace with the event, and the metrics with these and the time the node took."""
    before = state.get("metrics") or {}
    latencies = before.get("node_latencies") or {}
    taken = {**latencies, event["node"]: [*latencies.get(event["node"], []), event["seconds"]]}
    return {
        "trace": [*(state.get("trace") or []), event],
        "metrics": {**before, **metrics, "node_latencies": taken},
    }


def scope_of(state: MASISState, services: Services) -> Scope:
    """The workspace the state names, seen by the user of the run."""
    workspace = state.get("workspace_id")
    return services.scope if workspace is None else Scope(workspace, services.scope.user)


def hits_in(state: MASISState, services: Services) -> list[Hit]:
    """The hits that the evidence was made of, as far as answering and checking need them."""
    return hits_of(state["evidence"], scope_of(state, services))
