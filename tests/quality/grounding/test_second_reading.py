"""What the encoder's reading adds to the check by words, and what it may not touch."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import ClaimStatus
from docmind.models.encoder import Encoder, Support
from docmind.models.word_vectors import WordVectors
from docmind.quality.audit import audit
from docmind.quality.grounding import Check, Grounder
from docmind.quality.grounding.second_reading import UNDECIDED, SecondModel

VECTORS = WordVectors()
BY_WORDS = Grounder(VECTORS)

POLICY = (
    "Employees must report incidents to the safety officer within 24 hours. Contractors may not enter the plant "
    "without a permit. Travel expenses above 500 euros require the approval of two managers. "
    "Personal data is deleted after six months unless the law requires otherwise."
)
VERBATIM = "Contractors may not enter the plant without a permit."
ANOTHER_NUMBER = "Employees must report incidents to the safety officer within 48 hours."
UNHEARD_OF = "Penguins waddle across frozen beaches while whales sing below."
UNKNOWN_NAME = "Employees must report incidents to Laura Weber within 24 hours."
LEFT_OPEN = "Staff are obliged to tell the safety officer about incidents within 24 hours, and their line manager too."
PARAPHRASE = "Personal data is erased after half a year, except where the law demands otherwise."


class Counting(Encoder):
    """The encoder, remembering what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[list[tuple[str, str]]] = []

    def support(self, pairs: Sequence[tuple[str, str]]) -> list[Support]:
        self.calls.append(list(pairs))
        return super().support(pairs)


def _passage(text: str, number: int = 0) -> Passage:
    return Passage(f"p{number}", f"d{number}", 0, Span(0, len(text)), text)


@pytest.fixture
def encoder() -> Counting:
    return Counting()


@pytest.fixture
def reading_twice(encoder: Counting) -> Grounder:
    return Grounder(VECTORS, encoder=encoder)


@pytest.mark.parametrize("claim", [VERBATIM, ANOTHER_NUMBER, UNHEARD_OF, UNKNOWN_NAME])
def test_what_copies_numbers_names_or_missing_words_decide_is_not_read_again(
    claim: str, encoder: Counting, reading_twice: Grounder
) -> None:
    checks = [Check(claim, reading_twice.evidence([_passage(POLICY)]))]
    assert reading_twice.ground(checks) == BY_WORDS.ground(checks)
    assert encoder.calls == [[]]


def test_what_words_leave_open_is_given_another_probability_and_keeps_its_quotes(reading_twice: Grounder) -> None:
    checks = [Check(LEFT_OPEN, reading_twice.evidence([_passage(POLICY)]))]
    [first], [second] = BY_WORDS.ground(checks), reading_twice.ground(checks)
    low, high = UNDECIDED
    assert low < first.probability < high
    assert second.probability != first.probability
    assert (second.quotes, second.unsupported) == (first.quotes, first.unsupported)


def test_the_encoder_believes_a_paraphrase_sooner_than_a_reversal(reading_twice: Grounder) -> None:
    evidence = reading_twice.evidence([_passage(POLICY)])
    faithful, reversed_ = reading_twice.ground(
        [
            Check(PARAPHRASE, evidence),
            Check("Personal data is kept for ever, although the law demands its deletion after half a year.", evidence),
        ]
    )
    assert faithful.probability > reversed_.probability


def test_the_open_claims_of_an_answer_are_read_in_one_call_each_beside_what_it_cites(
    encoder: Counting, reading_twice: Grounder
) -> None:
    other = "The canteen opens at eight in the morning and serves soup until it runs out."
    passages = [_passage(POLICY), _passage(other, 1)]
    answer = f"{LEFT_OPEN} [1] {VERBATIM} [1] The canteen opens early in the morning and serves soup all day long. [2]"
    audit(answer, passages, reading_twice)
    read = encoder.calls[0]
    assert [claim for claim, _ in read] == [
        LEFT_OPEN,
        "The canteen opens early in the morning and serves soup all day long.",
    ]
    assert "canteen" not in read[0][1]
    assert read[1][1] == other


def test_an_answer_is_judged_alike_whether_its_claims_are_checked_together_or_one_by_one(
    reading_twice: Grounder,
) -> None:
    evidence = reading_twice.evidence([_passage(POLICY)])
    checks = [Check(claim, evidence) for claim in (LEFT_OPEN, VERBATIM, PARAPHRASE, ANOTHER_NUMBER)]
    together = reading_twice.ground(checks)
    alone = [grounding for check in checks for grounding in reading_twice.ground([check])]
    assert [one.status for one in together] == [one.status for one in alone]
    # Rows of a batch are padded to one length, which moves the last digits.
    assert [one.probability for one in together] == pytest.approx([one.probability for one in alone], abs=0.02)


def test_a_contradiction_stays_one_whatever_the_encoder_makes_of_it(reading_twice: Grounder) -> None:
    [grounding] = reading_twice.ground([Check(ANOTHER_NUMBER, reading_twice.evidence([_passage(POLICY)]))])
    assert grounding.status is ClaimStatus.CONTRADICTED


def test_nothing_to_check_asks_the_encoder_nothing(encoder: Counting, reading_twice: Grounder) -> None:
    assert reading_twice.ground([]) == []
    assert audit("", [_passage(POLICY)], reading_twice).claims == ()
    assert not any(encoder.calls)


@given(st.floats(0, 1), st.floats(-10, 10), st.floats(-10, 10))
def test_more_doubt_never_makes_a_claim_more_probable(first: float, one: float, other: float) -> None:
    model = SecondModel.shipped()
    less, more = sorted((one, other))
    assert 0 <= model.probability(first, more) <= model.probability(first, less) <= 1
