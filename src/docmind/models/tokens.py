"""Text to token ids: the one place that meets the tokenizers library."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from docmind.domain.errors import EmbeddingError

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer


@lru_cache(maxsize=4)
def load_tokenizer(path: Path, *, max_tokens: int) -> "Tokenizer":
    """The tokenizer in the file, cutting after `max_tokens` and never padding; loaded once a process."""
    from tokenizers import Tokenizer

    if not path.is_file():
        raise EmbeddingError(f"The tokenizer {path.name} is missing from the installation: install docmind again.")
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def token_ids(tokenizer: "Tokenizer", texts: Sequence[str], *, special: bool = True) -> list[list[int]]:
    """The ids of each text, on all cores."""
    clean = [_encodable(text) for text in texts]
    return [encoding.ids for encoding in tokenizer.encode_batch_fast(clean, add_special_tokens=special)]


def encode(tokenizer: "Tokenizer", texts: Sequence[str]) -> "list[Encoding]":
    """Each text without the tokens that frame it, every token with its place in the text, on all cores."""
    return tokenizer.encode_batch([_encodable(text) for text in texts], add_special_tokens=False)


def _encodable(text: str) -> str:
    """Half a surrogate pair, as broken files hold, has no UTF-8 form and would be refused."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
