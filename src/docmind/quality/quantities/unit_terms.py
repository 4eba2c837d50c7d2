"""What a caption, label or header says for all the figures under it: "in thousands of euros, except per share data"."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from docmind.quality.quantities.amounts import symbol_at
from docmind.quality.quantities.tokens import Tokens, vocabulary
from docmind.quality.quantities.units import CODES, CURRENCY_WORDS, MEASURED, PERCENT, SCALES, UNITS, Unit

_LETTERS = {"m": SCALES["million"], "M": SCALES["million"], "bn": SCALES["billion"], "k": SCALES["thousand"]}
_ONE = Decimal(1)
_WORDS_OF_NO_WEIGHT = vocabulary(
    "amounts amount data number numbers of the which are is reflected in and or as for where otherwise stated noted "
    "indicated information figures thousands millions billions"
)
_PER_SHARE = frozenset({"per", "share"})
_SHARE_DATA = (frozenset({"shares"}), frozenset({"share"}))
_TOLD_OTHERWISE = (*_SHARE_DATA, _PER_SHARE, frozenset({"par", "value"}))
"""Shares have a scale of their own here, and "share data" are their number and the amounts per share; a par value
stands in a label and is not the row's figure."""
LONGEST_EXCEPTION = 30
"""Words; an exception is a phrase within brackets, not the rest of a paragraph."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Scale, currency and unit that were stated once, and for what they do not hold."""

    scale: Decimal | None = None
    currency: str | None = None
    unit: Unit | None = None
    share_scale: Decimal | None = None
    """Where numbers of shares have a scale of their own; 1 where they were only taken out."""
    per_share: bool = False
    """Whether amounts per share are among the figures, taken out of the scale."""
    measured: str | None = None
    """The unit that the figures are counts of, where it is not money: hectolitres."""
    exceptions: tuple[frozenset[str], ...] = ()
    """Each by its telling words: {employees}, {discount, rate}. Amounts per share are never in a table's scale."""

    def excepts(self, label: str) -> bool:
        """Whether the row or column of this name was taken out of what is said here."""
        words = frozenset(token for token in label.lower().replace("-", " ").replace(",", " ").split())
        return any(all(_has(words, word) for word in exception) for exception in self.exceptions)


NO_TERMS = Terms()


@lru_cache(maxsize=1 << 12)
def read_terms(text: str) -> Terms:
    """The terms stated in a caption, in the brackets of a label or in a header."""
    tokens = Tokens(text)
    scale = share_scale = currency = unit = measured = None
    exceptions: tuple[frozenset[str], ...] = ()
    index = 0
    while index < len(tokens):
        token = tokens.at(index)
        if token.lower in ("except", "excluding"):
            exceptions, share_scale, index = _exceptions(tokens, index + 1, share_scale)
            continue
        found = _scale(tokens, index)
        if found is not None and tokens.at(index - 2).lower in ("shares", "share"):
            share_scale = found
        elif found is not None and scale is None:
            scale = found
        currency = currency or _currency(tokens, index, stated=scale is not None)
        unit = unit or _unit(tokens, index)
        measured = measured or _measured(tokens, index)
        index += 1
    per_share = _PER_SHARE in exceptions or _SHARE_DATA[1] in exceptions
    others = tuple(phrase for phrase in exceptions if phrase not in _TOLD_OTHERWISE)
    return Terms(scale, currency, unit, share_scale, per_share, measured, others)


def usual_terms(captions: Iterable[str]) -> Terms:
    """What most of a document's captions say, for the tables whose caption was lost or says nothing."""
    stated = Counter(
        Terms(scale=terms.scale, currency=terms.currency)
        for terms in map(read_terms, captions)
        if terms.scale is not None
    )
    if not stated:
        return NO_TERMS
    terms, count = stated.most_common(1)[0]
    return terms if 2 * count > stated.total() else NO_TERMS


def _scale(tokens: Tokens, index: int) -> Decimal | None:
    """A scale that is stated and not part of an amount: in millions; EUR thousand; €m; $ in millions; '000."""
    token, before = tokens.at(index), tokens.at(index - 1)
    if token.text == "000" and before.text in ("'", "’", "€", "£", "$", "("):
        return SCALES["thousand"]
    monetary = before.text in CODES or symbol_at(tokens, index - 1) is not None
    if token.lower in ("thousand", "million", "billion", "thousands", "millions", "billions"):
        in_scale = before.lower == "in" or (token.lower.endswith("s") and not before.is_digits)
        return SCALES[token.lower] if in_scale or monetary or before.text in ("(", "|") else None
    return _LETTERS.get(token.text) if monetary and not token.gap else None


def _currency(tokens: Tokens, index: int, *, stated: bool) -> str | None:
    """A currency that is named for all figures, not one that stands before a number."""
    token, following = tokens.at(index), tokens.at(index + 1)
    if following.is_digits and following.text != "000":
        return None
    symbol = symbol_at(tokens, index)
    if symbol is not None:
        return symbol[0]
    if token.text in CODES:
        return token.text
    # "In thousands of euros", "dollars in millions", "in euros"; not "held in euros" far on in a sentence.
    near = tokens.at(index - 1).lower in ("in", "of", "(") or following.lower in ("in", "millions", "thousands")
    return CURRENCY_WORDS.get(token.lower) if near and (stated or index < 40) else None


def _unit(tokens: Tokens, index: int) -> Unit | None:
    """A unit in brackets of its own, (MW), or said of all figures: as a percentage of revenue."""
    token = tokens.at(index)
    enclosed = tokens.at(index - 1).text == "(" and tokens.at(index + 1).text == ")"
    if enclosed and token.text == "%":
        return PERCENT
    if enclosed and token.text in UNITS:
        return UNITS[token.text]
    whole = " ".join(tokens.at(at).lower for at in range(index, index + 4))
    return PERCENT if whole == "as a percentage of" else None


def _measured(tokens: Tokens, index: int) -> str | None:
    """A unit that stands for itself beside what is measured: volume sold, hectolitres, by brand; waste in tonnes."""
    token, before, after = tokens.at(index), tokens.at(index - 1), tokens.at(index + 1)
    apart = before.lower in (",", "in") and after.lower in ("", ",", ";", ".", ")", "by", "per", "of")
    return token.text if apart and token.text in MEASURED else None


def _exceptions(
    tokens: Tokens, index: int, share_scale: Decimal | None
) -> tuple[tuple[frozenset[str], ...], Decimal | None, int]:
    """Phrases after "except", parted by commas and "and", to the end of the brackets; and what is said of shares."""
    phrases: list[set[str]] = [set()]
    end = index
    while end < index + LONGEST_EXCEPTION and tokens.at(end).text not in ("", ")", ";", "."):
        token = tokens.at(end)
        if token.text == "," or token.lower == "and":
            phrases.append(set())
        elif token.lower == "in" and tokens.at(end + 1).lower in SCALES and "shares" in phrases[-1]:
            share_scale = SCALES[tokens.at(end + 1).lower]
        elif token.is_word and token.lower not in _WORDS_OF_NO_WEIGHT:
            phrases[-1].add(token.lower)
        end += 1
    if any(phrase in _SHARE_DATA for phrase in phrases) and share_scale is None:
        share_scale = _ONE
    return tuple(frozenset(phrase) for phrase in phrases if phrase), share_scale, end


def _has(words: frozenset[str], word: str) -> bool:
    """Whether a word is there, in the singular or the plural."""
    other = word[:-1] if word.endswith("s") else f"{word}s"
    return word in words or other in words
