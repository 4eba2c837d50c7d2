"""The laws of the audit, whatever the documents and the answer are."""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docmind.domain.documents import Document, Metadata, Passage, Span
from docmind.domain.scope import Scope
from docmind.domain.verdicts import Audit, CitationProblem, ClaimStatus
from docmind.models.reader import Reader
from docmind.quality.audit import audit
from docmind.quality.grounding import Grounder
from docmind.quality.markdown import UnitKind
from docmind.quality.sentences import split

GROUNDER = Grounder(Reader())
_MARKER = re.compile(r"\[[0-9]\]")

PROSE = (
    "Net sales rose 12.4% to $4.2 million in the quarter ended June 30, 2023.",
    "Dr. Weber joined the board of Acme Inc. in May 2021.",
    'The auditor wrote: "No material weakness was found."',
    "“We will not pay a dividend this year,” the chairman said.",
    "Costs, e.g. for freight, fell by approx. 3.5 percentage points.",
    "The U.S. segment employs 1,204 people, i.e. 40% of all staff.",
    "See Sec. 4.2 of the manual before you open valve No. 7.",
    "Employees must report incidents within 24 hours to the safety officer.",
    "The committee did not approve the plan; it asked for a new one by 15 March.",
    "Free cash flow was −$1.1 billion, compared with $0.3 billion a year earlier.",
    "Is the pump primed, it starts at 2.5 bar.",
    "Operating profit (before one-off items) came to €86m.",
    "Version 2.0.1 fixes the leak that J. P. Morgan's engineers reported at 9:30 a.m. on Monday.",
    "The lease of the Leeds site ends on 31 Dec. 2027 unless renewed.",
    "A **refund** is paid within 14 days if the product is returned *unused*.",
    "`docmind serve` listens on port 8080.",
    "Our vision is simple: fewer, better products!",
    "Über 30 Länder beliefert die Zürich-Gruppe.",
    "取締役会は計画を承認した。",
    "The minimum is 3, the maximum 5.",
)
ITEMS = (
    "Switch off the main supply.",
    "Wait 10 minutes",
    "Remove the cover (4 screws, M6)",
    "Fees: $5 for members, $8 for guests",
    "Check that the pressure is below 1.5 bar; otherwise call service.",
    "Board approval is required above $250,000",
)
ROWS = (
    "Net sales | 2023: 117,154 | 2022: 123,945",
    "Cost of goods sold | 2023: (66,822) | 2022: (69,702)",
    "Gross margin (%) | 2023: 43.0 | 2022: 43.8",
    "Leeds | Employees: 412 | Opened: 1998",
    "Warranty | Term: 24 months | Cost: none",
)


def _paragraph(sentences: Sequence[str]) -> str:
    return " ".join(sentences)


def _wrapped(sentences: Sequence[str]) -> str:
    """Lines of some 60 characters, as they come out of a PDF."""
    lines = [""]
    for word in " ".join(sentences).split(" "):
        if len(lines[-1]) + len(word) > 60:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)


