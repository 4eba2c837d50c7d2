"""What the shipped models run on: texts as token ids, and rows of one length on ONNX Runtime, a core for each batch."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from docmind.domain.errors import DocMindError, EmbeddingError

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer


@lru_cache(maxsize=4)
def load_tokenizer(path: Path, *, max_tokens: int) -> "Tokenizer":
    """The tokenizer in the file, cutting after `max_tokens` and never padding; loaded once a process."""
    from tokenizers import Tokenizer

    if not path.is_file():
        raise EmbeddingError(f"The tokenizer {path.name} is missing from the installation: install docmind again.")
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def token_ids(tokenizer: "Tokenizer", texts: Sequence[str], *, special: bool = True) -> list[list[int]]:
    """The ids of each text, on all cores."""
    clean = [_encodable(text) for text in texts]
    return [encoding.ids for encoding in tokenizer.encode_batch_fast(clean, add_special_tokens=special)]


def encode(tokenizer: "Tokenizer", texts: Sequence[str]) -> "list[Encoding]":
    """Each text without the tokens that frame it, every token with its place in the text, on all cores."""
    return tokenizer.encode_batch([_encodable(text) for text in texts], add_special_tokens=False)


def _encodable(text: str) -> str:
    """Half a surrogate pair, as broken files hold, has no UTF-8 form and would be refused."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


# Small enough for a batch's activations to stay near the caches, large enough to fill the matrix kernels.
_TOKENS_PER_BATCH = 2048

TokenIds = Sequence[int]


class ModelSession:
    """Cores work on a batch each: sharing one batch, they would wait for each other."""

    def __init__(self, model: Path, *, threads: int, error: type[DocMindError], shared_by: int = 1) -> None:
        """`shared_by` cores work on one batch where there is no other: a long text that is read alone is waited for."""
        self._threads = threads
        self._error = error
        try:
            self._session = _open_session(model, shared_by)
        except Exception as failure:  # the runtime's own exceptions have no common base
            raise error(f"The model {model.name} cannot be loaded ({failure}): install docmind again.") from failure

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
        """The outputs of one batch, whose rows are of one length."""
        ids = np.array(rows, dtype=np.int32)
        lengths = np.full(len(rows), ids.shape[1], dtype=np.int32)
        try:
            outputs: list[Any] = self._session.run(None, {"input_ids": ids, "lengths": lengths})
        except Exception as error:  # the runtime's own exceptions have no common base
            raise self._error(f"ONNX Runtime failed on a batch of {len(rows)} texts: {error}") from error
        return outputs


@lru_cache(maxsize=4)
def _open_session(model: Path, shared_by: int) -> Any:
    """Loaded once a process, however many engines use it: sessions keep nothing from one run to the next."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = shared_by
    # One that waits for work lets others have its core.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.inter_op_num_threads = 1
    # Every batch has its own shape, so a memory plan made for one is useless to the next.
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def _by_length(rows: Sequence[TokenIds], cores: int) -> Iterator[list[int]]:
    """The places of rows of one length, longest first so that no core ends on a long batch alone.

    A row that is padded to the length of others is rounded in another way: only without padding is what the model makes
    of a text the same, to the byte, whatever it is batched with. Few rows are shared out too: a batch that could hold
    them all would leave the other cores idle.
    """
    share = -(-len(rows) // cores)
    longest_first = sorted(range(len(rows)), key=lambda place: len(rows[place]), reverse=True)
    for length, places in groupby(longest_first, key=lambda place: len(rows[place])):
        size = max(1, min(_TOKENS_PER_BATCH // length, share))
        alike = list(places)
        yield from (alike[start : start + size] for start in range(0, len(alike), size))
