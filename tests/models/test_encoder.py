"""The shipped encoder: what it says of plain cases, and that batching never shows in it."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from docmind.domain.errors import EncoderError
from docmind.models.encoder import Encoder

PASSAGES = [
    "The harbour bridge in Lunden was opened in 1932 after eight years of work. It is 1,149 metres long.",
    "The cafeteria serves soup, salad and a daily special from eleven to two.",
    "Work on the bridge was led by the engineer Maria Holt, who had built dams before.",
    "Annual revenue of the port authority rose by 11 percent to 48 million euros in 2023, driven by container traffic. "
    "Costs fell slightly. The authority expects another good year and plans to hire forty people in the spring.",
]
QUESTION = "When was the harbour bridge opened?"


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(threads=2)


def test_the_passage_that_answers_is_the_most_relevant(encoder: Encoder) -> None:
    scores = encoder.relevance(QUESTION, PASSAGES)
    assert scores.shape == (len(PASSAGES),)
    assert scores.dtype == np.float32
    assert int(scores.argmax()) == 0
    assert scores[0] > 0 > scores[1]


def test_an_answer_is_read_at_its_exact_place(encoder: Encoder) -> None:
    answer = encoder.read(QUESTION, PASSAGES)[0]
    assert PASSAGES[0][answer.start : answer.end] == "1932"
    assert answer.probability > 0.5


def test_an_answer_is_looked_for_within_a_part_of_the_passage(encoder: Encoder) -> None:
    (answer,) = encoder.read(QUESTION, PASSAGES[:1])
    end = PASSAGES[0].index(" It is")
    assert answer.within(0, end) == answer.score > answer.within(end, len(PASSAGES[0]))
    assert answer.within(3, 4) == float("-inf")


def test_a_passage_is_as_relevant_when_it_is_read(encoder: Encoder) -> None:
    read = [answer.relevance for answer in encoder.read(QUESTION, PASSAGES)]
    assert np.allclose(read, encoder.relevance(QUESTION, PASSAGES))


def test_a_passage_without_the_answer_is_read_as_having_none(encoder: Encoder) -> None:
    answers = encoder.read(QUESTION, PASSAGES)
    assert answers[1].probability < 0.5
    assert answers[0].score > max(answer.score for answer in answers[1:])


def test_probabilities_of_a_judgement_sum_to_one(encoder: Encoder) -> None:
    (support,) = encoder.support([("The bridge was opened in 1932.", PASSAGES[0])])
    assert support.supported + support.unsupported + support.contradicted == pytest.approx(1, abs=1e-5)


def test_what_the_passage_says_is_supported_and_what_it_does_not_is_not(encoder: Encoder) -> None:
    true, changed, elsewhere = encoder.support(
        [
            ("The harbour bridge in Lunden was opened in 1932.", PASSAGES[0]),
            ("The harbour bridge in Lunden was opened in 1987.", PASSAGES[0]),
            ("The cafeteria is closed on Sundays.", PASSAGES[3]),
        ]
    )
    assert true.supported > 0.5 > max(changed.supported, elsewhere.supported)
    assert changed.contradicted > 0.5 > true.contradicted


def test_the_word_that_was_changed_is_doubted_most(encoder: Encoder) -> None:
    claim = "The harbour bridge in Lunden was opened in 1987 after eight years of work."
    (support,) = encoder.support([(claim, PASSAGES[0])])
    worst = max(support.words, key=lambda word: word.unsupported)
    assert claim[worst.start : worst.end] in "1987"


def test_the_order_and_company_of_passages_change_nothing(encoder: Encoder) -> None:
    forwards = encoder.relevance(QUESTION, PASSAGES * 8)
    backwards = encoder.relevance(QUESTION, (PASSAGES * 8)[::-1])[::-1]
    alone = np.concatenate([encoder.relevance(QUESTION, [passage]) for passage in PASSAGES])
    assert np.allclose(forwards, backwards, atol=0.05)
    assert np.allclose(forwards[: len(PASSAGES)], alone, atol=0.05)


def test_the_same_call_gives_the_same_result(encoder: Encoder) -> None:
    assert encoder.read(QUESTION, PASSAGES) == encoder.read(QUESTION, PASSAGES)


def test_threads_share_one_encoder() -> None:
    encoder = Encoder(threads=2)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: encoder.relevance(QUESTION, PASSAGES), range(4)))
    assert all(np.allclose(result, results[0], atol=0.05) for result in results)


def test_a_short_window_cuts_the_passage(encoder: Encoder) -> None:
    short = Encoder(threads=1, window_tokens=24)
    late = "word " * 60 + PASSAGES[0]
    (answer,) = short.read(QUESTION, [late])
    assert answer.end <= len("word " * 60)


def test_no_pairs_give_no_results(encoder: Encoder) -> None:
    assert encoder.relevance(QUESTION, []).shape == (0,)
    assert encoder.support([]) == []
    assert encoder.read(QUESTION, []) == []


@pytest.mark.parametrize("text", ["", "   \n\t", "\x00\x07", "\ud800 broken \udfff", "日本語の文書", "x" * 50_000])
def test_odd_texts_are_judged_without_complaint(encoder: Encoder, text: str) -> None:
    assert np.isfinite(encoder.relevance(text, [text, PASSAGES[0]])).all()
    (answer,) = encoder.read(QUESTION, [text])
    assert 0 <= answer.start <= answer.end <= len(text)
    assert np.isfinite(encoder.support([(text, PASSAGES[0])])[0].supported)


def test_a_broken_model_file_is_reported_in_a_sentence(tmp_path: Path) -> None:
    broken = tmp_path / "model.onnx"
    broken.write_bytes(b"not a model")
    with pytest.raises(EncoderError, match=r"model\.onnx cannot be loaded"):
        Encoder(model=broken).relevance("anything", ["at all"])
