"""A part of a benchmark in a process of its own: what it tells is heard line by line, its memory is watched outside."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence

from docmind.bench.process_memory import peak_mb_while
from docmind.domain.errors import BenchError

Numbers = Mapping[str, float]


def tell(**numbers: float) -> None:
    """To be called in the process."""
    sys.stdout.write(json.dumps(numbers) + "\n")
    sys.stdout.flush()


def watch(
    module: str,
    *arguments: str,
    milestones: Sequence[str] = (),
    beside: Sequence[int] = (),
    heard: Callable[[Numbers], None] = lambda _: None,
) -> tuple[Numbers, list[float | None]]:
    """Run the module to its end: all it told, and its peak of memory up to each milestone and from there to the end.

    A milestone is a number that it tells. Processes `beside` it count with it; neither memory nor anything loaded
    earlier here does.
    """
    reached = [threading.Event() for _ in milestones]
    ended = threading.Event()
    told: dict[str, float] = {}
    command = [sys.executable, "-m", module, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own module

        def listen() -> None:
            for line in process.stdout or ():
                told.update(json.loads(line))
                for milestone, event in zip(milestones, reached, strict=True):
                    if milestone in told:
                        event.set()
                heard(told)
            for event in (*reached, ended):
                event.set()

        listener = threading.Thread(target=listen)
        listener.start()
        peaks = [peak_mb_while((process.pid, *beside), event) for event in (*reached, ended)]
        listener.join()
    if process.returncode:
        raise BenchError(f"The process that ran {module} ended with code {process.returncode} before it was done.")
    return told, peaks
