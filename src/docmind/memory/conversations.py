"""Threads: the conversations of a scope, put together from the runs that belong to them."""

from dataclasses import dataclass
from typing import Any

from docmind.domain.errors import NotFound
from docmind.domain.scope import Scope
from docmind.memory.run import Run, RunState
from docmind.memory.runs import Runs

_LONGEST_TITLE = 80


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation: its turns are runs that share a state."""

    id: str
    scope: Scope
    workflow: str
    runs: tuple[Run, ...]
    """Oldest first."""

    @property
    def title(self) -> str:
        """How it began."""
        question = " ".join(self.runs[0].question.split())
        return question if len(question) <= _LONGEST_TITLE else f"{question[: _LONGEST_TITLE - 1]}…"

    @property
    def started(self) -> float:
        return self.runs[0].started

    @property
    def last_turn(self) -> float:
        return self.runs[-1].started

    @property
    def waiting(self) -> Run | None:
        """The run that asks the person something, if it is the newest: an older one was passed over."""
        return self.runs[-1] if self.runs[-1].state is RunState.WAITING else None

    def export(self) -> dict[str, Any]:
        """The whole conversation as plain data, every answer with its sources."""
        return {
            "thread": self.id,
            "workflow": self.workflow,
            "workspace": self.scope.workspace,
            "user": self.scope.user,
            "turns": [_turn(run) for run in self.runs],
        }


def threads_of(runs: Runs, scope: Scope) -> list[Thread]:
    """The conversations of a scope, the one that was last spoken in first."""
    found: dict[tuple[str, str], list[Run]] = {}
    for run in runs.in_threads(scope):
        found.setdefault((run.workflow, run.thread or ""), []).append(run)
    threads = [Thread(thread, scope, workflow, tuple(turns)) for (workflow, thread), turns in found.items()]
    return sorted(threads, key=lambda thread: -thread.last_turn)


def find_thread(runs: Runs, thread: str, scope: Scope) -> Thread:
    """A conversation by its id; that of another scope is not found."""
    turns = runs.in_threads(scope, thread)
    if not turns:
        raise NotFound(f"There is no thread {thread[:80]!r} in workspace {scope.workspace!r}.")
    newest = turns[-1].workflow
    return Thread(thread, scope, newest, tuple(run for run in turns if run.workflow == newest))


def open_questions(runs: Runs, scope: Scope) -> list[Run]:
    """The runs that wait for an answer of the person, oldest first; a thread that has gone on waits for none."""
    waiting = runs.waiting(scope)
    return [run for run in waiting if run.thread is None or runs.last_of(run).id == run.id]


def is_expired(run: Run, now: float, *, within_s: float) -> bool:
    """Whether the question of a run was asked too long ago to be answered."""
    return now - run.started > within_s


def _turn(run: Run) -> dict[str, Any]:
    return {
        "run_id": run.id,
        "question": run.question,
        "started": run.started,
        "state": run.state.value,
        "clarifications": [answer.text for answer in run.answers],
        "result": run.result.model_dump(mode="json", exclude={"trace"}) if run.result else None,
    }
