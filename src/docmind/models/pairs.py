"""Two texts as one row of tokens, as the encoder reads them: what is asked or claimed, then the passage."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docmind.models.tokens import encode

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

MAX_TOKENS = 448
_FIRST_TOKENS = 96
"""A longer question or claim is cut, so that the passage keeps its room."""
_CLS, _SEP = 101, 102


@dataclass(frozen=True, slots=True)
class Pair:
    """The tokens of a pair; those of the passage start at `passage` and end before the last one."""

    ids: list[int]
    passage: int
    first_offsets: list[tuple[int, int]]
    passage_offsets: list[tuple[int, int]]


def join(first: "Encoding", second: "Encoding", *, max_tokens: int = MAX_TOKENS, skip: int = 0) -> Pair:
    """One row of at most `max_tokens`, the passage from its token `skip` on."""
    lead = first.ids[:_FIRST_TOKENS]
    room = max_tokens - len(lead) - 3
    body = second.ids[skip : skip + room]
    return Pair(
        [_CLS, *lead, _SEP, *body, _SEP],
        len(lead) + 2,
        first.offsets[: len(lead)],
        second.offsets[skip : skip + len(body)],
    )


def encode_pairs(
    tokenizer: "Tokenizer", pairs: Sequence[tuple[str, str]], *, max_tokens: int = MAX_TOKENS
) -> list[Pair]:
    """The rows of many pairs; a text that occurs in several is tokenized once."""
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    known = dict(zip(texts, encode(tokenizer, texts), strict=True))
    return [join(known[first], known[second], max_tokens=max_tokens) for first, second in pairs]
