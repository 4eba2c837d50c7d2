"""What a run or the check of a text gives back, in one form for Python, the command line's `--json` and the service."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, computed_field

from docmind.domain.confidence import UNSURE, told
from docmind.domain.trace import Event, notices


class MessageKind(StrEnum):
    QUESTION = "question"
    """Asks something of the documents: a workflow answers it."""
    GREETING = "greeting"
    THANKS = "thanks"
    PARTING = "parting"
    ABOUT_ASSISTANT = "about_assistant"
    """Asks what DocMind is and does."""
    ABOUT_COLLECTION = "about_collection"
    """Asks which documents there are."""
    SUMMARISE = "summarise"
    """Asks for the main points of one document."""
    SUMMARISE_ALL = "summarise_all"
    """Asks for a few words about every document."""
    SUMMARISE_CONVERSATION = "summarise_conversation"
    """Asks what was said in the conversation so far."""


COURTESIES = frozenset((MessageKind.GREETING, MessageKind.THANKS, MessageKind.PARTING, MessageKind.ABOUT_ASSISTANT))
"""What nobody goes on from."""


class Status(StrEnum):
    """How a run ended."""

    ANSWERED = "answered"
    CAVEAT = "caveat"
    """Answered, with something the reader must know: a weak spot, or a check that could not be made."""
    NEEDS_CLARIFICATION = "needs_clarification"
    REFUSED = "refused"
    """The documents do not answer the question, no draft passed the checks, or the answer is not sure enough."""
    FAILED = "failed"


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class Citation(_Frozen):
    """Where a part of the answer stands in a document, down to the characters."""

    marker: Annotated[str, Field(description="How the answer cites it.", examples=["[1]"])]
    document: Annotated[str, Field(description="The document's id.")]
    title: str
    # Runs that were recorded before citations had it are still read.
    source: Annotated[str, Field(description="The file's name.", examples=["minutes.md"])] = ""
    page: int | None
    start: Annotated[int, Field(description="First character of the quote in the document's text.")]
    end: int
    quote: str
    cell: Annotated[str | None, Field(description="Row and column, where it is a cell of a table.")] = None
    support: Annotated[float, Field(description="Probability that it supports what cites it.", ge=0, le=1)]


class CheckedClaim(_Frozen):
    """A claim of the answer and what became of it."""

    text: str
    start: Annotated[int, Field(description="First character of the claim in the answer.")]
    end: int
    kind: str
    status: str
    citations: list[str]
    confidence_score: Annotated[float, Field(ge=0, le=1)]
    quote: Annotated[str | None, Field(description="The words of the evidence that decide.")] = None


class Clarification(_Frozen):
    """What a person is asked before the run goes on."""

    question: str
    options: list[str] = []


class NearPassage(_Frozen):
    """A passage near a question that was not answered: something to read on, and no source of any answer."""

    document: Annotated[str, Field(description="The document's id.")]
    title: str
    source: Annotated[str, Field(description="The file's name.", examples=["minutes.md"])]
    page: int | None
    heading: Annotated[list[str], Field(description="The headings it stands under, the outermost first.")] = []
    start: Annotated[int, Field(description="First character of the excerpt in the document's text.")]
    end: int
    excerpt: Annotated[
        str, Field(description="Its words as one line, with an ellipsis where it was cut.", max_length=300)
    ]


class Withheld(_Frozen):
    """An answer that is not given, because it is less likely right than was asked for."""

    answer: str
    confidence: Annotated[float, Field(description="Probability that it is right.", ge=0, le=1)]
    citations: list[Citation] = []
    claims: list[CheckedClaim] = []
    charts: list[dict[str, Any]] = []
    evaluation: dict[str, Any] | None = None


class RunUsage(_Frozen):
    """What a run took."""

    model_calls: int = 0
    tokens: Annotated[int, Field(description="Read and written by chat models.")] = 0
    input_tokens: Annotated[int, Field(description="Those that were read.")] = 0
    output_tokens: Annotated[int, Field(description="Those that were written.")] = 0
    cost: Annotated[float | None, Field(description="At the prices that are set; null where one is not.")] = 0.0
    seconds: float = 0.0


class RunBounds(_Frozen):
    """The most that a run could take, known before it began."""

    model_config = ConfigDict(frozen=True, from_attributes=True)

    steps: int
    model_calls: int
    input_tokens: int
    output_tokens: int
    cost: Annotated[float | None, Field(description="At the prices that are set; null where one is not.")]


class RunResult(_Frozen):
    """One answer with everything it rests on."""

    run_id: str
    workflow: str
    status: Status
    answer: str
    message_kind: Annotated[
        MessageKind, Field(description="What the message was taken for; only questions have a confidence.")
    ] = MessageKind.QUESTION
    citations: list[Citation] = []
    claims: list[CheckedClaim] = []
    confidence: Annotated[float, Field(description="Probability that the answer is right.", ge=0, le=1)] = 0.0
    unsure: Annotated[
        bool, Field(description="Whether it is less likely right than was asked for, and given all the same.")
    ] = False
    withheld: Annotated[Withheld | None, Field(description="The answer that was not sure enough to be given.")] = None
    nearest: Annotated[
        list[NearPassage], Field(description="Where nothing is answered, up to three passages near the question.")
    ] = []
    clarification: Clarification | None = None
    charts: list[dict[str, Any]] = []
    actions: list[dict[str, Any]] = []
    evaluation: dict[str, Any] | None = None
    usage: RunUsage = RunUsage()
    bounds: Annotated[RunBounds | None, Field(description="The most that it could take; null in old records.")] = None
    trace: list[Event] = []

    @computed_field(  # type: ignore[prop-decorator]
        description="What failed on the way, such as a model that was away, and what was done instead; each once."
    )
    @property
    def notices(self) -> list[str]:
        return notices(self.trace)

    @computed_field(  # type: ignore[prop-decorator]
        description="The confidence as people are told it; null where nothing is answered or claimed.",
        examples=["likely right, 82%"],
    )
    @property
    def confidence_in_words(self) -> str | None:
        if self.message_kind is not MessageKind.QUESTION:
            return None
        # Whatever a person decides next decides what the answer is, so that nothing can be said of it yet.
        if not self.claims or self.clarification is not None or self.status not in (Status.ANSWERED, Status.CAVEAT):
            return None
        return told(self.confidence, words=UNSURE if self.unsure else "")


class Finding(StrEnum):
    """What the documents say of a sentence."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_FOUND = "not_found"
    """No document says so, and none says otherwise."""


class TextClaim(_Frozen):
    """A sentence of the text that asserts something, and the words of a document that decide about it."""

    text: Annotated[str, Field(description="The sentence as it stands in the text, from `start` to before `end`.")]
    start: Annotated[int, Field(description="Its first character in the text.")]
    end: int
    status: Finding
    probability: Annotated[float, Field(description="Probability that the documents support it.", ge=0, le=1)]
    quote: Annotated[str | None, Field(description="The words of a document that decide; null if none speaks of it.")]
    document: Annotated[str | None, Field(description="That document's id.")]
    title: str | None
    source: Annotated[str | None, Field(description="The file's name.", examples=["minutes.md"])]
    page: int | None
    quote_start: Annotated[int | None, Field(description="First character of the quote in the document's text.")]
    quote_end: int | None


class TextCheck(_Frozen):
    """A text, checked sentence by sentence."""

    claims: Annotated[list[TextClaim], Field(description="In the order of the text.")]

    def count(self, status: Finding) -> int:
        return sum(claim.status is status for claim in self.claims)
