"""A second embedder, for what happens where a workspace has another one than is set."""

from collections.abc import Callable

import numpy as np

from docmind.models.embedding import Vectors, open_embedder
from docmind.runtime.engine import DocMind

Opening = Callable[[str], DocMind]
"""Opens the installation with the embedder of that name set."""


class Turned:
    """Another embedder that is as quick: the static table with its numbers in another order, and a longer vector."""

    dimension = 257

    def __init__(self, name: str = "turned:table") -> None:
        self.name = name
        self._static = open_embedder("static")

    def embed_passages(self, texts: list[str]) -> Vectors:
        turned = self._static.embed_passages(texts)[:, ::-1]
        vectors: Vectors = np.concatenate([turned, np.zeros((len(texts), 1), np.float32)], axis=1)
        return vectors

    def embed_query(self, text: str) -> Vectors:
        vector: Vectors = self.embed_passages([text])[0]
        return vector
