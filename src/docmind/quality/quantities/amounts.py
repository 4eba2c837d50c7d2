"""Reads one amount: sign, brackets, currency, number, scale, unit, thing counted and rate, as people order them."""

from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from docmind.domain.documents import Span
from docmind.quality.quantities.numerals import Number, read_numeral, read_ordinal, read_words
from docmind.quality.quantities.quantity import Quantity
from docmind.quality.quantities.tokens import Tokens, vocabulary
from docmind.quality.quantities.units import (
    CELSIUS,
    CODES,
    COUNTED,
    CURRENCY_WORDS,
    FAHRENHEIT,
    LETTER_SCALES,
    MONEY_SCALES,
    PERCENT,
    POINT,
    SCALES,
    SYMBOLS,
    UNITS,
    Unit,
)

_MINUS = frozenset("-−–")
_PREFIX_TOKENS = 5
_FUNCTION_WORDS = vocabulary("of in to and or the at by for from per than with on as were was are is a an")


class Amount(NamedTuple):
    """A quantity, the token after it, and what one written unit of it is worth."""

    quantity: Quantity
    end: int
    factor: Decimal


@dataclass(slots=True)
class _Draft:
    """What has been understood of an amount so far; `at` is the token to read next."""

    at: int
    negative: bool = False
    bracket: bool = False
    currency: str | None = None
    scale: Decimal = Decimal(1)
    scaled: bool = False
    unit: Unit | None = None
    counted: str | None = None
    per: str | None = None


def read_amount(tokens: Tokens, index: int, *, accounting: bool) -> Amount | None:
    """The amount that begins at `index`, and the token after it.

    In `accounting` a number in brackets is negative. Elsewhere brackets are an aside, unless a currency stands before
    them: $(0.29).
    """
    ordinal = read_ordinal(tokens, index)
    if ordinal is not None:
        return _place_in_order(tokens, index, ordinal)
    draft = _Draft(index)
    _read_prefix(tokens, draft, accounting)
    number = read_numeral(tokens, draft.at, of_money=draft.currency is not None) or read_words(tokens, draft.at)
    if number is None:
        return None
    draft.at = number.end
    if draft.bracket and tokens.at(draft.at).text == ")":
        draft.at, draft.bracket, draft.negative = draft.at + 1, False, True
    _read_suffix(tokens, draft, number)
    if draft.bracket:
        if tokens.at(draft.at).text != ")":
            return None
        draft.at, draft.negative = draft.at + 1, True
    return _amount(tokens, index, draft, number)


def _read_prefix(tokens: Tokens, draft: _Draft, accounting: bool) -> None:
    for _ in range(_PREFIX_TOKENS):
        token, following = tokens.at(draft.at), tokens.at(draft.at + 1)
        symbol = symbol_at(tokens, draft.at)
        opens = token.text == "(" and not draft.bracket and not following.gap
        if symbol is not None and draft.currency is None:
            draft.currency, draft.at = symbol
        elif token.text in CODES and draft.currency is None:
            draft.currency, draft.at = token.text, draft.at + 1
        elif not draft.negative and _is_minus(tokens, draft.at):
            draft.negative, draft.at = True, draft.at + 1
        elif token.text == "+" and following.is_digits and not following.gap:
            draft.at += 1
        elif opens and (accounting or (draft.currency is not None and not token.gap)):
            draft.bracket, draft.at = True, draft.at + 1
        else:
            return


def symbol_at(tokens: Tokens, index: int) -> tuple[str, int] | None:
    """A currency sign at `index` with the letters of its country, and the token after it."""
    token = tokens.at(index)
    if token.text in SYMBOLS:
        return SYMBOLS[token.text], index + 1
    both = token.text + tokens.glued(index + 1).text if token.is_word and len(token.text) <= 2 else ""
    return (SYMBOLS[both], index + 2) if both in SYMBOLS else None


def _is_minus(tokens: Tokens, index: int) -> bool:
    """A dash glued to what follows it and free of what stands before it, unless that is a sign; the word minus."""
    token, before = tokens.at(index), tokens.at(index - 1)
    if token.text not in _MINUS or tokens.at(index + 1).gap:
        return token.lower == "minus"
    return bool(token.gap) or before.text in SYMBOLS or before.text in ("(", "[", ":", "|", "=")


def _read_suffix(tokens: Tokens, draft: _Draft, number: Number) -> None:
    if number.fraction:
        draft.unit = PERCENT
        return
    _read_scale(tokens, draft)
    _read_currency(tokens, draft)
    if draft.currency is None:
        _read_unit(tokens, draft)
        if draft.unit is None:
            _read_counted(tokens, draft)
    _read_rate(tokens, draft)


