"""Questions asked of a few passages: what is quoted, in which order, and when nothing is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.search import Hit
from docmind.domain.verdicts import ClaimStatus
from docmind.models.reader import Reader
from docmind.quality.audit import audit
from docmind.quality.grounding import Grounder
from docmind.skills.answer import REFUSAL, UNANSWERED, Draft, extract_answer
from docmind.skills.extract.statement_scorer import AnswerModel, Reading, ReadingScorer
from docmind.skills.extract.statements import Statement

FindHits = Callable[..., list[Hit]]
Ask = Callable[..., Draft]

LEAVE = """\
Every employee is granted 25 days of paid leave a year. It cannot be carried over into the next year. \
Leave is requested in the staff portal. What about public holidays? They are granted besides."""
BACKUP = """\
The archive room is cleaned on Fridays.

To restore a database from a backup, take these steps:

1. Stop the service.
2. Copy the newest backup into the data folder.
3. Start the service again.

The service writes a log."""
LIMITS = """\
Volumes per account | Default: 20 | Adjustable: Yes
Snapshots per account | Default: 500 | Adjustable: No
Groups per account | Default: 75 | Adjustable: Yes"""
LEAVING = """\
You can leave before the end of the minimum term if:

- you move more than 25 miles away, or
- a doctor certifies that you cannot exercise for three months or longer.

