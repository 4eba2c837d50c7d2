"""The words of a model that the texts at hand need, numbered anew: fewer to choose from, and each fits 16 bits."""

from collections.abc import Iterable, Sequence

import numpy as np
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers

from training.packed import Places, Tokens

END, SEPARATOR = "<|endoftext|>", "<|quad_start|>"
"""Two special words of the model; nobody else needs the second one here, so it stands between texts."""
_PIECES = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""How Qwen2 cuts text before joining bytes."""
_AT_ONCE = 2_000


def byte_pair_tokenizer(words: Sequence[str], merges: Sequence[tuple[str, str]]) -> Tokenizer:
    """A byte-level tokenizer of the words before the first special one."""
    ordinary = words[: list(words).index(END)]
    tokenizer = Tokenizer(models.BPE(vocab={word: at for at, word in enumerate(ordinary)}, merges=list(merges)))
    cut = pre_tokenizers.Split(Regex(_PIECES), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [cut, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


class Vocabulary:
    """The texts by their tokens, and what any such tokens say."""

    def __init__(self, words: Sequence[str], merges: Sequence[tuple[str, str]], texts: Iterable[str]) -> None:
        self._tokenizer = byte_pair_tokenizer(words, merges)
        known = list(dict.fromkeys(texts))
        encoded: list[Places] = []
        for at in range(0, len(known), _AT_ONCE):
            some = self._tokenizer.encode_batch_fast(known[at : at + _AT_ONCE], add_special_tokens=False)
            encoded += [np.array(one.ids, np.int64) for one in some]
        special = [list(words).index(word) for word in (END, SEPARATOR)]
        self.kept: Places = np.unique(np.concatenate([*encoded, special]))
        """Their numbers in the model's own table."""
        if len(self.kept) > np.iinfo(np.uint16).max:
            raise ValueError(f"The texts use {len(self.kept):,} words, more than 16 bits can tell apart.")
        self.end, self.separator = (int(one) for one in np.searchsorted(self.kept, special))
        new = [np.searchsorted(self.kept, one).astype(np.uint16) for one in encoded]
        self._ids = dict(zip(known, new, strict=True))

    def ids(self, text: str) -> Tokens:
        return self._ids[text]

    def word(self, text: str) -> int:
        """Of a text that is one word."""
        (only,) = self._ids[text]
        return int(only)

    def text(self, ids: Tokens) -> str:
        return str(self._tokenizer.decode(self.kept[ids].tolist()))
