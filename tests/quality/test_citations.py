"""Brackets that cite are found and followed; the others are left alone."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.documents import Document, Metadata, Passage, Span
from docmind.domain.scope import Scope
from docmind.domain.verdicts import CitationForm, CitationMarker, CitationProblem
from docmind.quality.citations import find, resolve

A = "3f2b8c1e-9d4a-5b6c-8e7f-0a1b2c3d4e5f"
B = "b0c1d2e3-f4a5-5678-9abc-def012345678"


def cited(text: str) -> list[str]:
    return [f"{m.form}:{m.target}" + (f"@{m.page}" if m.page else "") for m in find(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"Sales rose [{A}].", [f"id:{A}"]),
        (f"Sales rose [{A}, {B}].", [f"id:{A}", f"id:{B}"]),
        (f"Sales rose [{A.upper()}; {B}].", [f"id:{A.upper()}", f"id:{B}"]),
        ("[chunk_12] [doc-3] [c7]", ["id:chunk_12", "id:doc-3", "id:c7"]),
        ("[10k_2023:14] [a1b2c3d4e5]", ["id:10k_2023:14", "id:a1b2c3d4e5"]),
        ("Sales rose [3].", ["number:3"]),
        ("Sales rose[3][4] and [1, 3].", ["number:3", "number:4", "number:1", "number:3"]),
        ("Sales rose [1-3, 5] [7–8].", ["number:1", "number:2", "number:3", "number:5", "number:7", "number:8"]),
        ("Sales rose [1, 2, and 3].", ["number:1", "number:2", "number:3"]),
        ("Sales rose (from passage 4) (as stated in Doc 5).", ["doc:4", "doc:5"]),
        ("Sales rose [1 and 2] [3 & 4].", ["number:1", "number:2", "number:3", "number:4"]),
        ("Sales rose [1-999].", ["number:1", "number:999"]),
        ("Sales rose [Doc 2] [doc 3, Doc 4] [Docs 5, 6].", ["doc:2", "doc:3", "doc:4", "doc:5", "doc:6"]),
        ("Sales rose (Passage 2) (ref: passage 1) [Source 3].", ["doc:2", "doc:1", "doc:3"]),
        ("It grew (See Annual Report, page 4).", ["page:Annual Report@4"]),
        ("It grew (see “Report (2023), B”, pp. 4-5).", ["page:Report (2023), B@4", "page:Report (2023), B@5"]),
        ("It grew (See A Report, p. 4; B Report, p.5).", ["page:A Report@4", "page:B Report@5"]),
        ("It grew [3](See Annual Report, page 4).", ["number:3", "page:Annual Report@4"]),
        ("Standing alone [0] miscounts.", ["number:0"]),
    ],
)  # fmt: skip
def test_the_four_forms_are_found(text: str, found: list[str]) -> None:
    assert cited(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "He said it was there [sic].",
        "It fell [emphasis added].",
        "The [COVID-19] wave, [Q4] and [SARS-CoV-2], at [10:30pm].",
        "In [2023] and [2019-2023].",
        "A [link](https://example.com/1), [3](#note) and ![7](chart.png).",
        "A [reference link][1].",
        "[1]: https://example.com",
        "Values in [0, 1] and [1.5, 2] and arr[0].",
        "As shown in [CHART:1] and [Table:2].",
        "Task [x] and [ ] and [].",
        "`rows[3]` and ``x [2]`` are code.",
        "```\nx = rows[3]\n```",
        r"An escaped \[3].",
        "(see Figure 3) (see below) (See Note 5, above)",
        "(5°C) (2 hours) (2023) (1)",
        "[chunk_1, see also] [1, x]",
        "[1, [2",
        "[1,\n\n2]",
    ],
)
def test_other_brackets_are_ignored(text: str) -> None:
    assert cited(text) == []


_ids = st.uuids().map(str)
_numbers = st.integers(1, 999).map(str)
_titles = st.lists(st.sampled_from(["Annual", "Report", "2023", "Q4", "of", "Acme,", "Inc."]), min_size=1, max_size=5)
_titles_with_words = _titles.map(" ".join).filter(lambda title: title.strip(" ,.") == title)
_marker = st.one_of(
    st.lists(_ids, min_size=1, max_size=3).map(lambda ids: ("[" + ", ".join(ids) + "]", [f"id:{i}" for i in ids])),
    st.lists(_numbers, min_size=1, max_size=3).map(lambda ns: ("[" + ", ".join(ns) + "]", [f"number:{n}" for n in ns])),
    _numbers.map(lambda n: (f"[Doc {n}]", [f"doc:{n}"])),
    st.builds(lambda title, n: (f"(See {title}, page {n})", [f"page:{title}@{n}"]), _titles_with_words, _numbers),
)
_words = st.sampled_from(
    ["Sales rose", "by 5.2%.", "[sic]", "(about 4)", "a | b", "- item", "Dr. Weber", "\n\n", "x[0]"]
)


@given(st.lists(st.one_of(_words.map(lambda word: (word, [])), _marker), max_size=20))
def test_the_markers_found_are_those_put_in(parts: list[tuple[str, list[str]]]) -> None:
    assert cited(" ".join(text for text, _ in parts)) == [target for _, targets in parts for target in targets]


@given(st.text(alphabet="[]()0123456789,;-` \nSeepage.Doc_#:abcé|", max_size=120))
def test_a_marker_is_a_whole_bracket_whatever_the_text(text: str) -> None:
    for marker in find(text):
        assert marker.span.of(text)[0] + marker.span.of(text)[-1] in ("[]", "()")


def document(number: int, title: str | None, name: str = "", pages: int | None = 9) -> Document:
    return Document(
        id=str(UUID(int=number)), scope=Scope("default"), source=f"/{number}", name=name or f"{number}.pdf",
        content_hash="", media_type="application/pdf", metadata=Metadata(title=title), pages=pages, characters=100,
        passages=1, ingested_at="",
    )  # fmt: skip


def passage(document_number: int, page: int | None, start: int = 0) -> Passage:
    identity = str(UUID(int=document_number * 1000 + (page or 0) * 100 + start))
    return Passage(identity, str(UUID(int=document_number)), 0, Span(start, start + 5), "Sales", page=page)


DOCUMENTS = [
    document(1, "Annual Report, 2023"),
    document(2, None, "board/Minutes May.pdf"),
    document(3, "Notes", pages=None),
    document(4, "Twice"),
    document(5, "TWICE!"),
]
PASSAGES = [passage(1, 4), passage(1, 4, 50), passage(2, 1), passage(3, None), passage(4, 2), passage(5, 2)]


def followed(text: str) -> list[tuple[Passage, ...] | CitationProblem | None]:
    return [found.passages or found.problem for found in resolve(find(text), PASSAGES, DOCUMENTS)]


def test_an_id_leads_to_its_passage_whatever_its_case() -> None:
    assert followed(f"[{PASSAGES[1].id.upper()}]") == [(PASSAGES[1],)]


def test_a_number_leads_to_the_passage_at_its_place() -> None:
    assert followed("[1] [Doc 3] [Doc4]") == [(PASSAGES[0],), (PASSAGES[2],), (PASSAGES[3],)]


def test_a_page_leads_to_every_passage_taken_from_it() -> None:
    assert followed("(See annual report 2023, page 4)") == [(PASSAGES[0], PASSAGES[1])]


@pytest.mark.parametrize("title", ["Minutes May", "minutes-may.pdf".removesuffix(".pdf"), "board/Minutes May.pdf"])
def test_a_document_without_a_title_is_known_by_its_name(title: str) -> None:
    assert followed(f"(See {title}, page 1)") == [(PASSAGES[2],)]


@pytest.mark.parametrize(
    ("text", "problem", "reason"),
    [
        (f"[{A}]", CitationProblem.UNKNOWN_ID, f"No retrieved passage has the id '{A}'."),
        ("[7]", CitationProblem.OUT_OF_RANGE, "Passage 7 is cited, and 6 were retrieved."),
        ("[0]", CitationProblem.OUT_OF_RANGE, "Passage 0 is cited, and 6 were retrieved."),
        ("[Doc 9]", CitationProblem.OUT_OF_RANGE, "Passage 9 is cited, and 6 were retrieved."),
        ("(See Annual, page 4)", CitationProblem.UNKNOWN_TITLE, "No retrieved document is called 'Annual'."),
        ("(See Twice, page 2)", CitationProblem.AMBIGUOUS_TITLE, "2 retrieved documents are called 'Twice'."),
        ("(See Notes, page 1)", CitationProblem.NO_SUCH_PAGE, "'Notes' has no pages, and page 1 is cited."),
        (
            "(See Annual Report 2023, page 10)",
            CitationProblem.NO_SUCH_PAGE,
            "'Annual Report, 2023' has 9 pages, and page 10 is cited.",
        ),
        (
            "(See Annual Report 2023, page 5)",
            CitationProblem.PAGE_NOT_RETRIEVED,
            "No passage from page 5 of 'Annual Report, 2023' was retrieved.",
        ),
    ],
)
def test_a_citation_that_leads_nowhere_says_why(text: str, problem: CitationProblem, reason: str) -> None:
    (found,) = resolve(find(text), PASSAGES, DOCUMENTS)
    assert (found.passages, found.problem, found.reason) == ((), problem, reason)


def test_a_list_shares_the_span_of_its_bracket() -> None:
    assert find("Rose [1, 3].") == [
        CitationMarker(CitationForm.NUMBER, "1", Span(5, 11)),
        CitationMarker(CitationForm.NUMBER, "3", Span(5, 11)),
    ]
