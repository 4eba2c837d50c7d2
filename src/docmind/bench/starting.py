"""What starting a command costs: processor time, which other work on the machine changes less than the clock."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from docmind.bench.report import Aim, Row
from docmind.bench.served import served
from docmind.bench.workbench import SCOPE
from docmind.domain.errors import BenchError

_PROGRAM = ("-c", "from docmind.cli.main import main; main()")
TRIES = 5
AIMS = {"docmind --version": Aim(0.1, at_most=True), "docmind ask": Aim(1.5, at_most=True)}
THROUGH_SERVICE = "docmind ask through a service"
AIM_THROUGH_SERVICE_S = Aim(0.3, at_most=True)
"""By the clock, beyond what the run took."""


def rows(data_dir: Path, embedder: str, question: str) -> list[Row]:
    """Commands over the store in `data_dir`, beside the interpreter alone and with LangGraph alone.

    `ask` is asked once more beside a running service, which then performs it.
    """
    commands = {
        "python": ("-c", ""),
        "import langgraph": ("-c", "import langgraph.graph"),
        "docmind --version": (*_PROGRAM, "--version"),
        "docmind ask": (*_PROGRAM, "ask", question, "--workspace", SCOPE.workspace),
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DOCMIND_")}
    chosen = kept | {"DOCMIND_DATA_DIR": str(data_dir), "DOCMIND_MODELS__EMBEDDER": embedder}
    took = {name: _cpu_seconds(arguments, chosen) for name, arguments in commands.items()}
    ask = commands["docmind ask"]
    with served(data_dir, embedder):
        took[THROUGH_SERVICE] = _cpu_seconds(ask, chosen)
        beyond_s = min(_seconds_beyond_the_run(ask, chosen) for _ in range(TRIES))
    return [
        *(Row("overhead", name, "cpu_s", seconds, TRIES, aim=AIMS.get(name)) for name, seconds in took.items()),
        Row("overhead", "docmind", "ask_through_service_s", beyond_s, TRIES, aim=AIM_THROUGH_SERVICE_S),
    ]


def _cpu_seconds(arguments: Sequence[str], environment: dict[str, str]) -> float:
    """The least of several tries, with the processes that were started and waited for."""
    tries = []
    for _ in range(TRIES):
        before = _of_children()
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, *arguments], stdout=subprocess.DEVNULL, env=environment, check=False
        )
        if done.returncode:
            raise BenchError(f"A command that was to be timed failed with exit code {done.returncode}; it said why.")
        tries.append(_of_children() - before)
    return min(tries)


def _seconds_beyond_the_run(arguments: Sequence[str], environment: dict[str, str]) -> float:
    """By the clock, from the call of `docmind ask` until it has ended, without what its run took."""
    begun = time.perf_counter()
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, *arguments, "--json"], stdout=subprocess.PIPE, env=environment, check=True
    )
    took_s = time.perf_counter() - begun
    run_s: float = json.loads(done.stdout)["usage"]["seconds"]
    return took_s - run_s


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
