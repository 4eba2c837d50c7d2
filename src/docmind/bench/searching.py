"""Searches in a process of its own, timed inside it and its memory watched from outside."""

import sys
import time
from dataclasses import dataclass
from pathlib import Path

from docmind.bench import generated
from docmind.bench.metrics import percentile
from docmind.bench.qdrant_server import Server
from docmind.bench.watched import tell, watch
from docmind.bench.workbench import SCOPE, open_engine


@dataclass(frozen=True, slots=True)
class Searching:
    p50_ms: float
    p95_ms: float
    peak_mb: float | None
    """The most memory that the process and all it started held at once; None where the system does not tell."""


def search_in_process(data_dir: Path, embedder: str, searches: int, server: Server | None = None) -> Searching:
    """Ask so many questions one after the other, of the server where one is given."""
    told, (peak_mb,) = watch(
        __name__,
        *(str(data_dir), embedder, str(searches), *((server.url,) if server else ())),
        beside=(server.pid,) if server else (),
    )
    return Searching(told["p50_ms"], told["p95_ms"], peak_mb)


def main(data_dir: Path, embedder: str, searches: int, url: str | None = None) -> None:
    warm_up = max(1, searches // 20)
    took_ms = []
    with open_engine(data_dir, embedder, index_url=url) as engine:
        for question in generated.questions(warm_up + searches):
            begun = time.perf_counter()
            engine.search(question, SCOPE)
            took_ms.append((time.perf_counter() - begun) * 1000)
    measured = took_ms[warm_up:]
    tell(p50_ms=percentile(measured, 50), p95_ms=percentile(measured, 95))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), *sys.argv[4:])
