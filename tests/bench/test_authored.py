"""Authored documents, and which of them may be used for what."""

from dataclasses import replace
from pathlib import Path

import pytest

from docmind.bench.authored import Part, Question, read_authored
from docmind.bench.authored_answers import documents_of, is_right, opening, questions_of
from tests.bench.authored_folder import BADGES, DOCUMENTS, FILES, PARKING, write_authored

SISTERS = ("a", "d")
"""Names whose hashes lie in two parts: one to train on, one that is kept."""


def conflict(first: str, second: str) -> dict[str, object]:
    return {"id": f"{first}-{second}", "docs": [first, second], "question": "How much?", "disagree": True,
            "values": ["1", "2"], "evidence": ["One.", ["Two.", "Three."]], "why": ""}  # fmt: skip


def test_every_claim_and_question_knows_its_twin_on_the_other_side(tmp_path: Path) -> None:
    [folder] = read_authored(write_authored(tmp_path))
    claims = {claim.id: claim for claim in folder.claims}
    assert {claim.id: claim.twin for claim in folder.claims} == {"c1": "c1t", "c1t": "c1", "c2": "c2t", "c2t": "c2"}
    assert all(claim.supported != claims[claim.twin].supported for claim in folder.claims)
    assert claims["c1"].evidence == ("Visitors park in the north yard.",)
    assert claims["c1t"].evidence == ()
    questions = {question.id: question for question in folder.questions}
    assert {one.id: one.twin for one in folder.questions} == {"q1": "q1t", "q1t": "q1", "q2": "q2t", "q2t": "q2"}
    assert all(one.answerable != questions[one.twin or ""].answerable for one in folder.questions)


def test_what_is_off_topic_or_a_conflict_is_no_question_of_a_document(tmp_path: Path) -> None:
    more = [{**FILES["questions"][0], "id": "x1", "off_topic": True}, {**FILES["questions"][0], "id": "x2",
            "type": "conflict"}]  # fmt: skip
    files = {**FILES, "questions": [*FILES["questions"], *more]}
    [folder] = read_authored(write_authored(tmp_path, files=files))
    assert {one.id for one in folder.questions} == {"q1", "q2", "q1t", "q2t"}


def test_documents_that_are_named_together_stay_in_one_part(tmp_path: Path) -> None:
    texts = dict.fromkeys(SISTERS, "Text.")
    [apart] = read_authored(write_authored(tmp_path / "apart", texts, {}))
    assert [apart.part(name) for name in SISTERS] == [Part.TRAIN, Part.KEPT]
    [together] = read_authored(write_authored(tmp_path / "together", texts, {"conflicts": [conflict("d", "a")]}))
    assert {together.part(name) for name in SISTERS} == {Part.TRAIN}


def test_sisters_of_sisters_stay_together_in_whatever_order_they_are_named(tmp_path: Path) -> None:
    names = ("a", "b", "d", "e")
    for number, pairs in enumerate(([("a", "b"), ("d", "e"), ("e", "b")], [("e", "b"), ("d", "e"), ("b", "a")])):
        root = write_authored(
            tmp_path / str(number),
            dict.fromkeys(names, "Text."),
            {"conflicts": [conflict(*pair) for pair in pairs]},
        )
        [folder] = read_authored(root)
        assert {folder.part(name) for name in names} == {folder.part("a")}


def test_a_part_has_its_own_documents_and_questions_alone(tmp_path: Path) -> None:
    folders = read_authored(write_authored(tmp_path, {**DOCUMENTS, "a": "Text."}))
    assert {path.stem for path in documents_of(folders, Part.KEPT)} == {PARKING, BADGES}
    assert {path.stem for path in documents_of(folders, Part.TRAIN)} == {"a"}
    assert len(questions_of(folders, Part.KEPT)) == 4
    assert questions_of(folders, Part.TRAIN) == questions_of(folders, Part.TUNE) == []


def question(*must: str, must_not: tuple[str, ...] = (), kind: str = "factoid") -> Question:
    return Question("q", "d", "How many?", kind, "", "", must, must_not, (), (), None, own_words=True)


@pytest.mark.parametrize(
    ("asked", "answer", "right"),
    [
        (question("12 euros|EUR 12"), "**EUR 12**\n\nA new badge costs EUR 12. [1]", True),
        (question("12 euros", "front desk"), "It costs 12 euros. [1]", False),
        (question("2 euros"), "It costs 12 euros.", False),
        (question("12 euros", must_not=("19",)), "It costs 12 euros, or 19 for guests.", False),
        (question("north yard"), "They park in the *north* yard. [2]", True),
        (question(kind="unanswerable"), "It costs 12 euros.", False),
    ],
)
def test_an_answer_is_right_when_it_says_all_it_must_and_nothing_it_must_not(
    asked: Question, answer: str, right: bool
) -> None:
    assert is_right(asked, answer) is right


PRICES = "Small pictures cost 185 euros, large ones 260."
ROW = "| Tulip bulbs | 150 | 0.85 | 127.50 |"


@pytest.mark.parametrize(
    ("evidence", "must", "must_not", "answer", "right"),
    [
        (PRICES, "260", "185", f"**260**\n\n{PRICES} [1]", True),
        (PRICES, "260", "185", f"**185**\n\n{PRICES} [1]", False),
        (PRICES, "260", "185", f"{PRICES} [1] Frames cost 185 euros too. [1]", False),
        (ROW, "0.85", "127.50", "**0.85**\n\nTulip bulbs — Quantity: 150; Price: 0.85; Amount: 127.50. [1]", True),
        (ROW, "0.85", "127.50", "**127.50**\n\nTulip bulbs — Quantity: 150; Price: 0.85; Amount: 127.50. [1]", False),
    ],
)
def test_the_evidence_itself_may_be_quoted_though_it_names_wrong_values_too(
    evidence: str, must: str, must_not: str, answer: str, right: bool
) -> None:
    asked = replace(question(must, must_not=(must_not,)), evidence=(evidence,))
    assert is_right(asked, answer) is right


@pytest.mark.parametrize(
    ("answer", "said"), [("**Yes**\n\nThey may.", "yes"), ("No, never.", "no"), ("Nobody may.", ""), ("", "")]
)
def test_yes_and_no_are_read_off_the_beginning_of_an_answer(answer: str, said: str) -> None:
    assert opening(answer) == said
