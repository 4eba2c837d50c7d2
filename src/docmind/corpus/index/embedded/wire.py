"""Requests, answers and points as they cross the socket of the index process: plain values and the few types here."""

import io
import pickle
import struct
from array import array
from collections.abc import Sequence
from typing import Any, BinaryIO

from docmind.corpus.index.conditions import Conditions, stored_payload
from docmind.corpus.index.contract import Candidate, Candidates, Point, SparseVector
from docmind.corpus.index.embedded.lock import Holder
from docmind.corpus.index.identity import Identity
from docmind.domain import errors

PROTOCOL_VERSION = 1
"""Of what is asked and answered; programs of another version are refused."""
SOCKET = "host.sock"
"""By which programs reach the index process, in the folder of the index."""

Request = tuple[str, tuple[Any, ...]]
UNREADABLE: Request = ("", ())

_SIZE = struct.Struct("!Q")
_TYPES = {
    (known.__module__, known.__name__): known
    for known in (Candidate, Candidates, Conditions, Holder, Identity, SparseVector)
}


def framed(value: object) -> bytes:
    content = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return _SIZE.pack(len(content)) + content


def take_value(received: bytearray) -> bytes | None:
    """The first value as it was sent, taken out of what was received; None where it is not whole yet."""
    if len(received) < _SIZE.size:
        return None
    end = _SIZE.size + _SIZE.unpack_from(received)[0]
    if len(received) < end:
        return None
    content = bytes(received[_SIZE.size : end])
    del received[:end]
    return content


def read_request(content: bytes) -> Request:
    """What a program asks; UNREADABLE where it is nothing that one would ask."""
    try:
        match _value(content):
            case (str() as operation, tuple() as arguments):
                return operation, arguments
    except Exception:  # noqa: BLE001 -- bytes that are no pickle fail in any way there is
        return UNREADABLE
    return UNREADABLE


def read_answer(file: BinaryIO) -> Any:
    """The next value; EOFError where the other end is gone."""
    return _value(_exactly(file, _SIZE.unpack(_exactly(file, _SIZE.size))[0]))


def _exactly(file: BinaryIO, size: int) -> bytes:
    content = file.read(size)
    if len(content) < size:
        raise EOFError
    return content


def _value(content: bytes) -> Any:
    return _Values(io.BytesIO(content)).load()


class _Values(pickle.Unpickler):
    """Reads data alone: a pickle that names any other type or function, which might do anything, is refused."""

    def find_class(self, module: str, name: str) -> Any:
        found = _TYPES.get((module, name))
        if found is None and module == errors.__name__:
            found = getattr(errors, name, None)
        if isinstance(found, type):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is nothing that the index and its programs tell each other.")


PackedPoint = tuple[str, bytes, SparseVector, dict[str, str | int]]
"""Id, dense vector, BM25 vector, payload."""


def pack(point: Point) -> PackedPoint:
    return point.id, pack_vector(point.dense), point.sparse, stored_payload(point)


def pack_vector(vector: Sequence[float]) -> bytes:
    return array("f", vector).tobytes()


def unpack_vector(packed: bytes) -> list[float]:
    return array("f", packed).tolist()
