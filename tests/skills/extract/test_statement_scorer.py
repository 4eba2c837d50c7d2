"""Yes and no, told by a passage and by its best statement alone, on real readings."""

from docmind.skills.extract.statement_scorer import SURE, Reading, ReadingScorer
from docmind.skills.extract.statements import read_statements
from tests.skills.conftest import hits_of

HOTEL = "Dogs are allowed in the hotel. Breakfast costs 12 euros. Cats are not allowed in the hotel."


def read(scorer: ReadingScorer, question: str, *texts: str) -> Reading:
    return scorer.read(question, read_statements(hits_of(*texts)))


def test_what_the_passage_and_its_statement_say_is_said(scorer: ReadingScorer) -> None:
    assert read(scorer, "Are dogs allowed in the hotel?", HOTEL).yes >= SURE
    assert read(scorer, "Are cats allowed in the hotel?", HOTEL).no >= SURE


def test_a_question_for_something_else_has_neither(scorer: ReadingScorer) -> None:
    told = read(scorer, "How much is breakfast in the hotel?", HOTEL)
    assert max(told.yes, told.no) < SURE
    assert told.answer == "12 euros"


def test_a_passage_that_does_not_tell_has_neither(scorer: ReadingScorer) -> None:
    told = read(scorer, "Are dogs allowed in the restaurant of the station?", "Breakfast costs 12 euros.")
    assert max(told.yes, told.no) < SURE
