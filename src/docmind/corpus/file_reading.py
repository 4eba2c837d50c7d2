"""What becomes of one file wherever it is read: its text, its passages and, on a cluster, their vectors."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from docmind.corpus import chunk as chunking
from docmind.corpus.discover import Unit
from docmind.corpus.label import label
from docmind.corpus.load import Limits, load
from docmind.corpus.readers import ProcessReaders, Readers
from docmind.domain.documents import Loaded, indexed_text
from docmind.domain.errors import FileRejected, StoreMismatch
from docmind.models.embedding import LOCAL_EMBEDDERS, Vectors, open_embedder
from docmind.models.weights import plain_name


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
