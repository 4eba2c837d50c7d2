"""Chat: how long a turn of a conversation takes with no chat model, the first of a thread and one that leans on it."""

import time
from collections.abc import Callable, Sequence

from docmind.bench import generated
from docmind.bench.metrics import percentile
from docmind.bench.report import Aim, Row
from docmind.bench.stores import generated_store, short
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.runtime.engine import DocMind

AIM_P50_MS = Aim(200, at_most=True)
WARM_UP = 3


def run(bench: Workbench, *, passages: int = 1_000, threads: int = 50, embedder: str = "minilm") -> list[Row]:
    """Generated questions are answered by nothing, so that most turns go the whole way: retries, check, question."""
    store = generated_store(bench, passages, embedder)
    questions = generated.questions(WARM_UP + threads)
    with open_engine(store.data_dir, embedder) as engine, bench.steps("chat: threads", len(questions)) as done:
        first, second = zip(*_timed(engine, questions, done)[WARM_UP:], strict=True)
    size = short(passages)
    return [
        *_percentiles(f"first turn@{size}", first),
        *_percentiles(f"follow-up@{size}", second),
        Row("chat", f"turn@{size}", "p50_ms", percentile([*first, *second], 50), 2 * threads, aim=AIM_P50_MS),
    ]


def _timed(engine: DocMind, questions: Sequence[str], done: Callable[[int], None]) -> list[tuple[float, float]]:
    """Milliseconds of both turns of each thread."""
    times = []
    for number, question in enumerate(questions, start=1):
        word = question.rstrip("?").split()[-1]
        times.append((_turn_ms(engine, question, number), _turn_ms(engine, f"And what about the {word}?", number)))
        done(number)
    return times


def _turn_ms(engine: DocMind, message: str, thread: int) -> float:
    begun = time.perf_counter()
    engine.run(message, SCOPE, workflow="chat", thread=str(thread), conversational=True)
    return (time.perf_counter() - begun) * 1000


def _percentiles(system: str, milliseconds: Sequence[float]) -> list[Row]:
    return [
        Row("chat", system, "p50_ms", percentile(milliseconds, 50), len(milliseconds)),
        Row("chat", system, "p95_ms", percentile(milliseconds, 95), len(milliseconds)),
    ]
