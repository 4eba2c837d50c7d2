"""Follow-ups within a session, and what a user said in an earlier one."""

from collections.abc import Callable
from typing import Any

import pytest

from docmind.domain.scope import Scope
from docmind.memory.recollections import Recollection
from docmind.runtime.engine import DocMind
from docmind.skills.dialogue.history import MOST_MESSAGES
from docmind.workflows.finance.context import turns_of, with_turn

Ask = Callable[..., Any]
QUESTION = "What was Ellandor's revenue in 2023?"


@pytest.mark.parametrize(
    ("follow_up", "told"),
    [
        ("and the year before?", "Ellandor's revenue was EUR 579,520 thousand in 2022"),
        ("And in 2024?", "Ellandor's revenue was EUR 655,230 thousand in 2024"),
        ("and Brackwater's?", "Brackwater's sales revenue was EUR 151.3 million in 2023"),
        ("What about operating profit?", "Ellandor's operating profit was EUR 68,230 thousand in 2023"),
        ("By what percentage did it grow from 2022 to 2024?", "Ellandor's revenue grew by 13.06% from 2022 to 2024"),
    ],
)
def test_a_follow_up_is_understood_by_what_was_asked_before(ask: Ask, follow_up: str, told: str) -> None:
    ask(QUESTION)
    run = ask(follow_up)
    assert run.state["processed_query"]["is_follow_up"]
    assert told in run.result.answer


def test_now_as_a_chart_draws_what_was_told_before(ask: Ask) -> None:
    assert ask(QUESTION).result.charts == []
    run = ask("Now as a chart")
    assert run.result.charts[0]["config"]["data"]["labels"] == ["2020", "2021", "2022", "2023", "2024"]


def test_a_long_conversation_is_kept_as_a_summary_and_its_newest_turns() -> None:
    messages: list[dict[str, Any]] = []
    for year in range(2010, 2024):
        turn = Recollection("and then?", f"What was Anvil's revenue in {year}?", f"It was {year}.", ("Anvil",))
        messages = with_turn(messages, turn)
        assert len(messages) <= MOST_MESSAGES
    assert messages[0]["role"] == "summary"
    assert "What was Anvil's revenue in 2010? — It was 2010." in messages[0]["content"]
    assert turns_of(messages)[-1] == turn
    assert len(turns_of(messages)) == len(messages) // 2


def test_a_new_session_goes_on_from_what_the_same_user_said_last(reports: DocMind) -> None:
    ann, bob = Scope("reports", "ann"), Scope("reports", "bob")
    reports.run(QUESTION, ann, workflow="finance")
    first = reports.run("and the year before?", ann, workflow="finance")
    assert "579,520" in first.answer
    assert "579,520" not in reports.run("and the year before?", bob, workflow="finance").answer
    # Looked at again, it recalls what it did then, though the user has gone on since.
    assert reports.replay(first.run_id, ann).difference is None


def test_a_thread_is_a_session_and_can_be_forgotten(reports: DocMind) -> None:
    eve = Scope("reports", "eve")
    reports.run(QUESTION, eve, workflow="finance", thread="t1")
    assert "579,520" in reports.run("and the year before?", eve, workflow="finance", thread="t1").answer
    assert [len(thread.runs) for thread in reports.threads(eve)] == [2]
    reports.delete_thread("t1", eve)
    assert "579,520" not in reports.run("and the year before?", eve, workflow="finance").answer
