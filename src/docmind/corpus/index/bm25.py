"""Text to BM25 term weights, offline and equal to what a Qdrant server computes itself."""

from functools import cache
from typing import TYPE_CHECKING

from docmind.corpus.index.contract import SparseVector

if TYPE_CHECKING:
    import qdrant_edge

TERM_SATURATION_K = 1.2
LENGTH_NORMALISATION_B = 0.5
# The length a passage is expected to have, in tokens without stop words; only the ratio to it matters.
AVERAGE_LENGTH = 120.0


def encode_passage(text: str) -> SparseVector:
    """How often each term occurs, saturated and normalised by length."""
    return _plain(_model().embed_document(text))


def encode_query(text: str) -> SparseVector:
    """Each distinct term once; empty where the text is only stop words or symbols."""
    return _plain(_model().embed_query(text))


@cache
def _model() -> "qdrant_edge.Bm25":
    import qdrant_edge

    config = qdrant_edge.Bm25Config(k=TERM_SATURATION_K, b=LENGTH_NORMALISATION_B, avg_len=AVERAGE_LENGTH)
    return qdrant_edge.Bm25(config)


def _plain(vector: "qdrant_edge.SparseVector") -> SparseVector:
    return SparseVector(tuple(vector.indices), tuple(vector.values))
