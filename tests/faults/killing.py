"""Plays scenarios in processes that end with kill -9, one at every moment of a run that there is.

    python -m tests.faults.killing DATA_FOLDER SCENARIO...

One process plays them all elsewhere and forks a child for each moment, which has loaded and read already what takes
long. A line of JSON for each scenario says which steps a run takes that nobody kills, and at which moments the others
were killed, in the order of their records.
"""

import json
import os
import signal
import sys
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from langgraph.config import get_config

from docmind.domain.scope import Scope
from docmind.memory.runs import Runs
from docmind.runtime.session import Session
from docmind.workflows.step import Step
from tests.faults.scenarios import SCENARIOS, Scenario, Stage, scope_of
from tests.stores import copied


@dataclass(frozen=True, slots=True)
class Moment:
    """When a process is killed: `begin` or `end` of a step, `start` of the graph, before the record of a question
    (`wait`) or of the `result`, or once a person was `asked`."""

    kind: str
    done: int
    """Steps that need not be taken again."""


@dataclass
class Walk:
    """The steps of a run as it takes them, by their nodes in the drawn graph, and after how many a person is asked."""

    steps: list[str] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)

    def moments(self, seen: set[str], *, twice: bool) -> list[Moment]:
        """Every node that was not killed before: the first time at its end and, if `twice`, the last at its begin."""
        new = [step for step in dict.fromkeys(self.steps) if step not in seen]
        seen.update(new)
        last = {step: place for place, step in enumerate(self.steps)}
        first = {step: place for place, step in reversed([*enumerate(self.steps)]) if place + 1 not in self.asked}
        start = [Moment("start", 0)] if self.steps[0] in new else []
        begins = [Moment("begin", last[step]) for step in new] if twice else []
        ends = [Moment("end", first[step]) for step in new]
        waits = [Moment(kind, done) for done in self.asked for kind in ("wait", "asked")]
        return [*start, *begins, *ends, *waits, Moment("result", len(self.steps))]


def between_requests(stage: Stage) -> AbstractContextManager[object]:
    """All children share one connection to the index, so none may end in mid-sentence; others kill index and all."""
    index: Any = stage.engine.index
    lock: AbstractContextManager[object] = index._engine._host._lock
    return lock


def watch(walk: Walk, fatal: Moment | None, stage: Stage) -> None:
    """Note every step of this process, and end it at the fatal moment."""
    opened, decided, walked, wait, end = Step.__init__, Step.decided, Session.walk, Runs.wait, Runs.end

    def reach(kind: str, done: int) -> None:
        if fatal == Moment(kind, done):
            with between_requests(stage):
                os.kill(os.getpid(), signal.SIGKILL)

    def on_open(self: Step, *arguments: Any) -> None:
        walk.steps.append(_place())
        reach("begin", len(walk.steps) - 1)
        opened(self, *arguments)

    def on_decided(self: Step, *arguments: Any, **options: Any) -> dict[str, Any]:
        reach("end", len(walk.steps) - 1)
        return decided(self, *arguments, **options)

    def on_walk(self: Session, *arguments: Any) -> Any:
        reach("start", len(walk.steps))
        return walked(self, *arguments)

    def on_wait(self: Runs, *arguments: Any) -> None:
        walk.asked.append(len(walk.steps))
        reach("wait", len(walk.steps))
        wait(self, *arguments)
        reach("asked", len(walk.steps))

    def on_end(self: Runs, *arguments: Any) -> None:
        reach("result", len(walk.steps))
        end(self, *arguments)

    for owner, name, watched in (
        (Step, "__init__", on_open), (Step, "decided", on_decided), (Session, "walk", on_walk),
        (Runs, "wait", on_wait), (Runs, "end", on_end),
    ):  # fmt: skip
        setattr(owner, name, watched)


def _place() -> str:
    """The node under way, as the drawing of the graph calls it."""
    namespace: str = get_config()["configurable"]["checkpoint_ns"]
    return ":".join(part.partition(":")[0] for part in namespace.split("|"))


def play(stage: Stage, name: str, take: int, fatal: Moment | None) -> Walk:
    scope, walk = scope_of(name, take), Walk()
    scenario = stage.set(name, scope)
    watch(walk, fatal, stage)
    perform(stage, scenario, scope)
    return walk


def perform(stage: Stage, scenario: Scenario, scope: Scope) -> None:
    result = stage.ask(scenario, scope)
    for answer in scenario.answers:
        result = stage.engine.resume(result.run_id, scope, answer)


def rehearse(home: Path, names: list[str]) -> None:
    """On a copy, so that this process has loaded the models and remembers what they read."""
    stage = Stage(copied(home, home.with_name("rehearsal")))
    for name in names:
        scope = scope_of(name, 0)
        perform(stage, stage.set(name, scope), scope)
    stage.engine.close()


def forked(stage: Stage, name: str, take: int, fatal: Moment | None, told: Path) -> int:
    """How a child ended that played the scenario; what it walked is told where it lived."""
    if child := os.fork():
        return os.waitpid(child, 0)[1]
    told.write_text(json.dumps(asdict(play(stage, name, take, fatal))))
    with between_requests(stage):
        os._exit(0)


def main(home: Path, names: list[str]) -> None:
    rehearse(home, names)
    stage, told, seen = Stage(home), home / "walk.json", dict[str, set[str]]()
    # What takes long to open, every child has from here.
    stage.engine.embedder.embed_query("warm")
    stage.engine.services(Scope("w"))
    stage.engine.index.count("w")
    for name in names:
        if forked(stage, name, 0, None, told):
            raise SystemExit(f"{name} failed when nobody killed it.")
        walk = Walk(**json.loads(told.read_text()))
        scenario = SCENARIOS[name]
        moments = walk.moments(seen.setdefault(scenario.workflow, set()), twice=scenario.twice)
        for take, moment in enumerate(moments, 1):
            if (ended := forked(stage, name, take, moment, told)) != signal.SIGKILL:
                raise SystemExit(f"{name} was not killed at {moment}, and ended with {ended}: {told.read_text()}")
        sys.stdout.write(json.dumps([name, asdict(walk), [asdict(moment) for moment in moments]]) + "\n")
    stage.engine.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
