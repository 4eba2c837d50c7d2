"""What a chat model may and may not say, and how a response is healed."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docmind.domain.answers import Status
from docmind.domain.errors import ModelError
from docmind.models.chat.model import Message
from docmind.workflows.finance.bounds import finance_bounds

Ask = Callable[..., Any]
GROWTH = "By what percentage did Ellandor's revenue grow from 2022 to 2023?"
RIGHT = "Ellandor's revenue grew by 3.71% from 2022 to 2023{marks}."
NOTHING_WRONG = json.dumps({"not_borne_out": []})
WRONG = "Ellandor's revenue grew by 4.71% from 2022 to 2023{marks}."


def says(*drafts: str) -> Callable[[Sequence[Message]], str]:
    """Each text in turn, citing the passages as the findings do."""
    waiting = iter(drafts)

    def say(messages: Sequence[Message]) -> str:
        first = messages[-1].content.split("Findings:")[1].strip().split("\n")[0]
        marks = first[first.index(" [") : first.rindex("]") + 1]
        return next(waiting).format(marks=marks)

    return say


def test_a_computed_number_is_evidence_for_what_the_model_says(ask: Ask) -> None:
    run = ask(GROWTH, drafts=says(RIGHT))
    assert run.result.status is Status.ANSWERED
    assert run.result.answer.startswith("Ellandor's revenue grew by 3.71% from 2022 to 2023 [")
    assert r"\frac{601{,}020 - 579{,}520}{579{,}520}" in run.result.answer
    assert "self_heal" not in run.nodes


def test_a_wrong_number_is_refused_and_the_model_is_told_what_was_wrong(ask: Ask) -> None:
    run = ask(GROWTH, drafts=says(WRONG, RIGHT))
    assert run.result.status is Status.ANSWERED
    assert "4.71%" not in run.result.answer
    assert run.state["self_heal_attempts"] == 1
    assert "4.71%" in run.drafts[1][-1].content


def test_the_right_number_told_the_wrong_way_round_is_refused(ask: Ask) -> None:
    fell = RIGHT.replace("grew", "fell")
    run = ask(GROWTH, drafts=says(fell, RIGHT))
    assert run.result.status is Status.ANSWERED
    assert "fell" not in run.result.answer
    assert "it rose" in run.drafts[1][-1].content


def test_a_fall_may_be_told_without_its_sign(ask: Ask) -> None:
    run = ask(
        "By what percentage did Brackwater's EBIT change in 2024?",
        drafts=says("Brackwater's operating result fell by 23.72% from 2023 to 2024{marks}."),
    )
    assert "fell by 23.72%" in run.result.answer
    assert "self_heal" not in run.nodes


def test_a_model_that_stays_wrong_is_replaced_by_code(ask: Ask) -> None:
    run = ask(GROWTH, drafts=says(WRONG, WRONG))
    assert run.nodes.count("self_heal") == run.state["self_heal_attempts"] == 2
    assert len(run.drafts) == 2
    assert run.result.status is Status.ANSWERED
    assert "grew by 3.71% from 2022 to 2023" in run.result.answer


def test_what_a_model_makes_up_in_words_ends_as_a_refusal_that_says_what_was_looked_for(ask: Ask) -> None:
    made_up = "Ellandor's cafeteria serves 412 lunches a day [1]."
    run = ask("How many lunches does Ellandor's cafeteria serve?", drafts=[made_up, made_up])
    assert run.result.status is Status.REFUSED
    assert run.result.answer.startswith("The documents do not answer this question.")
    assert run.result.nearest


def test_a_model_that_fails_leaves_the_wording_to_code_and_the_trace_says_so(ask: Ask) -> None:
    run = ask(GROWTH, drafts=[ModelError("The model is down.")])
    assert run.result.status is Status.ANSWERED
    assert any("The model is down." in event.note for event in run.result.trace)


def test_a_share_that_the_model_calls_something_else_is_not_told(ask: Ask) -> None:
    question = "What share of Ellandor's 2024 revenue came from North America?"
    wrong = "North America was 31.43% of Ellandor's revenue in 2024{marks}."
    run = ask(question, drafts=says(wrong, wrong))
    assert "31.43%" not in run.result.answer
    assert "30.43%" in run.result.answer


@pytest.mark.parametrize("broken", ["nothing", "no text", "a wrong chart"])
def test_the_response_of_a_heal_is_checked_again(ask: Ask, broken: str) -> None:
    drafts = {"nothing": ["", ""], "no text": ["   ", ""], "a wrong chart": ["See [CHART:7].", "See [CHART:7]."]}
    run = ask(GROWTH, drafts=drafts[broken])
    assert run.result.status is Status.ANSWERED
    assert "[CHART:7]" not in run.result.answer


TEXTS = st.sampled_from([
    "Ellandor's revenue grew by 3.71% from 2022 to 2023 [1].", "It doubled [1].", "Revenue was EUR 601,020 thousand.",
    "", "$$ \\frac{1}{0 $$", "See [CHART:3].", "Profit was EUR 1 [99].", "x" * 2_000,
])  # fmt: skip


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TEXTS, max_size=3), st.sampled_from([GROWTH, "What was Brackwater's revenue in 2020?"]))
def test_whatever_the_model_says_a_run_ends_within_its_bound(ask: Ask, drafts: list[str], question: str) -> None:
    run = ask(question, drafts=drafts)
    most = finance_bounds()
    assert len(run.nodes) <= most.steps == 21
    assert run.writer.calls <= most.calls(writer=1) == 4
    assert run.state["retrieval_attempts"] <= 3
    assert run.state["self_heal_attempts"] <= 2
    assert run.state["error"] is None
    if run.result.status is Status.ANSWERED:
        assert {claim.status for claim in run.result.claims} == {"supported"}


def test_words_that_a_model_makes_up_give_way_to_those_of_the_documents(ask: Ask) -> None:
    run = ask("Why did Laboratory Instruments decline in 2023?", drafts=["A fire broke out [1].", "A flood came [1]."])
    assert run.result.status is Status.ANSWERED
    assert "postponed orders" in run.result.answer
    assert "fire" not in run.result.answer


def test_a_judging_model_is_heard_on_what_the_model_wrote(ask: Ask) -> None:
    added = RIGHT.replace("{marks}.", " after a good year{marks}.")
    wrong = {"claim": 1, "words": "after a good year", "reason": "That is not said."}
    run = ask(GROWTH, drafts=says(added, RIGHT), verdicts=[json.dumps({"not_borne_out": [wrong]}), NOTHING_WRONG])
    assert run.result.status is Status.ANSWERED
    assert "good year" not in run.result.answer
    assert "after a good year" in run.drafts[1][-1].content


def test_a_judging_model_that_calls_a_sentence_of_the_passages_wrong_is_not_believed(ask: Ask) -> None:
    def condemns_the_first(messages: Sequence[Message]) -> str:
        first = messages[-1].content.rpartition("Claims:\n1. ")[2].partition("\n")[0]
        return json.dumps({"not_borne_out": [{"claim": 1, "words": first, "reason": "No."}]})

    added = RIGHT.replace("{marks}.", " after a good year{marks}.")
    run = ask(GROWTH, drafts=says(added, RIGHT), verdicts=condemns_the_first)
    notes = [event["note"] for event in run.state["trace"] if event["node"].endswith("quality_check")]
    assert "judge calls a sentence of the passages wrong." in notes[0]


def test_what_a_judging_model_misses_in_the_passages_is_searched_for_besides(ask: Ask) -> None:
    missing = json.dumps({"missing": ["Ellandor five-year overview", "  ", "Ellandor five-year overview"]})
    run = ask("What was Ellandor's revenue in 2009?", verdicts=[missing, missing, NOTHING_WRONG])
    refined = [event for event in run.state["trace"] if event["node"].endswith("refinement")]
    assert refined
    assert "Ellandor five-year overview" in refined[0]["reason"]


def test_a_judging_model_that_makes_no_sense_leaves_it_to_code(ask: Ask) -> None:
    run = ask("What was Ellandor's revenue in 2009?", verdicts=["no"] * 12)
    assert any(note.startswith("What is missing was told by code alone.") for note in run.notes)


def test_a_true_sentence_that_answers_something_else_is_not_given(ask: Ask) -> None:
    def copies(messages: Sequence[Message]) -> str:
        text = next(message.content for message in messages if "[1]" in message.content)
        sentence = text.partition("[1]")[2].partition("\n")[2].partition(".")[0]
        return f"{sentence} [1]."

    run = ask("Who will win the next world cup, and by how many goals?", drafts=copies)
    assert run.result.status is Status.REFUSED
    assert run.writer is not None
