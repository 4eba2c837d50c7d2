"""What checking an answer yields: its claims, where they cite, and what became of each."""

from dataclasses import dataclass
from enum import StrEnum

from docmind.domain.documents import Passage, Span


class ClaimKind(StrEnum):
    """What a claim is chiefly about."""

    QUANTITATIVE = "quantitative"
    TEMPORAL = "temporal"
    OBLIGATION = "obligation"
    GENERAL = "general"


class Exemption(StrEnum):
    """Why a claim need not cite."""

    HEDGE = "hedge"
    """It says what the evidence lacks, which no passage can be cited for."""
    META = "meta"
    """It speaks of the answer itself: "Here are the steps:", "I hope this helps!"."""
    ROW = "row"
    """A table row, cited by the sentence that introduces its table."""


class ClaimStatus(StrEnum):
    """What the audit found of a claim."""

    SUPPORTED = "supported"
    UNCITED = "uncited"
    FABRICATED = "fabricated"
    """It cites what does not exist."""
    MISATTRIBUTED = "misattributed"
    """Another retrieved passage supports it, the cited one does not."""
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class ConflictSide:
    """One of two statements that cannot both be right, with its place."""

    passage: Passage
    span: Span
    """The value's characters, in the document."""
    quote: str
    """The sentence or table row that states it."""
    quote_span: Span
    """Where that stands, in the document."""
    value: str
    """The bare answer as written."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two passages that state something different of the same thing."""

    first: ConflictSide
    second: ConflictSide
    reason: str
    """Both, as a sentence."""
    probability: float = 1.0
    """That they cannot both be right."""


class CitationForm(StrEnum):
    """How a citation names what it cites."""

    ID = "id"
    """`[chunk id]`: a passage by its id."""
    NUMBER = "number"
    """`[3]`: a passage by its place, counted from 1."""
    DOC = "doc"
    """`[Doc 3]`: the same, with a label."""
    PAGE = "page"
    """`(See title, page 3)`: a page of a document."""


class CitationProblem(StrEnum):
    """Why a citation leads nowhere."""

    UNKNOWN_ID = "unknown_id"
    OUT_OF_RANGE = "out_of_range"
    UNKNOWN_TITLE = "unknown_title"
    AMBIGUOUS_TITLE = "ambiguous_title"
    NO_SUCH_PAGE = "no_such_page"
    PAGE_NOT_RETRIEVED = "page_not_retrieved"


@dataclass(frozen=True, slots=True)
class CitationMarker:
    """One thing cited in an answer; `[1, 3]` holds two, which share the span of their bracket."""

    form: CitationForm
    target: str
    """The id, the number or the title."""
    span: Span
    page: int | None = None


@dataclass(frozen=True, slots=True)
class ResolvedCitation:
    """Where a marker leads: its passages, each with document, page and exact span, or the problem with it."""

    marker: CitationMarker
    passages: tuple[Passage, ...] = ()
    """More than one where a page is cited that several passages were taken from."""
    problem: CitationProblem | None = None
    reason: str = ""
    """The problem, as a sentence."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of an answer that asserts something."""

    span: Span
    """Where it stands in the answer, its markers included."""
    text: str
    """What it says, without its markers."""
    kind: ClaimKind
    citations: tuple[CitationMarker, ...] = ()
    """Its own; an item or a row that has none is cited by what introduces it, and takes those."""
    exemption: Exemption | None = None
    lead: str = ""
    """What introduces the list or table it stands in, as far as it helps to understand it: `The fees are:`."""


@dataclass(frozen=True, slots=True)
class Quote:
    """The characters of a document that decide about a claim."""

    passage: Passage
    span: Span
    """In the document's text."""
    text: str


@dataclass(frozen=True, slots=True)
class Grounding:
    """What a set of passages says of a claim."""

    status: ClaimStatus
    """Supported, unsupported or contradicted."""
    probability: float
    """That the passages support the claim, 0 to 1."""
    quotes: tuple[Quote, ...] = ()
    """The sentences that decide, the one that says most first."""
    unsupported: tuple[Span, ...] = ()
    """The words of the claim that nothing holds, in the claim's text."""
    computed: tuple[str, ...] = ()
    """The formulas its numbers were confirmed by."""
    certain: bool = False
    """Whether code decided it: the claim stands there word for word, or a figure of it stands nowhere."""
    needed: float = 0.5
    """The probability above which it is taken as supported."""


@dataclass(frozen=True, slots=True)
class AuditedClaim:
    """A claim with what became of it."""

    claim: Claim
    status: ClaimStatus
    reason: str
    """The status, as a sentence."""
    grounding: Grounding
    """What its evidence says of it: the cited passages, or all of them where it cites none."""
    citations: tuple[ResolvedCitation, ...] = ()
    found_in: tuple[Passage, ...] = ()
    """Where the support was found that the cited passages do not give."""
    unsupported: tuple[Span, ...] = ()
    """The words that nothing holds, in the answer."""


@dataclass(frozen=True, slots=True)
class Audit:
    """An answer, checked claim by claim."""

    claims: tuple[AuditedClaim, ...]
    confidence: float
    """That nothing in the answer is wrong, 0 to 1."""

    def with_status(self, *statuses: ClaimStatus) -> tuple[AuditedClaim, ...]:
        return tuple(claim for claim in self.claims if claim.status in statuses)

    @property
    def invalid_citations(self) -> tuple[ResolvedCitation, ...]:
        """Those that lead nowhere, each once."""
        return tuple(dict.fromkeys(cited for claim in self.claims for cited in claim.citations if cited.problem))
