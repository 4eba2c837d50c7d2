"""What a run tells while it goes on, each thing once and in the order it happens."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from docmind.domain.answers import CheckedClaim, RunResult
from docmind.domain.trace import Event


class StreamUpdate(BaseModel):
    """The base of every update that a run streams."""

    model_config = ConfigDict(frozen=True)


class RunStarted(StreamUpdate):
    """A run begins, or goes on; it can take at most so much."""

    type: Literal["run_started"] = "run_started"
    run_id: str
    workflow: str
    most_steps: int
    most_model_calls: int
    most_input_tokens: Annotated[int, Field(description="Tokens that chat models read.")] = 0
    most_output_tokens: Annotated[int, Field(description="Tokens that they write.")] = 0
    most_cost: Annotated[float | None, Field(description="At the prices that are set; null where one is not.")] = 0.0


class NodeStarted(StreamUpdate):
    type: Literal["node_started"] = "node_started"
    node: str
    started: Annotated[float, Field(description="Seconds since the run began.")]
    doing: Annotated[str, Field(description="What it does, for people.", examples=["Searching the documents"])] = ""


class DraftText(StreamUpdate):
    """A piece of a text that no judge has passed yet: only the result says what was."""

    type: Literal["draft"] = "draft"
    node: str
    text: str
    fresh: Annotated[bool, Field(description="A new text begins here; what was drafted before is void.")]


class ClaimChecked(StreamUpdate):
    type: Literal["claim_checked"] = "claim_checked"
    claim: CheckedClaim


class NodeDecided(StreamUpdate):
    """A node is done: what it decided, why, and what that took."""

    type: Literal["node_decided"] = "node_decided"
    event: Event


class Resulted(StreamUpdate):
    """The run has ended, or waits for a person where its result asks for a clarification."""

    type: Literal["result"] = "result"
    result: RunResult


StreamEvent = Annotated[
    RunStarted | NodeStarted | DraftText | ClaimChecked | NodeDecided | Resulted, Field(discriminator="type")
]
