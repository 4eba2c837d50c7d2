"""Passages that are named in running text."""

import pytest

from docmind.domain.verdicts import CitationForm
from docmind.quality.citations import named_passages


@pytest.mark.parametrize(
    ("text", "numbers", "words"),
    [
        ("Passage 3 states that sales rose.", ["3"], ["Passage 3"]),
        ("As passage #2 says, they fell.", ["2"], ["passage #2"]),
        ("As mentioned in passages 1 and 2, it is closed.", ["1", "2"], ["passages 1 and 2"] * 2),
        ("Passages 1, 2, and 4 agree.", ["1", "2", "4"], ["Passages 1, 2, and 4"] * 3),
        ("passage 1 or passage 12", ["1", "12"], ["passage 1 or passage 12"] * 2),
        ("Passage 03 is the third.", ["3"], ["Passage 03"]),
        ("Passage 1 agrees; passage 2 does not.", ["1", "2"], ["Passage 1", "passage 2"]),
    ],
)
def test_each_passage_that_is_named_is_a_citation(text: str, numbers: list[str], words: list[str]) -> None:
    found = named_passages(text)
    assert [marker.target for marker in found] == numbers
    assert [marker.span.of(text) for marker in found] == words
    assert {marker.form for marker in found} == {CitationForm.DOC}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The passage of 3 ships took a day.",
        "Document 3 and section 4 of the contract",
        "a passage 3.5 metres wide",
        "passage 1,200 is not one that anyone has",
        "passage 12345",
        "the underpassage 3",
    ],
)
def test_what_only_looks_like_a_named_passage_is_none(text: str) -> None:
    assert named_passages(text) == []


def test_a_long_row_of_numbers_is_read_once() -> None:
    assert len(named_passages("passages " + "1, " * 100_000)) <= 10
