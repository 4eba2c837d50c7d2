"""Ingest: passages a second from files on disk to a searchable store, and the memory that takes, as the store grows.

`searchable_s` is until every passage can be found, `complete_s` until search is as quick and as good as it gets.
"""

from collections.abc import Sequence

from docmind.bench.report import Aim, Row
from docmind.bench.stores import generated_store, short
from docmind.bench.workbench import Workbench

FLAT = Aim(1.25, at_most=True)
"""What a passage may cost in a large store beside one in the smallest, noise included."""
SEARCHABLE_AT_ONCE = Aim(500)


def run(
    bench: Workbench, *, sizes: Sequence[int] = (1_000, 10_000, 100_000), minilm_sizes: Sequence[int] = (1_000,)
) -> list[Row]:
    rows = []
    rates = []
    for size in sizes:
        system = f"docmind@{short(size)}"
        rows += _rows(bench, system, size, "static")
        rates.append(generated_store(bench, size, "static").ingestion.per_second)
        if len(rates) > 1:
            references = {f"docmind@{short(sizes[0])}": 1.0}
            rows.append(Row("ingest", system, "ratio", rates[0] / rates[-1], size, references, FLAT))
    for size in minilm_sizes:
        rows += _rows(bench, f"docmind-minilm@{short(size)}", size, "minilm")
    return rows


def _rows(bench: Workbench, system: str, size: int, embedder: str) -> list[Row]:
    done = generated_store(bench, size, embedder).ingestion
    rows = [
        Row("ingest", system, "per_second", done.per_second, done.passages),
        Row("ingest", system, "searchable_s", done.stored_s, done.passages),
        Row(
            "ingest",
            system,
            "searchable_per_second",
            done.passages / done.stored_s,
            done.passages,
            aim=SEARCHABLE_AT_ONCE,
        ),
        Row("ingest", system, "complete_s", done.seconds, done.passages),
    ]
    if done.peak_mb is not None:
        rows.append(Row("ingest", system, "peak_mb", done.peak_mb, done.passages))
    return rows
