"""Conversations of a scope, put together from their runs, with the titles and pins that people gave them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from docmind.database import open_database
from docmind.domain.errors import InvalidQuery, NotFound
from docmind.domain.scope import Scope
from docmind.memory.run import Outline, Run, RunState
from docmind.memory.runs import LABELS, SCHEMA, Runs
from docmind.memory.runs import storable_text as text

LONGEST_TITLE = 200
_PUT = sa.text(
    "INSERT INTO conversation_labels (conversation, workspace, owner, title, pinned) "
    "VALUES (:conversation, :workspace, :owner, :title, :pinned) "
    "ON CONFLICT (conversation) DO UPDATE SET title = excluded.title, pinned = excluded.pinned"
)


@dataclass(frozen=True, slots=True)
class Label:
    title: str | None = None
    """None where the first question is the title."""
    pinned: bool = False


def open_labels(url: str | None, root: Path) -> "Labels":
    """The labels at `url`, or in the folder `root` where none is given."""
    return Labels(open_database(url, root / "runs.db", SCHEMA, holds="The record of runs"))


class Labels:
    """Thread-safe; each method is one transaction. Conversations are named by what their checkpoints are kept under."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def close(self) -> None:
        self._engine.dispose()

    def find(self, conversation: str, scope: Scope) -> Label:
        this = (*_owned(scope), LABELS.c.conversation == conversation)
        with self._engine.connect() as connection:
            row = connection.execute(LABELS.select().where(*this)).mappings().first()
        return Label(row["title"], row["pinned"]) if row else Label()

    def all(self, scope: Scope) -> dict[str, Label]:
        """Those of a scope, by conversation."""
        with self._engine.connect() as connection:
            rows = connection.execute(LABELS.select().where(*_owned(scope))).mappings()
            return {row["conversation"]: Label(row["title"], row["pinned"]) for row in rows}

    def put(self, conversation: str, scope: Scope, label: Label) -> None:
        row = {"conversation": conversation, "workspace": scope.workspace, "owner": scope.user or ""}
        with self._engine.begin() as connection:
            connection.execute(_PUT, row | {"title": label.title, "pinned": label.pinned})


def title_of(given: str) -> str | None:
    """The title that was typed, on one line; None for an empty one, which brings the first question back."""
    title = " ".join(text(given).split())
    if len(title) > LONGEST_TITLE:
        raise InvalidQuery(f"The title has {len(title)} characters; the most is {LONGEST_TITLE}.")
    return title or None


def _owned(scope: Scope) -> tuple[sa.ColumnElement[bool], ...]:
    return LABELS.c.workspace == scope.workspace, LABELS.c.owner == (scope.user or "")


