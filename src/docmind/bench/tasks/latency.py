"""Latency: how long a question takes in a store of this size, and whether an event loop beside it ever has to wait."""

import asyncio
import time
from collections.abc import Callable, Sequence

from docmind.bench import generated
from docmind.bench.event_loop import longest_stall_ms
from docmind.bench.metrics import percentile
from docmind.bench.report import Aim, Row
from docmind.bench.stores import Store, generated_store, short
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.corpus.index.embedded.index import EdgeIndex
from docmind.models.embedding import Embedder, open_embedder
from docmind.runtime.engine import DocMind

AIM_P50_MS = Aim(15, at_most=True)
AIM_PASSAGES = 100_000
AIM_STALL_MS = Aim(50, at_most=True)
AT_ONCE = 8
IDLE_S = 1.0


def run(bench: Workbench, *, sizes: Sequence[int] = (10_000, 100_000), searches: int = 400) -> list[Row]:
    """Stores are filled by the `static` embedder, whose share of a search is a fraction of a millisecond; each question
    is embedded by `minilm` besides, as an installation with the default embedder would."""
    minilm = open_embedder("minilm")
    warm_up = searches // 20
    questions = generated.questions(warm_up + searches)
    idle = longest_stall_ms(asyncio.sleep(IDLE_S))
    rows: list[Row] = []
    for size in sizes:
        store = generated_store(bench, size, "static")
        title = f"latency: {size:,} passages"
        with open_engine(store.data_dir, "static") as engine, bench.steps(title, searches) as done:
            rows += _timed(engine, minilm, questions, warm_up, size, done)
            stall = longest_stall_ms(_search_all(engine, questions))
            rows.append(_stall_row(f"asearch@{short(size)}", stall, searches, idle))
    # Optimising the smallest store takes seconds, the largest minutes; the loop beside it notices as little of either.
    stall = _stall_of_optimisation(generated_store(bench, sizes[0], "static"))
    return [*rows, _stall_row(f"optimize@{short(sizes[0])}", stall, 1, idle)]


def _timed(
    engine: DocMind, minilm: Embedder, questions: Sequence[str], warm_up: int, size: int, done: Callable[[int], None]
) -> list[Row]:
    embed_ms, search_ms = [], []
    for number, question in enumerate(questions):
        begun = time.perf_counter()
        minilm.embed_query(question)
        embedded = time.perf_counter()
        engine.search(question, SCOPE)
        found = time.perf_counter()
        if number >= warm_up:
            embed_ms.append((embedded - begun) * 1000)
            search_ms.append((found - embedded) * 1000)
            done(len(search_ms))
    both_ms = [one + other for one, other in zip(embed_ms, search_ms, strict=True)]
    aim = AIM_P50_MS if size == AIM_PASSAGES else None
    return [
        *_percentiles(f"search@{short(size)}", search_ms, aim),
        *_percentiles(f"embed+search@{short(size)}", both_ms),
    ]


def _percentiles(system: str, milliseconds: Sequence[float], aim: Aim | None = None) -> list[Row]:
    return [
        Row("latency", system, "p50_ms", percentile(milliseconds, 50), len(milliseconds), aim=aim),
        Row("latency", system, "p95_ms", percentile(milliseconds, 95), len(milliseconds)),
    ]


async def _search_all(engine: DocMind, questions: Sequence[str]) -> None:
    places = asyncio.Semaphore(AT_ONCE)

    async def search(question: str) -> None:
        async with places:
            await engine.asearch(question, SCOPE)

    await asyncio.gather(*map(search, questions))


def _stall_of_optimisation(store: Store) -> float:
    embedder = open_embedder("static")
    # A store this small is as quick without, and would be left as it is.
    index = EdgeIndex(store.data_dir / "index", dimension=embedder.dimension, embedder=embedder.name, optimize_above=0)
    try:
        return longest_stall_ms(asyncio.to_thread(index.optimize, SCOPE.workspace))
    finally:
        index.close()


def _stall_row(system: str, stall_ms: float, n: int, idle_ms: float) -> Row:
    return Row("latency", system, "loop_stall_ms", stall_ms, n, {"idle loop": idle_ms}, AIM_STALL_MS)
