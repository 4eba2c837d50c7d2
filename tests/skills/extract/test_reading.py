"""Statements read by the encoder: what it is asked, what it changes, and when it is left alone."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docmind.domain.search import Hit
from docmind.models.encoder import Encoder
from docmind.models.word_vectors import WordVectors
from docmind.quality.grounding import Grounder
from docmind.skills.answer import extract_answer
from docmind.skills.extract.question import read_question
from docmind.skills.extract.reading import ReadingScorer, read_around
from docmind.skills.extract.select import LexicalScorer
from docmind.skills.extract.statements import read_statements
from docmind.skills.extract.windows import WINDOW_CHARS, windows

FindHits = Callable[..., list[Hit]]

BRIDGE = """\
The harbour bridge in Lunden is the pride of the town. The harbour bridge carries the coast road. \
After eight years of work the first cars crossed it in 1932. The town pays for its paint."""
CAFETERIA = "The cafeteria serves soup, salad and a daily special from eleven to two."
OPENED = "When did the harbour bridge in Lunden open?"


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(threads=2)


@pytest.fixture(scope="module")
def reader(grounder: Grounder, vectors: WordVectors, encoder: Encoder) -> ReadingScorer:
    return ReadingScorer(grounder, vectors, encoder)


@pytest.fixture
def unreadable(grounder: Grounder, vectors: WordVectors, tmp_path: Path) -> ReadingScorer:
    """Fails as soon as it has to read."""
    return ReadingScorer(grounder, vectors, Encoder(model=tmp_path / "none.onnx"))


def test_the_sentence_that_holds_the_answer_is_read_as_the_likeliest(find_hits: FindHits, encoder: Encoder) -> None:
    statements = read_statements(find_hits(CAFETERIA, BRIDGE))
    read = read_around(encoder, read_question(OPENED), statements[1:], statements)
    best = max(read, key=lambda one: read[one].answer)
    assert best.text == "After eight years of work the first cars crossed it in 1932."


def test_reading_finds_an_answer_in_other_words(
    find_hits: FindHits, grounder: Grounder, reader: ReadingScorer, scorer: LexicalScorer
) -> None:
    hits = find_hits(CAFETERIA, BRIDGE)
    by_words = extract_answer(OPENED, hits, grounder, scorer)
    assert "1932" not in by_words.text
    assert "1932" in extract_answer(OPENED, hits, grounder, reader).text


def test_a_question_that_nothing_answers_is_refused(
    find_hits: FindHits, grounder: Grounder, reader: ReadingScorer
) -> None:
    hits = find_hits(CAFETERIA, BRIDGE, relevance=0.1)
    draft = extract_answer("Who designed the town hall of Lunden?", hits, grounder, reader)
    assert draft.refused
    assert draft.probability < reader.refuse_below


def test_what_words_decide_is_not_read(find_hits: FindHits, grounder: Grounder, unreadable: ReadingScorer) -> None:
    hits = find_hits("The visa fee is 40 euros.", CAFETERIA)
    assert extract_answer("How much is the visa fee?", hits, grounder, unreadable).text.startswith("The visa fee is 40")


def test_what_has_nothing_of_the_question_is_not_read(
    find_hits: FindHits, grounder: Grounder, unreadable: ReadingScorer
) -> None:
    hits = find_hits(CAFETERIA, relevance=0.001)
    assert extract_answer("Who won the chess tournament in Oslo?", hits, grounder, unreadable).refused


def test_windows_lie_around_the_likeliest_statements_and_hold_their_neighbours(find_hits: FindHits) -> None:
    statements = read_statements(find_hits(BRIDGE * 4, CAFETERIA))
    found = windows([statements[5], statements[6], statements[-1]], statements, 3)
    assert [one.text for one in found[1].statements] == [CAFETERIA]
    assert len(found) == 2
    assert statements[5] in found[0].statements
    assert 300 < len(found[0].text) <= WINDOW_CHARS
    assert found[0].text == statements[5].hit.passage.text[found[0].start :][: len(found[0].text)]


def test_a_statement_longer_than_a_window_is_read_alone(find_hits: FindHits) -> None:
    long = f"The road {'winds and ' * 60}ends."
    statements = read_statements(find_hits(f"It begins here. {long} It is closed."))
    [window] = windows([statements[1]], statements, 3)
    assert window.text == long


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from([BRIDGE, CAFETERIA, "", "- a\n- b: 4", "Fee | Due: 40 | Paid: No", "¿?"]), max_size=4),
    st.sampled_from([OPENED, "fee", "", "Is it paid?", "How many cars crossed the bridge?"]),
)
def test_scores_are_probabilities_whatever_is_asked(
    find_hits: FindHits, reader: ReadingScorer, texts: list[str], question: str
) -> None:
    statements = read_statements(find_hits(*texts))
    if statements:
        scores = reader(read_question(question), statements)
        assert len(scores) == len(statements)
        assert all(0 <= score <= 1 for score in scores)
