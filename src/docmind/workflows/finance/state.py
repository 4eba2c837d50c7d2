"""The state that the three agents hand on; its fields are a contract with those who build on it."""

from typing import Any, NotRequired, TypedDict

from docmind.skills.finance.search.query import Gap, ProcessedQuery
from docmind.workflows.sections import Section


class RetrievedChunk(Section):
    """A passage that was retrieved."""

    ordinal: int
    """Its place among the passages of its document: parts of a table are told by following each other."""
    company: str | None
    facts: list[dict[str, Any]]
    """The figures in it that its document tags itself."""


class AnalysisResult(TypedDict):
    """What the analysis agent found."""

    primary_metric: str
    operation: str
    analysis: dict[str, Any]
    """Figures, calculations and quotes with their sources, as `skills.finance.analysis` writes them."""
    out_of_reach: str
    """Why nothing in the documents can answer, as a sentence; empty where they may."""
    findings: list[str]
    """What is wrong with it, a sentence each; with any, it is not told."""
    document_flaws: list[str]
    """What is wrong with the documents, to be told with the answer: a total that does not add up."""
    unread: str
    """What was asked besides and is not answered, in its own words."""


class AnswerResponse(TypedDict):
    """The answer as it goes out."""

    answer: str
    charts: dict[str, dict[str, Any]]
    """Chart.js configurations by the number of their place: `[CHART:1]`."""
    citations: list[dict[str, Any]]
    claims: list[dict[str, Any]]
    confidence: float
    notes: list[str]
    """What the reader must know besides, a sentence each."""
    refusal: str
    """Why there is no answer; empty where there is one."""


class FinanceState(TypedDict):
    current_query: str
    user_id: str
    session_id: str
    messages: list[dict[str, Any]]
    """The conversation, oldest first: what was said, and of questions how they were understood."""
    processed_query: ProcessedQuery | None
    retrieved_context: list[RetrievedChunk]
    analysis_results: AnalysisResult | None
    response: AnswerResponse | None
    retrieval_attempts: int
    self_heal_attempts: int
    retrieval_sufficient: bool
    response_valid: bool
    error: str | None
    gaps: NotRequired[list[Gap]]
    """What the passages lack; the next retrieval searches for exactly that."""
    reading_context: NotRequired[list[RetrievedChunk]]
    """The passages that are read where no figures answer."""
    explanation: NotRequired[str]
    """The text of the answer, before charts are put into it."""
    draft_confidence: NotRequired[float | None]
    """How likely that text is right, where it is quoted from prose; what figures tell is as sure as its claims."""
    chart_drafts: NotRequired[list[dict[str, Any]]]
    problems: NotRequired[list[str]]
    """What is wrong with the response, a sentence each."""
    nearest: NotRequired[list[dict[str, Any]]]
    """The passages that come nearest to an answer, where there is none."""
    trace: NotRequired[list[dict[str, Any]]]


class FinanceUpdate(TypedDict, total=False):
    """What a node may change. LangGraph drops other keys silently, so they are a type error instead."""

    user_id: str
    session_id: str
    messages: list[dict[str, Any]]
    processed_query: ProcessedQuery
    retrieved_context: list[RetrievedChunk]
    analysis_results: AnalysisResult
    response: AnswerResponse
    retrieval_attempts: int
    self_heal_attempts: int
    retrieval_sufficient: bool
    response_valid: bool
    error: str | None
    gaps: list[Gap]
    reading_context: list[RetrievedChunk]
    explanation: str
    draft_confidence: float | None
    chart_drafts: list[dict[str, Any]]
    problems: list[str]
    nearest: list[dict[str, Any]]
    trace: list[dict[str, Any]]


def initial_state(query: str, *, user_id: str = "", session_id: str = "") -> FinanceState:
    """What a conversation begins with, for who runs the graph as it is."""
    begun: Any = {**next_turn(query), "user_id": user_id, "session_id": session_id, "messages": []}
    state: FinanceState = begun
    return state


def next_turn(query: str) -> dict[str, Any]:
    """What a question changes in the state of a conversation: everything but who asks and what was said before."""
    return {
        "current_query": query,
        "processed_query": None,
        "retrieved_context": [],
        "analysis_results": None,
        "response": None,
        "retrieval_attempts": 0,
        "self_heal_attempts": 0,
        "retrieval_sufficient": False,
        "response_valid": False,
        "error": None,
        "gaps": [],
        "reading_context": [],
        "explanation": "",
        "draft_confidence": None,
        "chart_drafts": [],
        "problems": [],
        "nearest": [],
        "trace": [],
    }


def asked_of(state: FinanceState) -> ProcessedQuery:
    asked = state["processed_query"]
    if asked is None:
        raise AssertionError("The question is processed before anything else.")
    return asked


def result_in(state: FinanceState) -> AnalysisResult:
    result = state["analysis_results"]
    if result is None:
        raise AssertionError("The analysis runs before what tells it.")
    return result


def response_in(state: FinanceState) -> AnswerResponse:
    response = state["response"]
    if response is None:
        raise AssertionError("The synthesis runs before the check.")
    return response
