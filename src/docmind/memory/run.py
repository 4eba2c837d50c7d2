"""One run as it is remembered: who asked what, how far it came, and what it gave."""

import unicodedata
from dataclasses import dataclass, field
from enum import StrEnum

from docmind.domain.answers import COURTESIES, RunResult
from docmind.domain.confidence import Threshold
from docmind.domain.errors import InvalidQuery
from docmind.domain.scope import Scope

_LONGEST_THREAD = 200


class RunState(StrEnum):
    RUNNING = "running"
    """Under way; on record also where its process was killed, which the leases on runs tell."""
    WAITING = "waiting"
    """A person is asked something."""
    STOPPED = "stopped"
    """It was interrupted or failed; it can go on from the last node that was finished."""
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person answered, and to which question of the graph."""

    to: str
    text: str


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the person who asked made of the answer."""

    right: bool
    comment: str = ""
    given: float = 0.0
    """Seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Run:
    id: str
    scope: Scope
    workflow: str
    question: str
    started: float
    """Seconds since 1970."""
    thread: str | None = None
    """The conversation it belongs to."""
    base: str | None = None
    """The checkpoint of the conversation that it started from."""
    models: dict[str, str] = field(default_factory=dict)
    """The chat models it asked, by their role."""
    threshold: Threshold = field(default_factory=Threshold)
    """How sure its answer must be to be given, as it was asked for."""
    max_retries: int | None = None
    """How often a strategy run may try again, as it was asked for; none where the settings say."""
    state: RunState = RunState.RUNNING
    reason: str = ""
    """Why it stopped."""
    answers: tuple[Answer, ...] = ()
    ended: float | None = None
    result: RunResult | None = None
    feedback: Feedback | None = None

    @property
    def is_courtesy(self) -> bool:
        """Whether it was a greeting, thanks or the like, as far as is known: a run under way has no result."""
        return self.result is not None and self.result.message_kind in COURTESIES

    @property
    def checkpoints(self) -> str:
        """What its checkpoints are kept under: nobody else's conversation can have the same name."""
        return checkpoints_of(self.id, self.workflow, self.scope.workspace, self.scope.user or "", self.thread)


@dataclass(frozen=True, slots=True)
class Outline:
    """A run without what it gave, for lists."""

    id: str
    workflow: str
    thread: str | None
    question: str
    started: float
    state: RunState
    scope: Scope
    is_courtesy: bool = False
    """Of a turn of a conversation: whether it was a greeting, thanks or the like."""

    @property
    def checkpoints(self) -> str:
        return checkpoints_of(self.id, self.workflow, self.scope.workspace, self.scope.user or "", self.thread)


def thread_name(given: str) -> str:
    """The name of a conversation, or a refusal of one that could not be typed again as it is shown."""
    hidden = any(unicodedata.category(character).startswith("C") for character in given)
    if hidden or "/" in given or not 0 < len(given.strip()) <= len(given) <= _LONGEST_THREAD:
        use = f"use 1 to {_LONGEST_THREAD} characters, none of them '/' or invisible."
        raise InvalidQuery(f"{given[:80]!r} cannot be the name of a thread: {use}")
    return given


def checkpoints_of(run_id: str, workflow: str, workspace: str, owner: str, thread: str | None) -> str:
    return run_id if thread is None else "/".join((workflow, workspace, owner, thread))
