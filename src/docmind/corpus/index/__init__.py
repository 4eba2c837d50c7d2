"""One index, two engines: Qdrant in a process of our own, or a Qdrant server by URL."""

from pathlib import Path

from docmind.corpus.index.contract import Candidate, Candidates, Engine, Index, Point, SparseVector
from docmind.domain.errors import SettingsError

__all__ = ["Candidate", "Candidates", "Engine", "Index", "Point", "SparseVector", "open_index"]


def open_index(url: str | None, root: Path, *, dimension: int, embedder: str, api_key: str | None = None) -> Engine:
    """The server at `url` where one is given, otherwise the embedded engine with its files under `root`."""
    if url is None:
        from docmind.corpus.index.embedded.index import EdgeIndex

        return EdgeIndex(root, dimension=dimension, embedder=embedder)
    try:
        from docmind.corpus.index.served import ServerIndex
    except ImportError as missing:
        raise SettingsError(
            "A Qdrant server is set (DOCMIND_INDEX__URL), and the package to talk to it is not installed: "
            "pip install 'docmind[qdrant]'."
        ) from missing

    return ServerIndex(url, dimension=dimension, embedder=embedder, api_key=api_key)
