"""A run that is killed with kill -9 goes on in another process, from its last finished node."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docmind.domain.answers import Status
from docmind.domain.scope import Scope
from docmind.domain.stream import NodeStarted, Resulted, RunStarted
from docmind.memory.run import RunState
from docmind.runtime.engine import DocMind
from docmind.settings import ModelSettings, Settings

SCOPE = Scope("w")
QUESTION = "How long are receipts kept?"
PATH = ["decompose", "retrieve", "generate", "judge", "output"]

# Each process dies where the named function would have begun: a node, or the record of the result.
KILLED = """
import os, signal, sys
from pathlib import Path

from docmind import DocMind, Scope, Settings
from docmind.memory.runs import Runs
from docmind.settings import ModelSettings
from docmind.workflows.docs import graph


async def die_at_node(state, runtime):
    os.kill(os.getpid(), signal.SIGKILL)


def die(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)


for where in sys.argv[2:]:
    if child := os.fork():
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
        continue
    if where == "result":
        Runs.end = die
    else:
        setattr(graph, f"{where}_node", die_at_node)
    engine = DocMind(Settings(data_dir=Path(sys.argv[1]), models=ModelSettings(embedder="static")))
    engine.run("How long are receipts kept?", Scope("w"))
    os._exit(0)
"""


@pytest.fixture(scope="module")
def engine(stock: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    """An installation in which one run after the other was killed, each a node later than the one before."""
    home = Path(shutil.copytree(stock, tmp_path_factory.mktemp("killed") / "data"))
    command = [sys.executable, "-c", KILLED, str(home), *PATH, "result"]
    died = subprocess.run(command, capture_output=True, text=True, check=False)
    assert died.returncode == 0, died.stderr
    with DocMind(Settings(data_dir=home, models=ModelSettings(embedder="static"))) as opened:
        yield opened


@pytest.mark.parametrize("where", [*PATH, "result"])
def test_a_killed_run_goes_on_from_its_last_finished_node(where: str, engine: DocMind) -> None:
    left = engine.runs(SCOPE)[::-1][[*PATH, "result"].index(where)]
    assert (left.state, left.result, left.question) == (RunState.RUNNING, None, QUESTION)

    told = list(engine.resume_stream(left.id, SCOPE))
    assert isinstance(told[0], RunStarted)
    begun = [event.node for event in told if isinstance(event, NodeStarted)]
    assert begun == (PATH[PATH.index(where) :] if where in PATH else [])
    assert isinstance(told[-1], Resulted)
    result = told[-1].result
    assert (result.status, result.run_id) == (Status.ANSWERED, left.id)
    assert [event.node for event in result.trace] == PATH
    assert engine.find_run(left.id, SCOPE).state is RunState.ENDED
    assert engine.replay(left.id, SCOPE).difference is None
