"""One run as it is remembered: who asked what, how far it came, and what it gave."""

from dataclasses import dataclass, field
from enum import StrEnum

from docmind.domain.answers import RunResult
from docmind.domain.scope import Scope


class RunState(StrEnum):
    RUNNING = "running"
    """Under way, or its process was killed: nobody can tell from outside."""
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
    state: RunState = RunState.RUNNING
    reason: str = ""
    """Why it stopped."""
    answers: tuple[Answer, ...] = ()
    ended: float | None = None
    result: RunResult | None = None

    @property
    def checkpoints(self) -> str:
        """What its checkpoints are kept under: nobody else's conversation can have the same name."""
        return checkpoints_of(self.id, self.workflow, self.scope.workspace, self.scope.user or "", self.thread)


def checkpoints_of(run_id: str, workflow: str, workspace: str, owner: str, thread: str | None) -> str:
    return run_id if thread is None else "/".join((workflow, workspace, owner, thread))
