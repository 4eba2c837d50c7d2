"""One ingest in a process of its own, timed inside it and its memory watched from outside."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from docmind.bench.qdrant_server import Server, wait_until_indexed
from docmind.bench.watched import tell, watch
from docmind.bench.workbench import SCOPE, open_engine
from docmind.corpus.discover import count_files
from docmind.corpus.report import IngestReport


@dataclass(frozen=True, slots=True)
class Ingestion:
    """Memory is the most that the process and all it started held at once; None where the system does not tell."""

    passages: int
    stored_s: float
    """Until every passage could be found."""
    seconds: float
    """Until search was as quick as it gets."""
    storing_mb: float | None
    optimising_mb: float | None

    @property
    def per_second(self) -> float:
        return self.passages / self.seconds

    @property
    def peak_mb(self) -> float | None:
        return max((peak for peak in (self.storing_mb, self.optimising_mb) if peak is not None), default=None)


def ingest_in_process(
    folder: Path, data_dir: Path, embedder: str, files_done: Callable[[int], None], server: Server | None = None
) -> Ingestion:
    """Ingest `folder` in a fresh process, into the server where one is given."""
    told, (storing_mb, optimising_mb) = watch(
        __name__,
        *(str(folder), str(data_dir), embedder, *((server.url,) if server else ())),
        milestones=("stored_s",),
        beside=(server.pid,) if server else (),
        heard=lambda told: files_done(int(told.get("files", 0))),
    )
    return Ingestion(int(told["passages"]), told["stored_s"], told["seconds"], storing_mb, optimising_mb)


def main(folder: Path, data_dir: Path, embedder: str, url: str | None = None) -> None:
    """Tell how many files are done, then how many passages came in and how long that took."""
    files = count_files([folder])
    with open_engine(data_dir, embedder, index_url=url) as engine:
        # Loading a model and opening a store happen once, however much is ingested.
        engine.embedder.embed_query("ready")
        engine.index.count(SCOPE.workspace)
        started = time.perf_counter()

        def note(_name: object, report: IngestReport) -> None:
            tell(files=report.files)
            if report.files == files:
                tell(stored_s=time.perf_counter() - started)

        report = engine.ingest([folder], SCOPE, note)
        if url:
            wait_until_indexed(url)
        seconds = time.perf_counter() - started
    if report.rejected:
        sys.exit(f"{report.rejected[0].name} was rejected: {report.rejected[0].reason}.")
    tell(passages=report.passages, seconds=seconds)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
