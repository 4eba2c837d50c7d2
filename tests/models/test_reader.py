"""The reader with its real weights: what it says of plain claims and questions, and what odd texts do to it."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from docmind.domain.errors import ReaderError
from docmind.models.reader import JudgedClaim, Marks, Reader, ReadPassage, Remembered, Verdict
from docmind.models.weights import JUDGE_MODEL

APPROVED = "The board approved the purchase of the Halden mill for 14.2 million euros."
CLOSES = "The purchase is to close on 30 June."
MINUTES = f"{APPROVED} {CLOSES}"
TRAINS = "Trains to the coast leave every two hours; the last one at 22:15."
LAST_TOKEN = 448
"""Tokens that a row has room for, the two texts and what frames them together."""


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(threads=2, remembered=None)


def judged(reader: Reader, claim: str, excerpt: str = MINUTES) -> JudgedClaim:
    (found,) = reader.judge([(claim, excerpt)])
    return found


def read(reader: Reader, question: str, passage: str = MINUTES) -> ReadPassage:
    (found,) = reader.read(question, [passage])
    return found


def test_a_claim_in_other_words_is_supported(reader: Reader) -> None:
    found = judged(reader, "The Halden mill was bought for 14.2 million euros.")
    assert found.verdict.supported > 0.8
    assert found.verdict.logit > 1
    assert max(doubt for *_, doubt in found.doubts) < 0.5


def test_a_claim_that_says_the_opposite_is_contradicted_and_the_wrong_word_doubted_most(reader: Reader) -> None:
    claim = "The board rejected the purchase of the Halden mill."
    found = judged(reader, claim)
    assert found.verdict.contradicted > 0.9
    start, end, doubt = max(found.doubts, key=lambda piece: piece[2])
    assert (claim[start:end], doubt > 0.5) == ("rejected", True)


def test_a_claim_with_another_date_is_contradicted(reader: Reader) -> None:
    assert judged(reader, "The purchase closes on 30 July.").verdict.contradicted > 0.5


def test_a_claim_about_something_else_is_not_stated(reader: Reader) -> None:
    assert judged(reader, "The mill employs 300 people.").verdict.not_stated > 0.8


def test_the_sentence_that_decides_is_marked(reader: Reader) -> None:
    for marks in (
        judged(reader, "The purchase closes at the end of June.").marks,
        read(reader, "When is the purchase to close?").marks,
    ):
        start = MINUTES.index(CLOSES)
        assert marks.within(start, len(MINUTES)) > marks.within(0, start - 1)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When is the purchase to close?", "30 June"),
        ("How much did the board approve for the purchase of the mill?", "14.2 million euros"),
        ("When does the last train to the coast leave?", "22:15"),
    ],
)
def test_a_passage_that_answers_comes_first_and_its_answer_is_found(reader: Reader, question: str, answer: str) -> None:
    passages = [TRAINS, MINUTES]
    found = reader.read(question, passages)
    right = next(place for place, passage in enumerate(passages) if answer in passage)
    assert found[right].score > 1
    assert found[1 - right].score < 0
    start, end = found[right].answer
    assert answer in passages[right][start:end]
    assert end - start <= len(answer) + 8
    assert found[right].answer_score > 0.5


@pytest.mark.parametrize("question", ["Who wrote Hamlet?", "How many people work at the mill?"])
def test_a_passage_that_does_not_answer_is_told_by_its_score(reader: Reader, question: str) -> None:
    assert read(reader, question).score < -2


def test_yes_and_no_are_told_apart(reader: Reader) -> None:
    parking = "Parking is free for guests of the hotel."
    assert read(reader, "Is parking free for guests?", parking).verdict.supported > 0.5
    assert read(reader, "Do I have to pay for parking?", parking).verdict.contradicted > 0.5
    assert read(reader, "What does the suite cost?", parking).verdict.not_stated > 0.5


@pytest.mark.parametrize(
    "text", ["", "   \n\t", "\x00\x07", "\ud800 broken \udfff", "日本語の文書", "x" * 50_000, "🜚" * 300]
)
def test_odd_texts_are_read_on_either_side(reader: Reader, text: str) -> None:
    for first, second in ((text, MINUTES), (CLOSES, text), (text, text)):
        claim, passage = judged(reader, first, second), read(reader, first, second)
        for verdict in (claim.verdict, passage.verdict):
            assert verdict.supported + verdict.not_stated + verdict.contradicted == pytest.approx(1, abs=1e-5)
        assert all(0 <= start <= end <= len(first) and 0 <= doubt <= 1 for start, end, doubt in claim.doubts)
        start, end = passage.answer
        assert 0 <= start <= end <= len(second)
        assert 0 <= passage.answer_score <= 1
        assert np.isfinite(passage.score)


def test_an_empty_passage_has_no_answer(reader: Reader) -> None:
    found = read(reader, "When is the purchase to close?", "")
    assert (found.answer, found.answer_score, found.marks.within(0, 100)) == ((0, 0), 0.0, 0.0)


def test_nothing_to_read_is_nothing_read(reader: Reader) -> None:
    assert reader.judge([]) == []
    assert reader.read("When?", []) == []


def test_a_text_is_cut_where_the_window_ends(reader: Reader) -> None:
    padding = "The hall is swept. " * 400
    cut = read(reader, "When is the purchase to close?", padding + MINUTES)
    assert 0 < len(cut.marks.offsets) < LAST_TOKEN
    assert cut.marks.offsets.max() < len(padding)
    assert cut.score < 0
    assert cut.score == read(reader, "When is the purchase to close?", padding + TRAINS).score
    assert read(reader, "When is the purchase to close?", MINUTES + padding).answer[1] <= len(MINUTES)


def test_a_long_claim_leaves_room_for_what_it_is_judged_by(reader: Reader) -> None:
    found = judged(reader, "The purchase is to close on 30 June, " * 200)
    assert 0 < len(found.doubts) < LAST_TOKEN // 2
    assert found.marks.offsets.max() == len(MINUTES)


def test_the_same_comes_alone_in_a_batch_and_on_one_core(reader: Reader) -> None:
    claims = [f"{'Indeed, ' * (number % 5)}the purchase is to close on {number} June." for number in range(1, 20)]
    pairs = [(claim, excerpt) for claim in claims for excerpt in (MINUTES, TRAINS, CLOSES)]
    alone = [judged(reader, *pair) for pair in pairs]
    assert list(map(told, reader.judge(pairs))) == list(map(told, alone))
    assert list(map(told, Reader(threads=1, remembered=None).judge(pairs[::-1])[::-1])) == list(map(told, alone))
    passages = [MINUTES, TRAINS, CLOSES, "", MINUTES * 3]
    together = reader.read("When is the purchase to close?", passages)
    assert list(map(seen, together)) == [seen(read(reader, "When is the purchase to close?", one)) for one in passages]


def told(found: JudgedClaim) -> tuple[Verdict, object, bytes]:
    return found.verdict, found.doubts, found.marks.probabilities.tobytes()


def seen(found: ReadPassage) -> tuple[object, ...]:
    return found.score, found.verdict, found.answer, found.answer_score, found.marks.probabilities.tobytes()


def test_threads_share_one_reader() -> None:
    shared = Reader(threads=2, remembered=None)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: told(judged(shared, "The purchase closes on 30 July.")), range(8)))
    assert len(set(map(repr, results))) == 1


def test_marks_are_those_of_the_stretch_that_is_asked_about() -> None:
    marks = Marks(np.array([[0, 3], [4, 8], [9, 12]]), np.array([0.2, 0.6, 0.9], np.float32))
    assert marks.within(0, 8) == pytest.approx(0.6)
    assert marks.within(9, 12) == pytest.approx(0.9)
    assert marks.within(20, 30) == 0.0


@pytest.mark.parametrize("content", [None, b"not a model"], ids=["missing", "broken"])
def test_a_model_file_that_cannot_be_loaded_is_reported_in_a_sentence(tmp_path: Path, content: bytes | None) -> None:
    model = tmp_path / "model.onnx"
    if content is not None:
        model.write_bytes(content)
    with pytest.raises(ReaderError, match=r"model\.onnx cannot be loaded .*install docmind again\."):
        Reader(judge=model).judge([("A claim.", "An excerpt.")])


def test_what_was_read_lately_is_remembered_and_the_same() -> None:
    remembered = Remembered(most=2)
    reader, pairs = Reader(remembered=remembered), [(APPROVED, MINUTES), (CLOSES, MINUTES), (TRAINS, MINUTES)]
    first = reader.judge(pairs[:2])
    again = Reader(remembered=remembered).judge(pairs[:2])
    assert [told(one) for one in again] == [told(one) for one in first]
    reader.judge(pairs[2:])
    assert [remembered.get((JUDGE_MODEL, *pair)) is not None for pair in pairs] == [False, True, True]
