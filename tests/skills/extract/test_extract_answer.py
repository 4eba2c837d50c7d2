"""Questions asked of a few passages: what is quoted, in which order, and when nothing is."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.search import Hit
from docmind.domain.verdicts import ClaimStatus
from docmind.models.reader import Reader
from docmind.models.word_vectors import WordVectors
from docmind.quality.audit import audit
from docmind.quality.grounding import Grounder
from docmind.skills.answer import REFUSAL, Draft, extract_answer
from docmind.skills.extract.reading import ReadingScorer

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


@pytest.fixture
def ask(find_hits: FindHits, grounder: Grounder, scorer: ReadingScorer) -> Ask:
    def answer(question: str, *texts: str, **found: object) -> Draft:
        return extract_answer(question, find_hits(*texts, **found), grounder, scorer)

    return answer


def test_the_sentence_that_answers_is_quoted_and_cited(ask: Ask) -> None:
    draft = ask("How many days of paid leave does an employee get?", BACKUP, LEAVE)
    assert not draft.refused
    assert draft.text == "Every employee is granted 25 days of paid leave a year. [2]"


def test_a_question_that_nothing_answers_is_refused(ask: Ask) -> None:
    draft = ask("Who painted the ceiling of the Sistine Chapel?", BACKUP, LEAVE, relevance=0.02)
    assert draft == Draft(REFUSAL, True, draft.reason, draft.probability)
    assert draft.reason.endswith(".")


@pytest.mark.parametrize("texts", [(), ("",), (" \n ",), ("---",)])
def test_passages_that_say_nothing_are_refused(ask: Ask, texts: tuple[str, ...]) -> None:
    assert ask("What is the fee?", *texts).refused


def test_an_identifier_that_stands_in_no_passage_is_not_answered_for_another(ask: Ask) -> None:
    text = "The db.t2.small class supports 16 GiB of storage on Oracle."
    assert not ask("How much storage does db.t2.small support on Oracle?", text).refused
    assert ask("How much storage does db.t3.small support on Oracle?", text).refused


def test_yes_is_said_with_the_sentence_that_bears_it_out(ask: Ask) -> None:
    text = "You can associate a repository with a notebook."
    assert ask("Can I associate a repository with my notebook?", text).text == f"Yes: {text} [1]"


def test_no_is_said_where_what_is_asked_about_is_denied(ask: Ask) -> None:
    text = "You can't stop an instance that has a read replica."
    assert ask("Can I stop an instance that has a read replica?", text).text == f"No. {text} [1]"


def test_a_table_row_is_written_out_and_decides_by_its_column(ask: Ask) -> None:
    draft = ask("Are snapshots per account adjustable?", LIMITS)
    assert draft.text.startswith("No. Snapshots per account — Default: 500; Adjustable: No. [1]")


def test_the_row_that_is_asked_about_comes_alone(ask: Ask) -> None:
    draft = ask("How many snapshots per account are the default?", LIMITS)
    assert draft.text.startswith("Snapshots per account — Default: 500; Adjustable: No. [1]")


def test_every_sentence_of_a_row_is_cited(ask: Ask) -> None:
    row = "Timeout | Description: The time a check may take. The default is 30 seconds. | Unit: seconds"
    draft = ask("What is the default timeout of a check?", row)
    assert "The time a check may take. [1] The default is 30 seconds; Unit: seconds. [1]" in draft.text


def test_the_rows_of_other_identifiers_are_left_out(ask: Ask) -> None:
    rows = "d2.xlarge | Disks: 3 | Type: HDD\nd2.2xlarge | Disks: 6 | Type: HDD\nd2.4xlarge | Disks: 12 | Type: HDD"
    assert ask("How many disks does d2.2xlarge have?", rows).text == "d2.2xlarge — Disks: 6; Type: HDD. [1]"


def test_steps_come_in_order_below_what_introduces_them(ask: Ask) -> None:
    assert ask("How do I restore a database from a backup?", BACKUP).text == (
        "To restore a database from a backup, take these steps: [1]\n"
        "- Stop the service. [1]\n"
        "- Copy the newest backup into the data folder. [1]\n"
        "- Start the service again. [1]"
    )


def test_a_sentence_that_leans_on_the_one_before_brings_it_along(ask: Ask) -> None:
    draft = ask("Can paid leave be carried over into the next year?", LEAVE)
    assert "Every employee is granted 25 days of paid leave a year. [1] It cannot be carried over" in draft.text


def test_a_document_s_own_reference_marks_are_not_taken_for_citations(ask: Ask) -> None:
    draft = ask("When was the bridge at Arnholt opened?", "The bridge at Arnholt was opened in 1911 [6].")
    assert draft.text == "The bridge at Arnholt was opened in 1911 (6). [1]"


def test_questions_are_never_quoted(ask: Ask) -> None:
    assert ask("What is the travel allowance?", "What is the travel allowance?").refused


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
VECTORS = WordVectors()
GROUNDER = Grounder(Reader(), VECTORS)


class _Eager:
    """Answers everything, so that whatever can be quoted is."""

    refuse_below = 0.0

    def __call__(self, question: object, statements: list[object]) -> list[float]:
        return [1.0 / (1 + len(statements) - n) for n in range(len(statements))]


@given(QUESTIONS, st.lists(TEXTS, max_size=4))
def test_the_audit_finds_every_answer_supported(find_hits: FindHits, question: str, texts: list[str]) -> None:
    hits = find_hits(*texts)
    for scorer in (_Eager(), ReadingScorer(GROUNDER, VECTORS)):
        draft = extract_answer(question, hits, GROUNDER, scorer)  # type: ignore[arg-type]
        claims = audit(draft.text, [hit.passage for hit in hits], GROUNDER, asked=question).claims
        assert [claim for claim in claims if claim.status is not ClaimStatus.SUPPORTED] == []
        assert draft.refused or draft.text != REFUSAL