def _read_scale(tokens: Tokens, draft: _Draft) -> None:
    token = tokens.at(draft.at)
    at = draft.at + 1
    if token.text == "-" and tokens.glued(at).lower in SCALES:
        token, at = tokens.at(at), at + 1
    scale = SCALES.get(token.lower) if token.text not in UNITS else None
    if scale is None and not token.gap:
        scale = LETTER_SCALES.get(token.text)
        currency_near = draft.currency is not None or tokens.at(at).text in CODES
        # "1.2m customers" counts; "1.2m" alone is a length.
        if scale is None and (currency_near or tokens.at(at).lower in COUNTED):
            scale = MONEY_SCALES.get(token.text)
    if scale is None or token.gap == "\n":
        return
    draft.scale, draft.scaled, draft.at = scale, True, at
    if scale < 1000 and tokens.at(at).lower in ("thousand", "million", "billion"):
        draft.scale, draft.at = scale * SCALES[tokens.at(at).lower], at + 1


def _read_currency(tokens: Tokens, draft: _Draft) -> None:
    if draft.currency is not None:
        return
    token = tokens.at(draft.at)
    if token.gap == "\n":
        return
    if token.text in SYMBOLS and not tokens.glued(draft.at + 1).is_digits and not tokens.at(draft.at + 1).is_digits:
        draft.currency, draft.at = SYMBOLS[token.text], draft.at + 1
    elif token.text in CODES and not tokens.at(draft.at + 1).is_digits:
        draft.currency, draft.at = token.text, draft.at + 1
    elif token.lower in CURRENCY_WORDS:
        draft.currency, draft.at = CURRENCY_WORDS[token.lower], draft.at + 1
    elif token.text in ("US", "U") and tokens.at(draft.at + 1).lower in ("dollars", "dollar"):
        draft.currency, draft.at = "USD", draft.at + 2


def _read_unit(tokens: Tokens, draft: _Draft) -> None:
    at = draft.at + (tokens.glued(draft.at).text == "-" and tokens.glued(draft.at + 1).is_word)
    token, following = tokens.at(at), tokens.at(at + 1)
    if token.gap == "\n":
        return
    if token.text == "%":
        points = following.lower in ("point", "points") and following.gap == " "
        draft.unit, draft.at = (POINT, at + 2) if points else (PERCENT, at + 1)
    elif token.text == "°" and tokens.glued(at + 1).text in ("C", "F"):
        draft.unit, draft.at = (CELSIUS if following.text == "C" else FAHRENHEIT), at + 2
    elif token.lower == "per" and following.lower == "cent":
        draft.unit, draft.at = PERCENT, at + 2
    elif token.lower in ("percentage", "percent") and following.lower in ("point", "points"):
        draft.unit, draft.at = POINT, at + 2
    elif token.lower == "basis" and following.lower in ("point", "points"):
        draft.unit, draft.at = UNITS["bps"], at + 2
    elif token.text in UNITS or (token.lower in UNITS and len(token.text) > 2):
        draft.unit = UNITS[token.text if token.text in UNITS else token.lower]
        draft.at = at + 1


def _read_counted(tokens: Tokens, draft: _Draft) -> None:
    """The thing counted, with at most one word of description before it: 2,946 full-time employees."""
    at = draft.at
    token = tokens.at(at)
    if token.lower not in COUNTED and token.text.islower() and token.lower not in _FUNCTION_WORDS:
        at += 3 if tokens.glued(at + 1).text == "-" else 1
    if tokens.at(at).lower in COUNTED and "\n" not in (token.gap, tokens.at(at).gap):
        draft.counted, draft.at = COUNTED[tokens.at(at).lower], at + 1


def _read_rate(tokens: Tokens, draft: _Draft) -> None:
    token, following = tokens.at(draft.at), tokens.at(draft.at + 1)
    slash = token.text == "/" and not token.gap and not following.gap
    if not slash and token.lower != "per":
        return
    if following.lower in COUNTED:
        draft.per, draft.at = COUNTED[following.lower], draft.at + 2
    elif following.text in UNITS:
        draft.per, draft.at = following.text, draft.at + 2


def _place_in_order(tokens: Tokens, index: int, number: Number) -> Amount:
    span = Span(tokens.at(index).start, tokens.at(number.end - 1).end)
    quantity = Quantity(number.value, number.step, "ordinal", span=span, text=span.of(tokens.text))
    return Amount(quantity, number.end, Decimal(1))


def _amount(tokens: Tokens, index: int, draft: _Draft, number: Number) -> Amount:
    factor = draft.scale * (draft.unit.factor if draft.unit else 1)
    span = Span(tokens.at(index).start, tokens.at(draft.at - 1).end)
    value = number.value * factor
    quantity = Quantity(
        value=-value if draft.negative else value,
        step=number.step * factor,
        unit="money" if draft.currency else draft.unit.base if draft.unit else "",
        currency=draft.currency,
        counted=draft.counted,
        per=draft.per,
        scaled=draft.scaled or number.words,
        span=span,
        text=span.of(tokens.text),
    )
    return Amount(quantity, draft.at, factor)
