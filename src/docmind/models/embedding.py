"""Text to vectors: the seam every embedder fits, and how one is chosen by name."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from docmind.domain.errors import EmbeddingError
from docmind.domain.extensions import Extensions, Unusable

if TYPE_CHECKING:
    import numpy as np
    from langchain_core.embeddings import Embeddings
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"
"""In quotes, because a process that reads files needs no numpy and would take twice as long to start with it."""

QUICK_EMBEDDER = "static"
"""The one that embeds thousands of passages a second."""
LOCAL_EMBEDDERS = ("minilm", QUICK_EMBEDDER)


def _misfit(name: str, value: object) -> str:
    if ":" in name or "@" in name:
        return "is registered under a name with a colon or an at sign, which stand for something else"
    return "" if callable(value) else "is not a function that opens an embedder"


ADDED: "Extensions[Callable[[], Embeddings]]" = Extensions("embedder", LOCAL_EMBEDDERS, _misfit)
"""Embedders of other packages: each opens a LangChain `Embeddings`."""


class Embedder(Protocol):
    """Turns texts into unit vectors, row by row. Thread-safe."""

    @property
    def name(self) -> str:
        """Identifies the vectors it makes: two embedders with one name are interchangeable. A store remembers it."""
        ...

    @property
    def dimension(self) -> int: ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors: ...

    def embed_query(self, text: str) -> Vectors:
        """One unit vector of shape (dimension,)."""
        ...


def open_embedder(name: str, *, threads: int | None = None, cache: Path | None = None) -> Embedder:
    """The embedder of that name: `minilm`, `static`, one that another package adds, or `provider:model` for one that
    LangChain reaches.

    `threads` bounds the cores `minilm` uses, all of them unless given. `cache` is the file that remembers vectors by
    the hash of their text; a static table is quicker to ask again than a file, so it goes without.
    """
    if name == "static":
        from docmind.models.embedders import StaticEmbedder

        return StaticEmbedder()
    embedder: Embedder
    if name == "minilm":
        from docmind.models.embedders import MiniLMEmbedder

        embedder = MiniLMEmbedder(threads=threads)
    elif ":" in name:
        from docmind.models.embedders import ProviderEmbedder

        embedder = ProviderEmbedder(name)
    elif (added := _added(name)) is not None:
        embedder = added
    else:
        raise EmbeddingError(
            f"There is no embedder called {name!r}: use {' or '.join((*LOCAL_EMBEDDERS, *ADDED.names()))}, "
            "or a provider's model as 'provider:model', for example 'openai:text-embedding-3-small'."
        )
    if cache is None:
        return embedder
    from docmind.models.cache import CachedEmbedder

    return CachedEmbedder(embedder, cache)


def _added(name: str) -> Embedder | None:
    """The embedder of another package; None where none has that name."""
    try:
        build = ADDED.get(name)
    except Unusable as error:
        raise EmbeddingError(str(error)) from error
    if build is None:
        return None
    from docmind.models.embedders import ProviderEmbedder

    return ProviderEmbedder(name, build=build)
