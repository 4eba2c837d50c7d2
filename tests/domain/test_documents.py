import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.documents import Metadata, Passage, Span


@given(st.text(), st.data())
def test_a_span_is_the_characters_between_its_ends(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    span = Span(start, end)
    assert span.of(text) == text[start:end]
    assert len(span) == len(span.of(text))


@pytest.mark.parametrize(("start", "end"), [(-1, 3), (4, 3)])
def test_what_does_not_run_forwards_is_no_span(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="not a span"):
        Span(start, end)


def test_metadata_tells_only_what_is_known() -> None:
    assert Metadata(company="Acme", fiscal_year=2024).known() == {"company": "Acme", "fiscal_year": 2024}


def test_a_passage_is_indexed_with_the_headings_it_stands_under() -> None:
    alone = Passage(id="1", document_id="d", ordinal=0, span=Span(0, 4), text="Body")
    below = Passage(id="1", document_id="d", ordinal=0, span=Span(0, 4), text="Body", heading=("Report", "Risks"))
    assert alone.indexed_text == "Body"
    assert below.indexed_text == "Report > Risks\nBody"
