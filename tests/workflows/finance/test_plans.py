"""A chat model plans what to look up; code looks it up, computes it and cites it, or reads the question by rule."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from docmind.domain.answers import Status
from docmind.domain.errors import ModelError

Ask = Callable[..., Any]
Row = tuple[str, str, str] | tuple[str, str, str, str]
ELLANDOR = "Ellandor"


def reply(question: str, *lookups: Row, steps: tuple[tuple[str, str], ...] = (), **more: Any) -> str:
    """Lookups a, b, c: company, item, period and segment; steps s, t, u: an operation and what it takes."""
    fields = ("company", "item", "period", "segment")
    found = [{"id": "abcdef"[n], **dict(zip(fields, row, strict=False))} for n, row in enumerate(lookups)]
    made = [{"id": "stu"[n], "operation": operation, "of": list(of)} for n, (operation, of) in enumerate(steps)]
    return json.dumps({"question": question, "lookups": found, "steps": made, **more})


LOOKUP = "What was Ellandor's revenue in 2023?"
GROWTH = "Set against 2022, how far up was Ellandor's turnover in 2023, in relative terms?"
SHARE = "What part did North America have in Ellandor's revenue in 2024?"
PARTS = "Of what Ellandor's revenue gained between 2022 and 2024, how much was North America's?"
MARGINS = "In which of 2022, 2023 and 2024 was Ellandor's net margin the best?"


@pytest.mark.parametrize(
    ("question", "lookups", "steps", "told"),
    [
        (LOOKUP, [(ELLANDOR, "revenue", "2023")], [], "Ellandor's revenue was EUR 601,020 thousand in 2023"),
        (LOOKUP, [("", "revenue", "2023")], [], "Ellandor's revenue was EUR 601,020 thousand in 2023"),
        (
            GROWTH,
            [(ELLANDOR, "turnover", "2023"), (ELLANDOR, "turnover", "2022")],
            [("growth", "ab")],
            "Ellandor's revenue grew by 3.71% from 2022 to 2023",
        ),
        (
            SHARE,
            [(ELLANDOR, "revenue", "2024", "North America"), (ELLANDOR, "revenue", "2024")],
            [("share", "ab")],
            "was 30.43% of revenue in 2024",
        ),
        (
            PARTS,
            [
                (ELLANDOR, "revenue", "2024", "North America"),
                (ELLANDOR, "revenue", "2022", "North America"),
                (ELLANDOR, "revenue", "2022"),
                (ELLANDOR, "revenue", "2024"),
            ],
            [("change", "ab"), ("change", "cd"), ("share", "st")],
            "was 45.09% of",
        ),
        (MARGINS, [(ELLANDOR, "net margin", "2022 to 2024")], [("highest", "a")], "**2024**"),
    ],
    ids=["a lookup", "of the only company named", "a growth", "a share", "two steps", "the best year"],
)
def test_a_plan_is_looked_up_computed_and_cited_by_code(
    ask: Ask, question: str, lookups: list[Row], steps: list[tuple[str, str]], told: str
) -> None:
    run = ask(question, plans=[reply(question, *lookups, steps=tuple(steps))])
    assert told in run.result.answer
    assert run.result.status in (Status.ANSWERED, Status.CAVEAT)
    assert {claim.status for claim in run.result.claims} == {"supported"}
    assert run.result.citations
    assert not any(note.startswith("The question was read by rule.") for note in run.notes)


@pytest.mark.parametrize(
    ("message", "meant", "lookups", "steps", "told"),
    [
        (
            "and the year before?",
            "What was Ellandor's revenue in 2022?",
            [(ELLANDOR, "revenue", "2022")],
            (),
            "579,520",
        ),
        (
            "by how much is that up on it, in relative terms?",
            "How much did Ellandor's revenue grow from 2022 to 2023?",
            [(ELLANDOR, "revenue", "2023"), (ELLANDOR, "revenue", "2022")],
            (("growth", "ab"),),
            "grew by 3.71%",
        ),
    ],
)
def test_a_follow_up_is_resolved_by_the_model(
    ask: Ask, message: str, meant: str, lookups: list[Row], steps: tuple[tuple[str, str], ...], told: str
) -> None:
    ask(LOOKUP)
    run = ask(message, plans=[reply(meant, *lookups, steps=steps)])
    assert run.state["processed_query"]["question"] == meant
    assert run.state["processed_query"]["is_follow_up"]
    assert told in run.result.answer
    shown = run.writer.requests[0][-1].content
    assert LOOKUP in shown
    assert "601,020" in shown
    assert "Ellandor Instruments N.V. (ELLN)" in shown


@pytest.mark.parametrize(
    ("said", "because"),
    [
        (["no", "no"], "no usable reply"),
        (["", ""], "no usable reply"),
        (["Revenue was EUR 601,020 thousand.", "It really was."], "no usable reply"),
        (["Der Umsatz betrug 601.020 Tausend Euro."] * 2, "no usable reply"),
        ([ModelError("The model is down.")], "The model is down."),
        ([reply(LOOKUP, (ELLANDOR, "revenue", "2023"), steps=(("growth", "xy"),))] * 2, "no lookup and no earlier"),
        ([reply(LOOKUP, (ELLANDOR, "revenue", "2023"), steps=(("sum", "t"), ("sum", "s")))] * 2, "no lookup and no"),
        ([json.dumps({"question": LOOKUP, "lookups": [{"id": str(n), "item": "x"} for n in range(500)]})] * 2,
         "no usable reply"),
        ([reply(LOOKUP, ("Microsoft", "revenue", "2023"))], "looks up Microsoft"),
        ([reply(LOOKUP, ("Brackwater", "revenue", "2023"))], "looks up Brackwater"),
        ([reply(LOOKUP, (ELLANDOR, "total assets", "2023"))], "looks up “total assets”"),
        ([reply(LOOKUP, (ELLANDOR, "net income", "2023"))], "looks up “net income”"),
        ([reply(LOOKUP, (ELLANDOR, "revenue", "2020"))], "looks up 2020"),
        ([reply(LOOKUP, (ELLANDOR, "revenue", "2024"))], "looks up 2024"),
        ([reply(LOOKUP, (ELLANDOR, "revenue", ""))], "leaves out 2023"),
        ([reply(LOOKUP, (ELLANDOR, "revenue", "2023"), steps=(("growth", "a"),))], "takes two figures"),
        ([reply(LOOKUP, (ELLANDOR, "revenue", "2023", "Europe"))], "looks up “Europe”"),
    ],
    ids=["no", "empty", "prose", "another language", "down", "unknown ids", "a circle", "500 lookups", "nobody's",
         "another company", "another item", "another metric", "another year", "the year after", "no year",
         "no calculation", "another segment"],
)  # fmt: skip
def test_a_plan_that_is_none_or_another_leaves_the_question_to_be_read_by_rule(
    ask: Ask, said: list[str], because: str
) -> None:
    run = ask(LOOKUP, plans=said)
    assert "Ellandor's revenue was EUR 601,020 thousand in 2023" in run.result.answer
    (note,) = (note for note in run.notes if note.startswith("The question was read by rule."))
    assert because in note
    assert run.state["error"] is None


def test_a_name_that_the_plan_leaves_out_is_not_answered_for_the_whole_company(ask: Ask) -> None:
    question = "What was Ellandor's revenue from Antarctica in 2023?"
    run = ask(question, plans=[reply(question, (ELLANDOR, "revenue", "2023"))])
    assert run.result.status is not Status.ANSWERED
    assert any("leaves out “Antarctica”" in note for note in run.notes)


def test_a_company_that_is_not_there_is_refused(ask: Ask) -> None:
    question = "What was Microsoft's revenue in 2023?"
    run = ask(question, plans=[reply(question, ("Microsoft", "revenue", "2023"))])
    assert run.result.status is Status.REFUSED
    assert "do not mention “Microsoft”" in run.state["response"]["refusal"]


def test_what_a_plan_misses_is_searched_for_again(ask: Ask) -> None:
    question = "What was Brackwater's revenue in 2020?"
    run = ask(question, plans=[reply(question, ("Brackwater", "revenue", "2020"))])
    assert run.state["retrieval_attempts"] == 3
    assert run.result.status is Status.REFUSED
    (gap,) = run.state["gaps"]
    assert gap["reason"] == "There is no figure for revenue of Brackwater Sensors AG in 2020."
    searched = next(event for event in run.state["trace"] if event["node"] == "refinement")["reason"]
    assert "turnover" in searched
    assert "2020" in searched


def test_a_question_for_words_goes_to_the_reader(ask: Ask) -> None:
    question = "What made Laboratory Instruments decline in 2023?"
    run = ask(question, plans=[reply(question, words=True)])
    assert not run.state["analysis_results"]["analysis"]["results"]
    assert "postponed orders" in run.result.answer


def test_the_chart_that_a_plan_asks_for_is_drawn(ask: Ask) -> None:
    question = "Show Ellandor's revenue from 2022 to 2024 in bars"
    run = ask(question, plans=[reply(question, (ELLANDOR, "revenue", "2022 to 2024"), show="bar")])
    assert run.result.charts[0]["config"]["type"] == "bar"
