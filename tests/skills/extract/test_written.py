"""How likely an answer is right that a chat model wrote, on real readings."""

from docmind.skills.drafting import answers_something_else, draft_signals, probability_right
from docmind.skills.extract.statement_scorer import ReadingScorer
from tests.skills.conftest import hits_of

QUESTION = "How long are receipts kept?"
HITS = hits_of(
    "Receipts are kept for ten years.", "The cafeteria serves soup from eleven to two.", "The archive is in the cellar."
)


def test_what_answers_is_likelier_right_than_what_is_only_true(scorer: ReadingScorer) -> None:
    right = probability_right(QUESTION, "They are kept for ten years [1].", HITS, scorer)
    beside_it = probability_right(QUESTION, "The cafeteria serves soup from eleven to two [2].", HITS, scorer)
    assert right > 0.5
    assert beside_it < 0.1


def test_an_answer_that_cites_nothing_is_as_far_from_the_best_passage_as_can_be(scorer: ReadingScorer) -> None:
    told = draft_signals(QUESTION, "They are kept for ten years.", HITS, scorer)
    assert (told["behind"], told["agrees"]) == (8, 1)
    assert draft_signals(QUESTION, "They are kept for ten years [9].", HITS, scorer)["behind"] == 8
    assert draft_signals(QUESTION, "They are kept for six years [1].", HITS, scorer) | {"reading": 0} == {
        "reading": 0, "behind": 0, "agrees": 0,
    }  # fmt: skip


def test_a_yes_must_be_said_to_agree(scorer: ReadingScorer) -> None:
    hits = hits_of("Dogs are allowed in the hotel. They must be kept on a lead.")
    question = "Are dogs allowed in the hotel?"
    assert draft_signals(question, "Yes, they are [1].", hits, scorer)["agrees"] == 1
    assert draft_signals(question, "No, they are not [1].", hits, scorer)["agrees"] == 0


def test_what_is_only_true_is_told_from_an_answer_where_the_reader_finds_one_itself(scorer: ReadingScorer) -> None:
    soup = "The cafeteria serves soup from eleven to two [{}]."
    for name in ("2", HITS[1].passage.id):
        assert answers_something_else(QUESTION, soup.format(name), HITS, scorer)
    assert not answers_something_else(QUESTION, f"They are kept for ten years [{HITS[0].passage.id}].", HITS, scorer)
    assert not answers_something_else("Should the archive be moved elsewhere?", soup.format(2), HITS, scorer)