def _bullets(items: Sequence[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _numbered(items: Sequence[str]) -> str:
    return "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))


def _under_a_heading(sentences: Sequence[str]) -> str:
    return "## What was decided\n\n" + " ".join(sentences)


def _some(texts: Sequence[str], layout: Callable[[Sequence[str]], str]) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(texts), min_size=1, max_size=4, unique=True).map(layout)


BLOCKS = st.one_of(
    _some(PROSE, _paragraph),
    _some(PROSE, _wrapped),
    _some(PROSE, _under_a_heading),
    _some(ITEMS, _bullets),
    _some(ITEMS, _numbered),
    _some(ROWS, "\n".join),
)


@dataclass(frozen=True)
class Library:
    """Passages with the documents that they were cut from."""

    passages: tuple[Passage, ...]
    documents: tuple[Document, ...]
    texts: dict[str, str]


def _library(blocks: Sequence[str]) -> Library:
    """Two documents, whose passages lie somewhere in the middle and each on a page of its own."""
    texts = {"d1": "Front matter.\n\n", "d2": "Another cover\n\n"}
    passages = []
    for number, block in enumerate(blocks):
        document = f"d{1 + number % 2}"
        start = len(texts[document])
        texts[document] += f"{block}\n\n"
        kind = "table" if block.startswith(ROWS) else "text"
        span = Span(start, start + len(block))
        passages.append(Passage(f"chunk_{number:03d}", document, number, span, block, page=number + 1, kind=kind))
    return Library(tuple(passages), tuple(_document(key, len(blocks)) for key in texts), texts)


def _document(key: str, pages: int) -> Document:
    titles = {"d1": "Annual Report 2023", "d2": "Pump manual (rev. 2)"}
    return Document(
        id=key, scope=Scope("default"), source=f"{key}.pdf", name=f"{key}.pdf", content_hash="", media_type="",
        metadata=Metadata(title=titles[key]), pages=pages, characters=0, passages=0, ingested_at="",
    )  # fmt: skip


LIBRARIES = st.lists(BLOCKS, min_size=1, max_size=5).map(_library)
FORMS = ("[{number}]", "[Doc {number}]", "[{id}]", "(See {title}, page {page})")


def _cite(form: str, library: Library, number: int) -> str:
    passage = library.passages[number]
    title = next(document.title for document in library.documents if document.id == passage.document_id)
    return form.format(number=number + 1, id=passage.id, title=title, page=passage.page)


def _after(sentence: str, marker: str) -> str:
    return f"{sentence} {marker}"


def _glued(sentence: str, marker: str) -> str:
    return f"{sentence}{marker}"


def _before_the_full_stop(sentence: str, marker: str) -> str:
    return f"{sentence[:-1]} {marker}." if sentence.endswith(".") else f"{sentence} {marker}"


@st.composite
def extractive_answers(draw: st.DrawFn) -> tuple[Library, str, list[tuple[Passage, str]]]:
    """Sentences of passages, each on one line and with a correct citation, as paragraphs, lines or items."""
    library = draw(LIBRARIES)
    quotable = [
        (number, " ".join(sentence.text.split()))
        for number, passage in enumerate(library.passages)
        for sentence in split(passage.text)
        if sentence.kind is not UnitKind.HEADING
    ]
    chosen = draw(st.lists(st.sampled_from(quotable), min_size=1, max_size=5))
    form = draw(st.sampled_from(FORMS))
    place = draw(st.sampled_from((_after, _glued, _before_the_full_stop)))
    # Only what ends like a sentence can stand in a paragraph, and a row stands alone.
    prose = all(text.rstrip('"”').endswith((".", "!", "。")) for _, text in chosen)
    joint = draw(st.sampled_from(("\n\n", "\n- ", " "))) if prose else "\n\n"
    answer = joint.join(place(text, _cite(form, library, number)) for number, text in chosen)
    answer = f"- {answer}" if joint == "\n- " else answer
    return library, answer, [(library.passages[number], text) for number, text in chosen]


def _audit(answer: str, library: Library) -> Audit:
    return audit(answer, library.passages, GROUNDER, documents=library.documents)


@given(extractive_answers())
def test_an_answer_of_verbatim_correctly_cited_sentences_is_fully_supported(
    case: tuple[Library, str, list[tuple[Passage, str]]],
) -> None:
    library, answer, chosen = case
    audited = _audit(answer, library)
    assert audited.claims
    assert {one.status for one in audited.claims} == {ClaimStatus.SUPPORTED}, answer
    assert not audited.invalid_citations
    quotes = [quote for one in audited.claims for quote in one.grounding.quotes]
    assert quotes
    for quote in quotes:
        assert quote.span.of(library.texts[quote.passage.document_id]) == quote.text
    assert {" ".join(quote.text.split()) for quote in quotes} <= {text for _, text in chosen}
    assert audited.confidence > 0.9


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ("[{n}]", CitationProblem.OUT_OF_RANGE),
        ("[Doc {n}]", CitationProblem.OUT_OF_RANGE),
        ("[chunk_{n:03d}]", CitationProblem.UNKNOWN_ID),
        ("(See Annual Report 2023, page {n})", CitationProblem.NO_SUCH_PAGE),
        ("(See Quarterly Letter, page 1)", CitationProblem.UNKNOWN_TITLE),
    ],
)
@settings(max_examples=12)
@given(library=LIBRARIES, beyond=st.integers(1, 900), choice=st.randoms(use_true_random=False))
def test_citing_a_passage_that_was_not_retrieved_is_fabricated(
    form: str, problem: CitationProblem, library: Library, beyond: int, choice: random.Random
) -> None:
    sentence = choice.choice(PROSE)
    missing = form.format(n=len(library.passages) + beyond)
    for answer in (f"{sentence} {missing}", f"{sentence} [1]{missing}"):
        (one,) = _audit(answer, library).claims
        assert one.status is ClaimStatus.FABRICATED
        assert one.reason
        assert problem in {cited.problem for cited in one.citations}


def test_a_page_of_a_known_document_that_was_not_retrieved_is_fabricated() -> None:
    library = _library([PROSE[0], PROSE[1], PROSE[7]])
    (one,) = _audit(f"{PROSE[1]} (See Annual Report 2023, page 2)", library).claims
    assert one.status is ClaimStatus.FABRICATED
    assert [cited.problem for cited in one.citations] == [CitationProblem.PAGE_NOT_RETRIEVED]


CLAIMS = (
    *PROSE,
    *ROWS,
    "Sales grew 12.4% in the second quarter of 2023.",
    "Net sales fell 12.4% to $4.2 million.",
    "Dr. Weber joined Acme in June 2021.",
    "The chairman said that a dividend will be paid this year.",
    "Staff have to report incidents within a day, and the Leeds site opened in 1998.",
    "Net sales were $117,154 in 2022.",
    "The moon landing was watched by 600 million people.",
)


