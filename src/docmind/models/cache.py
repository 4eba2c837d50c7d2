"""Remembers vectors by the hash of their text: what was embedded once is not computed or paid for again."""

import hashlib
import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np

from docmind.domain.files import private_file
from docmind.models.embedding import Embedder, Vectors

_T = TypeVar("_T")
_log = logging.getLogger(__name__)

_DEFAULT_BYTES = 512 * 1024 * 1024
_KEYS_PER_LOOKUP = 500
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, vector BLOB NOT NULL)"


class CachedEmbedder:
    """An embedder with a file in front of it that any number of threads and processes may share.

    The oldest vectors go when the file holds `max_bytes` of them. A cache that cannot be read or written costs time,
    never the answer: the embedder behind it is asked instead. Questions are not remembered: they seldom come twice.
    """

    def __init__(self, embedder: Embedder, path: Path, *, max_bytes: int = _DEFAULT_BYTES) -> None:
        self._embedder = embedder
        self._path = path
        self._max_bytes = max_bytes

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed_query(self, text: str) -> Vectors:
        return self._embedder.embed_query(text)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return self._embedder.embed_passages(texts)
        keys = [self._key(text) for text in texts]
        known = self._guarded(lambda database: _look_up(database, list(dict.fromkeys(keys)))) or {}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            fresh = dict(zip(missing, self._embedder.embed_passages(list(missing.values())), strict=True))
            self._guarded(lambda database: _store(database, fresh, self._max_bytes))
            known |= fresh
        return np.stack([known[key] for key in keys])

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self.name}\0{text}".encode("utf-8", "surrogatepass")).digest()

    def _guarded(self, work: Callable[[sqlite3.Connection], _T]) -> _T | None:
        """The work's result, or None where the cache would not have it."""
        try:
            with self._open() as database:
                return work(database)
        except (sqlite3.OperationalError, OSError) as error:
            _log.warning("Embedding without the cache %s: %s", self._path, error)
        except sqlite3.DatabaseError as error:
            _log.warning("The embedding cache %s is damaged (%s); it was set aside and begun anew.", self._path, error)
            self._set_aside()
        return None

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """A connection for one piece of work: nothing to share between threads, or to carry into a forked process."""
        with closing(sqlite3.connect(private_file(self._path), timeout=10)) as database:
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=NORMAL")
            database.execute(_TABLE)
            with database:
                yield database

    def _set_aside(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            damaged = self._path.with_name(self._path.name + suffix)
            if damaged.exists():
                damaged.replace(self._path.with_name(f"{self._path.name}.damaged{suffix}"))


def _look_up(database: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
    found: dict[bytes, Vectors] = {}
    for start in range(0, len(keys), _KEYS_PER_LOOKUP):
        some = keys[start : start + _KEYS_PER_LOOKUP]
        places = ",".join("?" * len(some))
        rows = database.execute(f"SELECT key, vector FROM vectors WHERE key IN ({places})", some)  # noqa: S608
        found.update((key, np.frombuffer(vector, dtype="<f4")) for key, vector in rows)
    return found


def _store(database: sqlite3.Connection, vectors: dict[bytes, Vectors], max_bytes: int) -> None:
    rows = [(key, vector.astype("<f4").tobytes()) for key, vector in vectors.items()]
    database.executemany("INSERT OR IGNORE INTO vectors (key, vector) VALUES (?, ?)", rows)
    # Ids only grow, so the highest less the allowed number is the last one too old to keep.
    allowed = max(1, max_bytes // len(rows[0][1]))
    database.execute("DELETE FROM vectors WHERE id <= (SELECT max(id) FROM vectors) - ?", (allowed,))