_LONGEST_FIRST_QUESTION = 80


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation: its turns are runs that share a state."""

    id: str
    scope: Scope
    workflow: str
    runs: tuple[Run, ...]
    """Oldest first."""
    label: Label

    @property
    def title(self) -> str:
        """What a person called it, or else its first question."""
        return self.label.title or first_question(self.runs)

    @property
    def checkpoints(self) -> str:
        """What its state is kept under."""
        return self.runs[0].checkpoints

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
            "title": self.title,
            "workflow": self.workflow,
            "workspace": self.scope.workspace,
            "user": self.scope.user,
            "turns": [exported_turn(run) for run in self.runs],
        }


@dataclass(frozen=True, slots=True)
class Conversation:
    """A thread, or a question that was asked by itself, as a list shows it."""

    id: str
    """The thread's, or of a single question the run's."""
    is_thread: bool
    workflow: str
    title: str
    pinned: bool
    started: float
    last_turn: float
    waiting: str | None
    """The run that asks the person something."""
    length: int


def conversations_of(runs: Runs, labels: Labels, scope: Scope, search: str = "") -> list[Conversation]:
    """The pinned ones first, then the one that was last spoken in; with `search`, those that hold all its words."""
    turns: dict[str, list[Outline]] = {}
    for one in runs.outlines(scope):
        turns.setdefault(one.checkpoints, []).append(one)
    given, words = labels.all(scope), search.casefold().split()
    found = [
        _conversation(each, given.get(conversation, Label()))
        for conversation, each in turns.items()
        if _holds(words, each, given.get(conversation, Label()))
    ]
    return sorted(found, key=lambda one: (not one.pinned, -one.last_turn))


def conversation_of_run(run: Run, labels: Labels) -> Conversation:
    """A question that was asked by itself, as a list shows it."""
    outline = Outline(run.id, run.workflow, run.thread, run.question, run.started, run.state, run.scope)
    return _conversation([outline], labels.find(run.checkpoints, run.scope))


def first_question(turns: Sequence[Outline | Run]) -> str:
    """The first question as a title, on one line; a greeting is the title only until something is asked."""
    first = next((turn for turn in turns if not turn.is_courtesy), turns[0])
    line = " ".join(first.question.split())
    return line if len(line) <= _LONGEST_FIRST_QUESTION else f"{line[: _LONGEST_FIRST_QUESTION - 1]}…"


def threads_of(runs: Runs, labels: Labels, scope: Scope, search: str = "") -> list[Thread]:
    """The threads of a scope, the pinned ones first, then the one that was last spoken in."""
    found: dict[tuple[str, str], list[Run]] = {}
    for run in runs.in_threads(scope):
        found.setdefault((run.workflow, run.thread or ""), []).append(run)
    given, words = labels.all(scope), search.casefold().split()
    threads = [
        Thread(thread, scope, workflow, tuple(turns), given.get(turns[0].checkpoints, Label()))
        for (workflow, thread), turns in found.items()
    ]
    wanted = [one for one in threads if _holds(words, one.runs, one.label)]
    return sorted(wanted, key=lambda thread: (not thread.label.pinned, -thread.last_turn))


def find_thread(runs: Runs, labels: Labels, thread: str, scope: Scope) -> Thread:
    """A conversation by its id; that of another scope is not found."""
    turns = runs.in_threads(scope, thread)
    if not turns:
        raise NotFound(f"There is no thread {thread[:80]!r} in workspace {scope.workspace!r}.")
    newest = turns[-1].workflow
    theirs = tuple(run for run in turns if run.workflow == newest)
    return Thread(thread, scope, newest, theirs, labels.find(theirs[0].checkpoints, scope))


def open_questions(runs: Runs, scope: Scope) -> list[Run]:
    """The runs that wait for an answer of the person, oldest first; a thread that has gone on waits for none."""
    waiting = runs.waiting(scope)
    return [run for run in waiting if run.thread is None or runs.last_of(run).id == run.id]


def is_expired(run: Run, now: float, *, within_s: float) -> bool:
    """Whether the question of a run was asked too long ago to be answered."""
    return now - run.started > within_s


def exported_run(run: Run) -> dict[str, Any]:
    """A single question as plain data."""
    where = {"workflow": run.workflow, "workspace": run.scope.workspace, "user": run.scope.user, "thread": run.thread}
    return where | exported_turn(run)


def exported_turn(run: Run) -> dict[str, Any]:
    """A run as plain data: what was asked, what it gave with its sources, and what the person made of it."""
    return {
        "run_id": run.id,
        "question": run.question,
        "started": run.started,
        "state": run.state.value,
        "clarifications": [answer.text for answer in run.answers],
        "result": run.result.model_dump(mode="json", exclude={"trace"}) if run.result else None,
        "feedback": asdict(run.feedback) if run.feedback else None,
    }


def _conversation(turns: Sequence[Outline], label: Label) -> Conversation:
    first, last = turns[0], turns[-1]
    return Conversation(
        id=first.thread or first.id,
        is_thread=first.thread is not None,
        workflow=first.workflow,
        title=label.title or first_question(turns),
        pinned=label.pinned,
        started=first.started,
        last_turn=last.started,
        # An older one that waits was passed over.
        waiting=last.id if last.state is RunState.WAITING else None,
        length=len(turns),
    )


def _holds(words: Sequence[str], turns: Sequence[Outline | Run], label: Label) -> bool:
    """Whether every word stands in the title or in a question."""
    said = " ".join((label.title or "", *(turn.question for turn in turns))).casefold()
    return all(word in said for word in words)
