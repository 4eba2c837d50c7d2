"""The state that flows through the docs workflow; its fields are a contract with those who build on it."""

from typing import Any, NotRequired, TypedDict

from docmind.workflows.sections import Section


class Verdict(TypedDict):
    """What the judge found."""

    is_hallucinated: bool
    should_return: bool
    reasoning: str
    claims: list[dict[str, Any]]
    confidence_score: float


class DocMindState(TypedDict):
    query: str
    decomposition: dict[str, Any] | None
    retrieved_sections: list[Section]
    generated_response: str | None
    judge_verdict: Verdict | None
    final_output: str | None
    retry_count: int
    node_history: list[str]
    refusal: NotRequired[str | None]
    """Why the draft does not answer, where it says so itself."""
    draft_confidence: NotRequired[float | None]
    """How likely the draft is right, where it is quoted from the documents."""
    caveat: NotRequired[str | None]
    """What the documents disagree on, where the answer rests on it."""
    useless: NotRequired[list[str]]
    """Passages of earlier attempts that had nothing to say of what was claimed, by id."""
    nearest: NotRequired[list[dict[str, Any]]]
    """Passages near the question, where no draft passed."""
    trace: NotRequired[list[dict[str, Any]]]


class DocMindUpdate(TypedDict, total=False):
    """What a node may change. LangGraph drops other keys silently, so they are a type error instead."""

    decomposition: dict[str, Any]
    retrieved_sections: list[Section]
    generated_response: str
    judge_verdict: Verdict
    final_output: str
    retry_count: int
    node_history: list[str]
    refusal: str | None
    draft_confidence: float | None
    caveat: str | None
    useless: list[str]
    nearest: list[dict[str, Any]]
    trace: list[dict[str, Any]]


def initial_state(query: str) -> DocMindState:
    return {
        "query": query,
        "decomposition": None,
        "retrieved_sections": [],
        "generated_response": None,
        "judge_verdict": None,
        "final_output": None,
        "retry_count": 0,
        "node_history": [],
    }
