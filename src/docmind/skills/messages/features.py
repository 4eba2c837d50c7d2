"""The numbers that a message is classified by: the embedder's vector, and hashed pieces of its words and letters."""

import re
import zlib
from collections.abc import Iterator, Sequence

import numpy as np

from docmind.models.embedding import Vectors

HASHED = 2048
"""Places that pieces are hashed to."""
_EMBEDDED_WEIGHT = 3.0
"""A unit vector of 384 numbers is small beside the hashed pieces; so it weighs about as much."""
_LONGEST = 400
"""Characters that are looked at: what somebody wants is said by then."""
_NAMED = re.compile(r"[“\"][^“”\"]{2,200}[”\"]|\b[\w-]{1,80}\.(?:pdf|docx|md|txt|html|xlsx|csv)\b")
_WORD = re.compile(r"[^\W_]+|[^\w\s]")
_WORDS_IN_A_PIECE = (1, 2, 3)
_LETTERS_IN_A_PIECE = (3, 4, 5)


def looked_at(message: str) -> str:
    """As much of a message as is looked at."""
    return message[:_LONGEST]


def unnamed(message: str) -> str:
    """The message with `the document` in place of what stands in quotes and of file names."""
    return _NAMED.sub("the document", looked_at(message))


def features(messages: Sequence[str], embedded: Vectors) -> Vectors:
    """A row for each message; `embedded` are the vectors of the messages."""
    hashed = np.stack([_hashed(" ".join(looked_at(message).lower().split())) for message in messages])
    return np.hstack([_EMBEDDED_WEIGHT * embedded, hashed])


def _hashed(message: str) -> Vectors:
    row = np.zeros(HASHED, np.float32)
    for pieces in (set(_word_pieces(message)), set(_letter_pieces(message))):
        for piece in pieces:
            row[zlib.crc32(piece.encode()) % HASHED] += len(pieces) ** -0.5
    return row


def _word_pieces(message: str) -> Iterator[str]:
    words = ["^", *_WORD.findall(message), "$"]
    for size in _WORDS_IN_A_PIECE:
        for at in range(len(words) - size + 1):
            yield "w" + " ".join(words[at : at + size])


def _letter_pieces(message: str) -> Iterator[str]:
    marked = f"^{message}$"
    for size in _LETTERS_IN_A_PIECE:
        for at in range(len(marked) - size + 1):
            yield "c" + marked[at : at + size]
