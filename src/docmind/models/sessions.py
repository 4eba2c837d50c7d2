"""Runs a shipped model on ONNX Runtime: rows of like length together, a core for each batch."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from docmind.domain.errors import DocMindError

# Small enough for a batch's activations to stay near the caches, large enough to fill the matrix kernels.
_TOKENS_PER_BATCH = 2048

TokenIds = Sequence[int]


class ModelSession:
    """Cores work on a batch each: sharing one batch, they would wait for each other."""

    def __init__(self, model: Path, *, threads: int, error: type[DocMindError]) -> None:
        self._threads = threads
        self._error = error
        self._session = _open(model, error)

    def run_all(self, rows: Sequence[TokenIds], take: Callable[[Sequence[int], list[Any]], None]) -> None:
        """Give `take` the outputs of every batch with the places of its rows; it is called from several threads."""

        def work(places: list[int]) -> None:
            take(places, self.run([rows[place] for place in places]))

        batches = list(_by_length(rows, self._threads))
        if len(batches) <= 1:
            for places in batches:
                work(places)
            return
        with ThreadPoolExecutor(min(self._threads, len(batches)), thread_name_prefix="model") as pool:
            for _ in pool.map(work, batches):
                pass

    def run(self, rows: Sequence[TokenIds]) -> list[Any]:
        """The outputs of one batch."""
        lengths = np.fromiter(map(len, rows), dtype=np.int32, count=len(rows))
        padded = np.zeros((len(rows), int(lengths.max())), dtype=np.int32)
        padded[np.arange(padded.shape[1]) < lengths[:, None]] = np.concatenate([np.asarray(r, np.int32) for r in rows])
        try:
            outputs: list[Any] = self._session.run(None, {"input_ids": padded, "lengths": lengths})
        except Exception as error:  # the runtime's own exceptions have no common base
            raise self._error(f"ONNX Runtime failed on a batch of {len(rows)} texts: {error}") from error
        return outputs


def _open(model: Path, failure: type[DocMindError]) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # Every batch has its own shape, so a memory plan made for one is useless to the next.
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime's own exceptions have no common base
        raise failure(f"The model {model.name} cannot be loaded ({error}): install docmind again.") from error


def _by_length(rows: Sequence[TokenIds], cores: int) -> Iterator[list[int]]:
    """The places of rows of like length, longest first so that no core ends on a long batch alone.

    Few rows are shared out too: a batch that could hold them all would leave the other cores idle.
    """
    order = sorted(range(len(rows)), key=lambda place: len(rows[place]), reverse=True)
    share = -(-len(rows) // cores)
    start = 0
    while start < len(order):
        size = max(1, min(_TOKENS_PER_BATCH // len(rows[order[start]]), share))
        yield order[start : start + size]
        start += size