Joining fees are not refunded."""
TRAVEL = (
    "Trips up to EUR 2,500 are approved by the team lead. Trips above EUR 2,500 and up to EUR 10,000 need the approval "
    "of the department head. Anything above goes to the board."
)


@pytest.fixture
def ask(find_hits: FindHits, grounder: Grounder, scorer: ReadingScorer) -> Ask:
    def answer(question: str, *texts: str, **found: object) -> Draft:
        return extract_answer(question, find_hits(*texts, **found), grounder, scorer)

    return answer


def test_the_sentence_that_answers_is_quoted_and_cited(ask: Ask) -> None:
    draft = ask("How many days of paid leave does an employee get?", BACKUP, LEAVE)
    assert not draft.refused
    assert "Every employee is granted 25 days of paid leave a year. [2]" in draft.text


def test_a_second_passage_that_says_the_same_takes_nothing_from_the_confidence(ask: Ask) -> None:
    question, other = "When is the archive room cleaned?", "The archive room is cleaned on Mondays."
    alone = ask(question, BACKUP)
    assert ask(question, BACKUP, "The archive room is cleaned on Fridays.").confidence >= alone.confidence
    assert ask(question, BACKUP, other).confidence < alone.confidence


def test_steps_that_nothing_introduces_are_quoted_whole_with_an_item_on_each_line(ask: Ask) -> None:
    steps = "1. Switch off and unplug. Wait until the water is cool.\n2. Open the flap.\n3. Pull the pump filter out.\n"
    draft = ask("How do I clean the pump filter?", f"# Cleaning the pump filter\n\n{steps}")
    assert [line.replace(" [1]", "") for line in draft.text.splitlines()] == [
        "- Switch off and unplug. Wait until the water is cool.",
        "- Open the flap.",
        "- Pull the pump filter out.",
    ]


def test_a_case_between_two_limits_is_quoted_its_rule_and_not_led_by_the_wrong_person(ask: Ask) -> None:
    draft = ask("Who approves a trip that costs EUR 3,000?", TRAVEL)
    assert not draft.text.startswith("**The team lead**")
    assert "need the approval of the department head. [1]" in draft.text


def test_two_questions_are_answered_one_by_one(ask: Ask) -> None:
    draft = ask(
        "How many days of paid leave does an employee get, and when is the archive room cleaned?", LEAVE, BACKUP
    )
    leave, archive = draft.text.removeprefix("## ").split("\n\n## ")
    assert leave.startswith("How many days of paid leave does an employee get?\n\n")
    assert "Every employee is granted 25 days of paid leave a year. [1]" in leave
    assert "[2]" not in leave
    assert archive.startswith("When is the archive room cleaned?\n\n")
    assert "The archive room is cleaned on Fridays. [2]" in archive
    assert "[1]" not in archive


def test_the_question_that_is_not_answered_is_named(ask: Ask) -> None:
    draft = ask("When is the archive room cleaned, and who painted the Sistine Chapel?", BACKUP)
    assert not draft.refused
    assert "The archive room is cleaned on Fridays. [1]" in draft.text
    assert draft.text.endswith(UNANSWERED.format(question="Who painted the Sistine Chapel?"))


def test_a_question_whose_parts_are_too_unlikely_answered_is_read_as_a_whole(find_hits: FindHits) -> None:
    question, part = (
        "When is the archive room cleaned, and who painted the chapel?",
        "When is the archive room cleaned?",
    )
    draft = extract_answer(question, find_hits(BACKUP), GROUNDER, _Sure({question: 0.6, part: 0.8}))
    assert (draft.refused, draft.confidence) == (False, 0.6)
    assert not draft.text.startswith("## ")
    likely = extract_answer(question, find_hits(BACKUP), GROUNDER, _Sure({part: 1.0}))
    assert likely.text.startswith(f"## {part}")
    assert likely.confidence == 0.5


def test_a_question_that_nothing_answers_is_refused(ask: Ask) -> None:
    draft = ask("Who painted the ceiling of the Sistine Chapel?", BACKUP, LEAVE, relevance=0.02)
    assert draft == Draft(REFUSAL, True, draft.reason, draft.confidence)
    assert draft.reason.endswith(".")


@pytest.mark.parametrize("texts", [(), ("",), (" \n ",), ("---",)])
def test_passages_that_say_nothing_are_refused(ask: Ask, texts: tuple[str, ...]) -> None:
    assert ask("What is the fee?", *texts).refused


def test_the_row_that_is_asked_about_comes_first(ask: Ask) -> None:
    draft = ask("How many snapshots per account are the default?", LIMITS)
    assert "Snapshots per account — Default: 500; Adjustable: No. [1]" in draft.text


def test_a_number_of_a_cell_comes_with_the_unit_of_its_column(ask: Ask) -> None:
    prices = "Puncture repair | Price (EUR): 12.5\nTandem rental | Price (EUR): 40 | Deposit (EUR): 150"
    assert ask("How much is a puncture repair?", prices).text.startswith("**12.5 EUR**\n\n")
    assert ask("How high is the deposit for a tandem?", prices).text.startswith("**150 EUR**\n\n")


def test_a_title_within_a_passage_is_no_sentence_of_the_answer_but_may_name_what_it_is_about(ask: Ask) -> None:
    profile = (
        "2.1 Kaltwerk Systeme\n\nFamily-owned, with a plant in Chemnitz. Kaltwerk delivers fastest, in 21 weeks, and "
        "sells a full service contract that nobody else offers.\n\n2.2 Nakagiri\n\nNakagiri is the cheapest."
    )
    said = ask("Which competitor delivers fastest?", profile).text
    assert "Kaltwerk delivers fastest, in 21 weeks" in said
    assert "2.1 Kaltwerk Systeme" not in said


def test_steps_come_in_order_below_what_introduces_them(ask: Ask) -> None:
    assert (
        "To restore a database from a backup, take these steps: [1]\n"
        "- Stop the service. [1]\n"
        "- Copy the newest backup into the data folder. [1]\n"
        "- Start the service again. [1]"
    ) in ask("How do I restore a database from a backup?", BACKUP).text


def test_items_that_are_one_sentence_are_quoted_together(ask: Ask) -> None:
    said = ask("Can I leave early if I move to another town?", LEAVE, LEAVING).text
    assert "move more than 25 miles away, or. [2]" in said
    assert "a doctor certifies that you cannot exercise for three months or longer. [2]" in said


def test_a_document_s_own_reference_marks_are_not_taken_for_citations(ask: Ask) -> None:
    draft = ask("When was the bridge at Arnholt opened?", "The bridge at Arnholt was opened in 1911 [6].")
    assert "The bridge at Arnholt was opened in 1911 (6). [1]" in draft.text


def test_the_same_question_is_answered_the_same(ask: Ask) -> None:
    assert ask("When is leave requested?", LEAVE, BACKUP) == ask("When is leave requested?", LEAVE, BACKUP)


PIECES = st.sampled_from([
    LEAVE, BACKUP, LIMITS, "[1]", "see [3f2a9c1e]", "no", "Yes.", "- item one", "2) two", "| a | b |", "# Fees",
    "(See Annual report, page 3)", "Passage 2 states that leave is paid.", "`code [1]`", "1.5%", "…", "e.g. fees",
    "leave:", "not", "**Bold:**", "Dr. Lee granted leave [2, 3] on 3 May 2021", "\n", "\n\n", " ", "\u3002", "```",
])  # fmt: skip
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=40)), max_size=8).map(" ".join) | st.lists(PIECES, max_size=8).map(
    "\n".join
)
QUESTIONS = st.sampled_from([
    "Can leave be carried over?", "How do I restore a backup?", "What is leave?", "How many snapshots per account?",
    "Which items are there?", "Who granted leave?", "leave", "", "Is it not paid?",
])  # fmt: skip
GROUNDER = Grounder(Reader())


class _Eager:
    """Answers everything with yes, so that whatever can be quoted is."""

    refuse_below = 0.0

    def read(self, question: str, statements: Sequence[Statement]) -> Reading:
        scores = {one: 1.0 / (1 + len(statements) - place) for place, one in enumerate(statements)}
        return Reading(scores, 1.0, 1.0, 0.0, "leave", 1.0, {})

    def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        return [0.0] * len(texts)


class _Sure(_Eager):
    """As sure of each question as it is told, and of no other."""

    refuse_below = 0.5

    def __init__(self, confidence: Mapping[str, float]) -> None:
        self._confidence = confidence

    def read(self, question: str, statements: Sequence[Statement]) -> Reading:
        return replace(super().read(question, statements), confidence=self._confidence.get(question, 0.0))


@given(QUESTIONS, st.lists(TEXTS, max_size=4))
def test_the_audit_finds_every_answer_supported(find_hits: FindHits, question: str, texts: list[str]) -> None:
    hits = find_hits(*texts)
    draft = extract_answer(question, hits, GROUNDER, _Eager())
    claims = audit(draft.text, [hit.passage for hit in hits], GROUNDER, asked=question).claims
    assert [claim for claim in claims if claim.status is not ClaimStatus.SUPPORTED] == []
    assert draft.refused or draft.text != REFUSAL


def test_an_answer_that_is_in_doubt_has_no_bold_line(
    find_hits: FindHits, grounder: Grounder, reader: Reader, scorer: ReadingScorer
) -> None:
    question, hits = "When is the archive room cleaned?", find_hits(BACKUP)
    assert extract_answer(question, hits, grounder, scorer).text.startswith("**Fridays**")
    doubting = AnswerModel({"intercept": 0.0, "score": 1.0}, {"intercept": -1.0}, refuse_below=0.1)
    draft = extract_answer(question, hits, grounder, ReadingScorer(reader, doubting))
    assert draft.text == "The archive room is cleaned on Fridays. [1]"
