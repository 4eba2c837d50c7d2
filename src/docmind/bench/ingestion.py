"""One ingest in a process of its own, timed inside it and its memory watched from outside."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from docmind.bench.process_memory import peak_mb_while
from docmind.bench.workbench import SCOPE, open_engine
from docmind.domain.errors import BenchError


@dataclass(frozen=True, slots=True)
class Ingestion:
    passages: int
    seconds: float
    peak_mb: float | None
    """The most memory that the process and all it started held at once; None where the system does not tell."""

    @property
    def per_second(self) -> float:
        return self.passages / self.seconds


def ingest_in_process(folder: Path, data_dir: Path, embedder: str, files_done: Callable[[int], None]) -> Ingestion:
    """Ingest `folder` in a fresh process, so that neither memory nor anything loaded earlier counts."""
    command = [sys.executable, "-m", __name__, str(folder), str(data_dir), embedder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own module
        ended = threading.Event()
        told: dict[str, float] = {}

        def listen() -> None:
            for line in process.stdout or ():
                told.update(json.loads(line))
                files_done(int(told.get("files", 0)))
            ended.set()

        listener = threading.Thread(target=listen)
        listener.start()
        peak = peak_mb_while(process.pid, ended)
        listener.join()
    if process.returncode or "seconds" not in told:
        raise BenchError(
            f"The process that ingested {folder.name} ended with code {process.returncode} before it was done."
        )
    return Ingestion(int(told["passages"]), told["seconds"], peak)


def main(folder: Path, data_dir: Path, embedder: str) -> None:
    """Tell how many files are done, then how many passages came in and how long that took, as lines of JSON."""
    with open_engine(data_dir, embedder) as engine:
        # Loading a model and opening a store happen once, however much is ingested.
        engine.embedder.embed_query("ready")
        engine.index.count(SCOPE.workspace)
        started = time.perf_counter()
        report = engine.ingest([folder], SCOPE, lambda _name, report: _tell(files=report.files))
        seconds = time.perf_counter() - started
    if report.rejected:
        sys.exit(f"{report.rejected[0].name} was rejected: {report.rejected[0].reason}.")
    _tell(passages=report.passages, seconds=seconds)


def _tell(**numbers: float) -> None:
    sys.stdout.write(json.dumps(numbers) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
