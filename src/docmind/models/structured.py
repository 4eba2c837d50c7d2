"""A chat model's reply as a checked value: asked for by JSON schema, validated, repaired once, else a `Failure`."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from docmind.domain.budget import Usage
from docmind.domain.errors import BudgetExhausted, ModelError
from docmind.models.chat.model import ChatModel, Message, Reply, Room, fitted

Shape = TypeVar("Shape", bound=BaseModel)

MOST_CALLS = 2
"""Asked once, and once more to repair."""

_MOST_COMPLAINTS = 8
_SPACE = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Failure:
    """No value came, and why: the caller goes on without the model."""

    reason: str
    usage: Usage


async def ask(
    chat: ChatModel, messages: Sequence[Message], shape: type[Shape], *, room: Room | None = None
) -> Shape | Failure:
    """The value a model gives for these messages, within the room of each call.

    The schema is put into words even where the provider holds the model to it: a server that only constrains what may
    be written does not tell the model what is wanted. It stands in the first message, with what is the same in every
    call: providers keep what they have read of a prompt up to where it differs from the last.
    """
    schema = shape.model_json_schema()
    room = room or Room()
    first, *others = messages
    turns = [replace(first, content=f"{first.content}\n\n{_wanted(schema)}"), *others]
    spent, wrong = Usage(), ""
    for _ in range(MOST_CALLS):
        try:
            reply = await chat.complete(fitted(turns, room.read, schema), schema=schema, max_tokens=room.written)
        except ModelError as error:
            return Failure(str(error), spent + error.usage)
        except BudgetExhausted as error:
            return Failure(str(error), spent)
        spent += reply.usage
        value = parse(reply.text, shape)
        if isinstance(value, shape):
            return value
        wrong = str(value)
        turns = [*turns, Message("assistant", reply.text or "{}"), Message("user", _complaint(reply, wrong))]
    return Failure(f"The model {chat.name} gave no usable reply, even when asked again: {wrong}.", spent)


def parse(text: str, shape: type[Shape]) -> Shape | str:
    """The value in a reply, whatever stands around it; or what is wrong, in words."""
    wrong = "there is no whole JSON object in it"
    # What a model settles on comes last, after what it thought or repeated.
    for number, found in enumerate(reversed(list(json_objects(text)))):
        try:
            return shape.model_validate_json(found)
        except ValidationError as error:
            wrong = wrong if number else _faults(error)
    return wrong


def json_objects(text: str) -> Iterator[str]:
    """Every stretch that opens like an object and closes, outermost only: a part of a broken object is another."""
    start = text.find("{")
    while start >= 0:
        end: int | None = start + 1
        if _opens(text, start):
            end = _closing(text, start)
            if end is None:
                return
            yield text[start:end]
        start = text.find("{", end)


def _opens(text: str, start: int) -> bool:
    """Whether an object can begin here: braces in prose, formulas and code are followed by something else."""
    place = start + 1
    while place < len(text) and text[place] in _SPACE:
        place += 1
    return text.startswith(('"', "}"), place)


def _closing(text: str, start: int) -> int | None:
    """Where the object that opens at `start` has ended; braces within strings do not count."""
    depth, quoted, escaped = 0, False, False
    for place in range(start, len(text)):
        character = text[place]
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = quoted
        elif character == '"':
            quoted = not quoted
        elif not quoted and character in "{}":
            depth += 1 if character == "{" else -1
            if depth == 0:
                return place + 1
    return None


def _wanted(schema: dict[str, object]) -> str:
    written = json.dumps(_untitled(schema), ensure_ascii=False, separators=(",", ":"))
    return f"Reply with one JSON object that fits this JSON schema, and with nothing else:\n{written}"


def _untitled(schema: Any, *, names: bool = False) -> Any:
    """A schema without the titles that only repeat its names; `names` where its keys are names themselves."""
    if isinstance(schema, list):
        return [_untitled(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: inner for key, inner in schema.items() if names or key != "title"}
    return {key: _untitled(inner, names=key in ("properties", "$defs") and not names) for key, inner in kept.items()}


def _complaint(reply: Reply, wrong: str) -> str:
    shorter = " It was cut off because it was too long: be shorter." if reply.truncated else ""
    return f"That reply cannot be used: {wrong}.{shorter} Reply again with the corrected JSON object and nothing else."


def _faults(error: ValidationError) -> str:
    """What does not fit and where, without the values: a model is told what to change, not what it said."""
    faults = error.errors(include_url=False, include_input=False)[:_MOST_COMPLAINTS]
    return "; ".join(f"{'.'.join(map(str, fault['loc'])) or 'the object'}: {fault['msg']}" for fault in faults)
