"""Two processes that want to go on with the same run: one does, the other is told, and the dead hold nothing up."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from docmind.domain.answers import Status
from docmind.domain.errors import UnderWay
from docmind.domain.scope import Scope
from docmind.memory.run import RunState
from docmind.runtime.engine import DocMind
from docmind.settings import DatabaseSettings
from tests.faults.scenarios import settings

HERE = Scope("w")
# Many processes are started for one test.
pytestmark = pytest.mark.timeout(600)

ROOT = Path(__file__).parents[2]

# Asks, or goes on with a run, with a model that says nothing: it is at it until it is killed.
HOLDING = """
import sys
from pathlib import Path
from docmind import DocMind, Scope
from docmind.models.chat.roles import Roles
from docmind.models.chat.recording import ScriptedChat, Silence
from docmind.settings import DatabaseSettings
from tests.faults.scenarios import settings

def say(messages):
    print(engine.runs(Scope("w"))[0].id, flush=True)
    return Silence()

home, url, run = sys.argv[1:]
chosen = settings(Path(home)).model_copy(update={"database": DatabaseSettings(url=url or None)})
engine = DocMind(chosen, roles=Roles(writer=ScriptedChat(say)))
engine.resume(run, Scope("w")) if run else engine.run("How long are receipts kept?", Scope("w"))
"""


@contextmanager
def holding(home: Path, url: str, run: str = "") -> Iterator[str]:
    """The run that another process is at; it is killed in the end."""
    command = [sys.executable, "-c", HOLDING, str(home), url, run]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.send_signal(signal.SIGKILL)


@pytest.mark.parametrize("database", ["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
@pytest.mark.fault(
    "two at once",
    "A run that a second process resumes, and a third once the second was killed, on SQLite and PostgreSQL",
    left="The run, with whoever has it",
    seen=(
        "“The run, or its conversation, is being worked on or resumed by another process (process 4711 on "
        "box); wait for it to end.” A lease ends with its process, at once on the same machine and within a "
        "minute elsewhere"
    ),
)
def test_a_run_is_gone_on_with_by_one_process_at_a_time_and_by_the_next_as_soon_as_that_is_dead(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("postgres_url") if database == "postgres" else ""
    paper, home = tmp_path / "receipts.md", tmp_path / "data"
    paper.write_text("# Receipts\n\nReceipts are kept for ten years.\n")
    chosen = settings(home).model_copy(update={"database": DatabaseSettings(url=url or None)})
    with DocMind(chosen) as engine:
        engine.ingest([paper], HERE)
    with holding(home, url) as run, DocMind(chosen) as engine:
        with pytest.raises(UnderWay, match=r"is being worked on or resumed by another process \(process \d+ on .*\)"):
            engine.resume(run, HERE)
        assert engine.find_run(run, HERE).state is RunState.RUNNING
    with holding(home, url, run) as again, DocMind(chosen) as engine:
        assert again == run
        with pytest.raises(UnderWay):
            engine.resume(run, HERE)
    with DocMind(chosen) as engine:
        result = engine.resume(run, HERE)
        assert (result.status, result.run_id) == (Status.ANSWERED, run)
        assert "ten years" in result.answer
        assert [one.id for one in engine.runs(HERE)] == [run]
