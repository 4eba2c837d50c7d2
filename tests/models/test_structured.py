"""Values out of what chat models write: found, checked, repaired once, or a failure that says why."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from docmind.domain.budget import Budget, Usage
from docmind.domain.errors import ModelError
from docmind.models.chat.meter import Meter, MeteredChat
from docmind.models.chat.model import Message, Room
from docmind.models.chat.recording import ScriptedChat
from docmind.models.structured import Failure, ask, json_objects, parse

ASKED = [Message("system", "Split questions."), Message("user", "How do A and B differ?")]


class Plan(BaseModel):
    """The parts of a question."""

    parts: list[str] = Field(min_length=1)
    score: float = Field(ge=0, le=1)


GOOD = Plan(parts=["What is {A}?", 'Is "B" so?'], score=0.5)


@pytest.mark.parametrize(
    "around",
    [
        "%s",
        "```json\n%s\n```",
        "Here you are:\n\n```\n%s\n```\nI hope this helps {you}!",
        "The form {parts} is filled: %s",
        "<think>Maybe {\"parts\": []}? Or {'x': 1}.</think>%s",
        "The set {1, 2, ... is left open. %s",
    ],
)
def test_the_object_is_found_whatever_stands_around_it(around: str) -> None:
    assert parse(around % GOOD.model_dump_json(), Plan) == GOOD


def test_a_part_of_a_broken_object_is_not_taken_for_the_object() -> None:
    class Loose(BaseModel):
        note: str = ""

    assert isinstance(parse('{"inner": {"note": "x"}, "cut": "o', Loose), str)
    assert "trailing comma" in str(parse('{"inner": {"note": "x"},}', Loose))


def test_the_last_object_that_fits_is_taken() -> None:
    first, last = (Plan(parts=[part], score=1).model_dump_json() for part in ("first", "last"))
    assert parse(f"{first} no: {last} ({{}})", Plan) == Plan(parts=["last"], score=1)


@given(st.text(), st.text(), st.lists(st.text(), min_size=1), st.floats(0, 1))
def test_any_value_survives_prose_without_braces(before: str, after: str, parts: list[str], score: float) -> None:
    value = Plan(parts=parts, score=score)
    bare = [text.replace("{", "(").replace("}", ")") for text in (before, after)]
    assert parse(bare[0] + value.model_dump_json() + bare[1], Plan) == value


@given(st.text(alphabet='{}"\\ab:,[]1'))
def test_whatever_is_written_parsing_ends_in_a_value_or_in_words(text: str) -> None:
    assert isinstance(parse(text, Plan), Plan | str)
    assert all(found[0] + found[-1] == "{}" for found in json_objects(text))


@pytest.mark.parametrize("text", ["{" * 200_000, '{"a":' * 50_000 + "1" + "}" * 50_000, '{"' * 100_000, "}" * 200_000])
def test_hostile_nesting_ends_soon(text: str) -> None:
    assert isinstance(parse(text, Plan), str)


def test_a_value_is_asked_for_in_words_and_by_schema() -> None:
    chat = ScriptedChat([GOOD.model_dump_json()])
    assert asyncio.run(ask(chat, ASKED, Plan)) == GOOD
    assert chat.schemas == [Plan.model_json_schema()]
    assert [message.role for message in chat.requests[0]] == ["system", "user"]
    assert chat.requests[0][0].content.startswith(ASKED[0].content)
    assert '"minItems":1' in chat.requests[0][0].content


def test_a_bad_reply_is_repaired_by_saying_what_was_wrong() -> None:
    chat = ScriptedChat(['{"parts": [], "score": 7}', GOOD.model_dump_json()])
    assert asyncio.run(ask(chat, ASKED, Plan)) == GOOD
    *_, said, complaint = chat.requests[1]
    assert said == Message("assistant", '{"parts": [], "score": 7}')
    assert "parts: List should have at least 1 item" in complaint.content
    assert "score: Input should be less than or equal to 1" in complaint.content


def test_a_reply_that_was_cut_off_is_asked_for_in_short() -> None:
    chat = ScriptedChat([GOOD.model_dump_json(), GOOD.model_dump_json()])
    failure = asyncio.run(ask(chat, ASKED, Plan, room=Room(5)))
    assert isinstance(failure, Failure)
    assert "be shorter" in chat.requests[1][-1].content


def test_two_bad_replies_are_a_failure_with_what_was_spent() -> None:
    meter = Meter()
    chat = MeteredChat(ScriptedChat(["no", "still no"]), meter)
    failure = asyncio.run(ask(chat, ASKED, Plan))
    assert isinstance(failure, Failure)
    assert "there is no whole JSON object in it" in failure.reason
    assert failure.usage == meter.spent
    assert failure.usage.model_calls == 2


def test_a_model_that_fails_is_a_failure_too() -> None:
    meter = Meter()
    chat = MeteredChat(ScriptedChat(["garbage", ModelError("The key is wrong.")]), meter)
    failure = asyncio.run(ask(chat, ASKED, Plan))
    assert failure == Failure("The key is wrong.", meter.spent)


def test_a_budget_that_ends_before_the_repair_is_a_failure_and_keeps_the_reserve() -> None:
    meter = Meter(Budget(calls=2))
    chat = MeteredChat(ScriptedChat(["garbage", "the answer"]), meter)
    failure = asyncio.run(ask(chat, ASKED, Plan))
    assert isinstance(failure, Failure)
    assert "2 model calls" in failure.reason
    assert failure.usage.model_calls == 1
    assert asyncio.run(chat.answering().complete(ASKED)).text == "the answer"


def test_a_budget_of_nothing_asks_nobody() -> None:
    chat = ScriptedChat([])
    failure = asyncio.run(ask(MeteredChat(chat, Meter(Budget(calls=0))), ASKED, Plan))
    assert isinstance(failure, Failure)
    assert (chat.calls, failure.usage) == (0, Usage())


def test_a_model_is_shown_a_schema_without_titles_that_repeat_its_names() -> None:
    class Book(BaseModel):
        """A book."""

        title: str
        year: int

    chat = ScriptedChat(['{"title": "Heron", "year": 2026}'])
    assert asyncio.run(ask(chat, ASKED, Book)) == Book(title="Heron", year=2026)
    shown = chat.requests[0][0].content
    assert '"properties":{"title":{"type":"string"},"year":{"type":"integer"}}' in shown
    assert '"title":"' not in shown
    assert chat.schemas[0] == Book.model_json_schema()
