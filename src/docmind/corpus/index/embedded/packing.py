"""Points as they cross the pipe to the index process: vectors as bytes, because lists of floats pickle slowly."""

from array import array
from collections.abc import Sequence

from docmind.corpus.index.conditions import stored_payload
from docmind.corpus.index.contract import Point, SparseVector

PackedPoint = tuple[str, bytes, SparseVector, dict[str, str | int]]
"""Id, dense vector, BM25 vector, payload."""


def pack(point: Point) -> PackedPoint:
    return point.id, pack_vector(point.dense), point.sparse, stored_payload(point)


def pack_vector(vector: Sequence[float]) -> bytes:
    return array("f", vector).tobytes()


def unpack_vector(packed: bytes) -> list[float]:
    return array("f", packed).tolist()
