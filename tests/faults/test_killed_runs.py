"""A run that is killed with kill -9 at any moment goes on in another process as if nothing had happened."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from docmind.domain.answers import RunResult, Status
from docmind.domain.scope import Scope
from docmind.domain.stream import NodeStarted, Resulted
from docmind.memory.run import RunState
from docmind.runtime.replay import compare
from docmind.runtime.workflows import WORKFLOWS
from tests.faults.killing import Moment, Walk
from tests.faults.scenarios import SCENARIOS, Stage, scope_of, stock

# Many processes are started for one test.
pytestmark = pytest.mark.timeout(600)

ROOT = Path(__file__).parents[2]


@dataclass
class Killed:
    """An installation in which every scenario was played once to its end, and killed at each of its moments."""

    stage: Stage
    home: Path
    walks: dict[str, tuple[Walk, list[Moment]]]

    def resumed(self, name: str, scope: Scope, run_id: str) -> tuple[list[str], RunResult]:
        """The nodes that begin when a run is taken up, and how it ends; what is asked back is answered."""
        scenario, nodes = SCENARIOS[name], []
        while True:
            run = self.stage.engine.find_run(run_id, scope)
            answer = scenario.answers[len(run.answers)] if run.state is RunState.WAITING else None
            for event in self.stage.engine.resume_stream(run_id, scope, answer):
                if isinstance(event, NodeStarted):
                    nodes.append(event.node)
            assert isinstance(event, Resulted)
            if event.result.status is not Status.NEEDS_CLARIFICATION:
                return nodes, event.result


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killed]:
    folder = tmp_path_factory.mktemp("killed")
    home = folder / "data"
    stock(home, folder)
    command = [sys.executable, "-m", "tests.faults.killing", str(home), *SCENARIOS]
    died = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert died.returncode == 0, died.stderr
    told = [json.loads(line) for line in died.stdout.splitlines()]
    walks = {name: (Walk(**walk), [Moment(**moment) for moment in moments]) for name, walk, moments in told}
    stage = Stage(home)
    yield Killed(stage, home, walks)
    stage.engine.close()


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.fault(
    "kill -9",
    "A run of any workflow, at every node of its graph and of the graphs within: before its first node, "
    "as a node begins, when a node is done and not yet written down, before its result is recorded",
    left="The run as `stopped`, “Its process ended before it did.”, with every finished node, reply and search",
    seen=(
        "`docmind runs resume RUN` goes on from there: the same answer as without the kill, one record, and a "
        "replay that is equal to the byte"
    ),
)
@pytest.mark.fault(
    "kill -9",
    "A run that asks a person, before and after its question is on record, and after it was answered",
    left="The question, or the answer, whichever came last",
    seen="It is asked once: what was answered is not asked again, and what nobody heard is put again",
)
def test_a_run_killed_at_any_moment_goes_on_from_its_last_finished_node(killed: Killed, name: str) -> None:
    engine, (walk, moments) = killed.stage.engine, killed.walks[name]
    whole = engine.runs(scope_of(name, 0))[0].result
    assert whole is not None
    killed.stage.play(name)
    for take, moment in enumerate(moments, 1):
        scope = scope_of(name, take)
        left = engine.runs(scope)[0]
        assert left.state is (RunState.WAITING if moment.kind == "asked" else RunState.STOPPED), moment
        assert left.reason == ("" if moment.kind == "asked" else "Its process ended before it did."), moment
        assert (left.result is not None) is (moment.kind == "asked"), moment
        nodes, result = killed.resumed(name, scope, left.id)
        assert nodes == [step.rpartition(":")[2] for step in walk.steps[moment.done :]], moment
        assert compare(whole, result) is None, moment
        assert engine.find_run(left.id, scope).state is RunState.ENDED
        assert engine.replay(left.id, scope).difference is None, moment
        assert len(engine.runs(scope)) == len(engine.runs(scope_of(name, 0)))


def test_every_node_of_every_graph_was_killed(killed: Killed) -> None:
    services, reached = killed.stage.engine.services(Scope("w")), dict[str, set[str]]()
    for name, (walk, _) in killed.walks.items():
        reached.setdefault(SCENARIOS[name].workflow, set()).update(walk.steps)
    for name, workflow in WORKFLOWS.items():
        drawn = workflow.build(services, None).get_graph(xray=True).nodes
        assert reached[name] == {node for node in drawn if not node.endswith(("__start__", "__end__"))}


@pytest.mark.fault(
    "kill -9",
    "A finance run that hands its turn to the memory of the user",
    left="The turn, once",
    seen="Nothing; it is recalled in the next session",
)
def test_what_a_killed_run_remembered_is_remembered_once(killed: Killed) -> None:
    """By the time this runs, every one of them has been taken up and has ended."""
    with closing(sqlite3.connect(killed.home / "memory.db")) as database:
        turns = database.execute("SELECT owner, count(*) FROM conversation_memory GROUP BY owner").fetchall()
    takes = {name: len(moments) for name, (_, moments) in killed.walks.items() if SCENARIOS[name].workflow == "finance"}
    assert dict(turns) == {scope_of(name, take).user: 1 for name in takes for take in range(takes[name] + 1)}
