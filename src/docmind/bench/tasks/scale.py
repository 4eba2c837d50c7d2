"""Scale: what a store costs from a thousand passages to a million, in time, memory and disk.

`docmind` has its index embedded, `docmind+server` in a Qdrant server on the same machine, whose memory counts with it.
"""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from docmind.bench.qdrant_server import Server, served
from docmind.bench.report import Row
from docmind.bench.searching import search_in_process
from docmind.bench.stores import Store, build, generated_store, short
from docmind.bench.workbench import Workbench

SIZES = (1_000, 10_000, 100_000, 1_000_000)
SEARCHES = 400
EMBEDDER = "static"
MEGABYTE = 1 << 20


def run(bench: Workbench, *, sizes: Sequence[int] = SIZES, searches: int = SEARCHES) -> list[Row]:
    rows = [row for size in sizes for row in embedded(bench, size, searches)]
    if program := shutil.which("qdrant"):
        return [*rows, *(row for size in sizes for row in through_server(bench, program, size, searches))]
    bench.note("There is no program called qdrant on the PATH: scale measures the embedded index alone.")
    return rows


def embedded(bench: Workbench, size: int, searches: int) -> list[Row]:
    store = generated_store(bench, size, EMBEDDER)
    return [*_rows(f"docmind@{short(size)}", store, store.data_dir / "index", searches)]


def through_server(bench: Workbench, program: str, size: int, searches: int) -> list[Row]:
    """A server for each size, so that none holds what an earlier one left behind."""
    with served([program]) as server:
        store = build(bench, size, EMBEDDER, server)
        return [*_rows(f"docmind+server@{short(size)}", store, server.storage, searches, server)]


def _rows(system: str, store: Store, index: Path, searches: int, server: Server | None = None) -> Iterator[Row]:
    done = store.ingestion
    index_mb, catalogue_mb = disk_mb([index]), disk_mb(store.data_dir.glob("catalogue.db*"))
    found = search_in_process(store.data_dir, EMBEDDER, searches, server)
    measured = {
        "ingest_s": done.stored_s,
        "per_second": done.passages / done.stored_s,
        "ingest_mb": done.storing_mb,
        "optimize_s": done.seconds - done.stored_s,
        "optimize_mb": done.optimising_mb,
        "index_mb": index_mb,
        "catalogue_mb": catalogue_mb,
        "bytes_a_passage": (index_mb + catalogue_mb) * MEGABYTE / done.passages,
        "search_mb": found.peak_mb,
    }
    yield from (Row("scale", system, name, value, done.passages) for name, value in measured.items() if value)
    yield Row("scale", system, "p50_ms", found.p50_ms, searches)
    yield Row("scale", system, "p95_ms", found.p95_ms, searches)


def disk_mb(paths: Iterable[Path]) -> float:
    """What the files below take on disk: the engine reserves far more than it fills."""
    files = (file for path in paths for file in ([path] if path.is_file() else path.rglob("*")))
    return sum(file.stat().st_blocks * 512 for file in files if file.is_file()) / MEGABYTE
