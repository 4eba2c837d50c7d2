"""What a run did, step by step: the one list that the page, the program, the stream and a replay all read."""

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field


class Event(BaseModel):
    """One step of a run: a node, what it decided and why, and what that took."""

    model_config = ConfigDict(frozen=True)

    node: str
    decision: str
    reason: str = ""
    note: Annotated[str, Field(description="What was done without what failed on the way, and what failed.")] = ""
    started: Annotated[float, Field(description="Seconds since the run began.")] = 0.0
    seconds: float = 0.0
    model_calls: int = 0
    tokens: Annotated[int, Field(description="Read and written by chat models.")] = 0
    output_tokens: Annotated[int, Field(description="Those of them that were written.")] = 0
    cost: Annotated[float | None, Field(description="At the prices that are set; null where one is not.")] = 0.0
    detail: dict[str, Any] = {}
    """Counts and scores worth showing; plain data, no text of documents."""


def notices(events: Iterable[Event]) -> list[str]:
    """Each failure once, with all that was done without what failed: a model that is away fails at every step."""
    found: dict[str, list[str]] = {}
    for event in events:
        done, _, why = event.note.partition(". ")
        steps = found.setdefault(why or done, [])
        if why and f"{done}." not in steps:
            steps.append(f"{done}.")
    return [" ".join([why, *steps]) for why, steps in found.items() if why]
