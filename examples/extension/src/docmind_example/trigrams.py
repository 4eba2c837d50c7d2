"""An embedder: texts are alike as far as they share groups of three letters, so that misspelt words are found too."""

import zlib
from collections.abc import Sequence

from langchain_core.embeddings import Embeddings

DIMENSION = 512


class Trigrams(Embeddings):
    """Any LangChain `Embeddings` will do. DocMind brings the vectors to unit length and remembers them."""

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        padded = f"  {' '.join(text.lower().split())} "
        vector = [0.0] * DIMENSION
        for start in range(len(padded) - 2):
            # Python's own hash differs from process to process.
            vector[zlib.crc32(padded[start : start + 3].encode("utf-8", "replace")) % DIMENSION] += 1.0
        return vector