@settings(max_examples=15)
@given(
    library=LIBRARIES,
    chosen=st.lists(st.tuples(st.sampled_from(CLAIMS), st.integers(0, 99)), min_size=1, max_size=5),
    choice=st.randoms(use_true_random=False),
)
def test_reordering_the_passages_changes_nothing_but_their_numbers(
    library: Library, chosen: list[tuple[str, int]], choice: random.Random
) -> None:
    cited = [(text, library.passages[number % len(library.passages)]) for text, number in chosen]
    shuffled = list(library.passages)
    choice.shuffle(shuffled)

    def verdicts(passages: Sequence[Passage]) -> list[object]:
        answer = "\n\n".join(f"{text} [{passages.index(passage) + 1}]" for text, passage in cited)
        audited = audit(answer, passages, GROUNDER, documents=library.documents)
        found: list[object] = [
            (one.status, one.reason, one.grounding, one.found_in, [s.of(answer) for s in one.unsupported])
            for one in audited.claims
        ]
        return [*found, audited.confidence]

    assert verdicts(library.passages) == verdicts(shuffled)


@settings(max_examples=15)
@given(
    library=LIBRARIES,
    chosen=st.lists(st.tuples(st.sampled_from(CLAIMS), st.integers(1, 9)), min_size=1, max_size=5),
    joint=st.sampled_from(("\n\n", "\n- ", " ")),
)
def test_the_unsupported_words_of_a_claim_are_marked_in_the_answer(
    library: Library, chosen: list[tuple[str, int]], joint: str
) -> None:
    answer = "Findings:\n\n" + joint.join(f"**{text[:9]}**{text[9:]} [{number}]" for text, number in chosen)
    for one in _audit(answer, library).claims:
        assert len(one.unsupported) == len(one.grounding.unsupported)
        for span, missing in zip(one.unsupported, one.grounding.unsupported, strict=True):
            assert one.claim.span.start <= span.start < span.end <= one.claim.span.end
            assert _bare(span.of(answer)) == _bare(missing.of(one.claim.text))


def _bare(text: str) -> str:
    """Without what an answer has beside the words of its claims: white space and markers."""
    return "".join(_MARKER.sub("", text).split())


PASSAGES = (
    Passage("p1", "d1", 0, Span(10, 51), "The Ohio plant opened in May and makes pumps."),
    Passage("p2", "d1", 1, Span(60, 99), "Acme Ltd. has its head office in Zurich."),
)


def test_the_words_that_were_added_are_named_and_no_others() -> None:
    answer = "The Ohio plant [1] opened in May, and the mayor of Cleveland cut a golden ribbon. [1]"
    (one,) = audit(answer, PASSAGES, GROUNDER).claims
    assert one.status is ClaimStatus.UNSUPPORTED
    added = answer.index("the mayor")
    assert one.unsupported
    assert all(span.start >= added for span in one.unsupported)


def test_support_that_is_found_elsewhere_is_named() -> None:
    (one,) = audit("Acme's head office is in Zurich [1].", PASSAGES, GROUNDER).claims
    assert one.status is ClaimStatus.MISATTRIBUTED
    assert one.found_in == PASSAGES[1:]


def test_an_uncited_claim_is_grounded_in_everything_that_was_retrieved() -> None:
    (one,) = audit("Acme's head office is in Zurich.", PASSAGES, GROUNDER).claims
    assert one.status is ClaimStatus.UNCITED
    assert one.grounding.status is ClaimStatus.SUPPORTED
    assert one.grounding.quotes[0].passage == PASSAGES[1]


def test_the_rows_of_a_table_rest_on_the_citation_of_what_introduces_it() -> None:
    passage = Passage("p1", "d1", 0, Span(0, 84), "\n".join(ROWS[:2]), kind="table")
    answer = "Sales and costs were [1]:\n\n| Item | 2023 |\n|---|---|\n| Net sales | 117,154 |\n| Net sales | 117,155 |"
    rows = [one for one in audit(answer, [passage], GROUNDER).claims if "Net sales" in one.claim.text]
    assert [one.status is ClaimStatus.SUPPORTED for one in rows] == [True, False]


def test_what_asserts_nothing_is_not_asked_for_evidence() -> None:
    answer = "Here is what I found:\n\nThe documents do not say when the Zurich office opened."
    claims = audit(answer, PASSAGES, GROUNDER).claims
    assert {one.status for one in claims} == {ClaimStatus.SUPPORTED}


@pytest.mark.parametrize("answer", ["", " \n", "# Title", "Why?", "[1]"])
def test_an_answer_that_claims_nothing_cannot_be_wrong(answer: str) -> None:
    audited = audit(answer, PASSAGES, GROUNDER)
    assert audited.claims == ()
    assert audited.confidence == 1.0


def test_without_passages_nothing_is_supported() -> None:
    audited = audit("Revenue rose. Costs fell [1].", [], GROUNDER)
    assert [one.status for one in audited.claims] == [ClaimStatus.UNCITED, ClaimStatus.FABRICATED]
    assert audited.confidence < 0.1
