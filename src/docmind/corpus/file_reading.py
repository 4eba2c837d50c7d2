"""What becomes of one file wherever it is read: its text, its passages and, on a cluster, their vectors."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

from docmind.corpus import chunk as chunking
from docmind.corpus.discover import Unit
from docmind.corpus.load import Limits, load
from docmind.corpus.readers import ProcessReaders, Readers
from docmind.domain.documents import Loaded, Metadata, indexed_text
from docmind.domain.errors import FileRejected, StoreMismatch
from docmind.models.embedding import LOCAL_EMBEDDERS, Vectors, open_embedder
from docmind.models.weights import plain_name

_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
LONGEST_NAME = 80


def label(metadata: Metadata, name: str) -> str:
    """`Annual report 2023 · Ellandor Instruments N.V. · ELLN`; nothing is said twice."""
    title = metadata.title or ""
    year, quarter = metadata.fiscal_year, metadata.quarter
    period = f"Q{quarter} {year}" if quarter and year else year
    parts = [title, *(str(part) for part in (metadata.company, metadata.ticker, period) if part)]
    said = " · ".join(part for number, part in enumerate(parts) if part and (number == 0 or part not in title))
    return " · ".join(filter(None, (said, _new_words(name, said))))


def _new_words(name: str, said: str) -> str:
    """The words of the file's name that are not said yet: people name files by what they look for in them."""
    stem = PurePosixPath(name.rpartition("!")[2]).stem[:LONGEST_NAME]
    words = _WORD.findall(_CAMEL.sub(" ", stem))
    known = said.casefold()
    return " ".join(word for word in words if len(word) > 2 and word.casefold() not in known)


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file as its reader hands it over."""

    loaded: Loaded
    chunks: list[chunking.Chunk]
    content_hash: str


@dataclass(frozen=True, slots=True)
class EmbeddedFile(ReadFile):
    """A file that whoever read it embedded too."""

    vectors: Vectors
    """One a chunk."""
    embedder: str
    """Whose they are."""


def open_readers(
    limits: Limits, embedder: str, workers: int | None, timeout_s: float, ray: str | None
) -> Readers[Unit, ReadFile]:
    """Processes of this machine, or the cluster at the address `ray`, where passages are embedded as well."""
    work = partial(read, limits)
    if ray is None:
        return ProcessReaders(work, ReadFile, workers, timeout_s)
    from docmind.corpus.ray_readers import RayReaders

    # A provider's key, and the vectors that were paid for once, stay on this machine.
    local = plain_name(embedder) in LOCAL_EMBEDDERS
    finish = partial(embedding, plain_name(embedder), _way(embedder)) if local else None
    return RayReaders(ray, Unit.with_bytes, work, ReadFile, finish, workers, timeout_s)


def read(limits: Limits, unit: Unit) -> ReadFile:
    """Runs in a reader process."""
    data = unit.read()
    loaded = load(data, unit.name, limits, unit.media_type)
    chunks = chunking.chunk(loaded, label(loaded.metadata, unit.name))
    if not chunks:
        raise FileRejected("holds no text.")
    return ReadFile(loaded, chunks, hashlib.sha256(data).hexdigest())


def embedding(name: str, expected: str) -> Callable[[ReadFile], ReadFile]:
    """What adds the vectors. Runs on a machine of a cluster, which may have another version of this program."""
    # Every core of a cluster has a file of its own.
    embedder = open_embedder(name, threads=1)
    if (here := _way(embedder.name)) != expected:
        raise StoreMismatch(
            f"A machine of the Ray cluster reads files another way ({here}) than this one ({expected}): "
            "install the same version of docmind on all of them."
        )

    def embed(one: ReadFile) -> ReadFile:
        texts = [indexed_text(chunk.heading, chunk.span.of(one.loaded.text)) for chunk in one.chunks]
        return EmbeddedFile(one.loaded, one.chunks, one.content_hash, embedder.embed_passages(texts), embedder.name)

    return embed


def _way(embedder: str) -> str:
    """By which two machines see that they would make the same of a file."""
    return f"{chunking.VERSION}:{embedder}"
