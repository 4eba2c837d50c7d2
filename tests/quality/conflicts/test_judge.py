"""How likely two answers cannot both be right."""

import pytest

from docmind.domain.documents import Passage, Span
from docmind.models.reader import Reader
from docmind.quality.conflicts import AnswerPair, ConflictJudge, ConflictModel, DocumentAnswer

QUESTION = "How many days' notice must a tenant give?"


@pytest.fixture(scope="module")
def pair() -> AnswerPair:
    def answer(text: str, value: str, title: str) -> DocumentAnswer:
        passage = Passage(title, title, 0, Span(0, len(text)), text, (title,))
        return DocumentAnswer(passage, passage.span, Span(text.index(value), text.index(value) + len(value)), 4.0, 0.9)

    lease = answer("The tenant must give 45 days' notice to leave the flat.", "45 days", "Lease")
    leaflet = answer("The tenant must give 30 days' notice to leave the flat.", "30 days", "Leaflet")
    return lease, leaflet


def test_the_shipped_model_finds_two_values_of_one_thing(pair: AnswerPair) -> None:
    judge = ConflictJudge(Reader(threads=1))
    [(found, probability)] = judge.conflicting(QUESTION, [pair])
    assert found == pair
    assert probability > 0.5
    assert judge.conflicting(QUESTION, []) == []


def test_the_shipped_model_weighs_every_signal(pair: AnswerPair) -> None:
    model = ConflictModel.shipped()
    (seen,) = ConflictJudge(Reader(threads=1), model).signals(QUESTION, [pair])
    assert seen.keys() | {"intercept"} == model.same_matter.keys() | model.disagree.keys()
    assert 0 < model.mention_from < model.probability(seen) < 1
