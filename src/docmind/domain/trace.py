"""What a run did, step by step: the one list that the page, the program, the stream and a replay all read."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field


class Event(BaseModel):
    """One step of a run: a node, what it decided and why, and what that took."""

    model_config = ConfigDict(frozen=True)

    node: str
    decision: str
    reason: str = ""
    note: Annotated[str, Field(description="What failed on the way, and what was done instead.")] = ""
    started: Annotated[float, Field(description="Seconds since the run began.")] = 0.0
    seconds: float = 0.0
    model_calls: int = 0
    tokens: int = 0
    detail: dict[str, Any] = {}
    """Counts and scores worth showing; plain data, no text of documents."""
