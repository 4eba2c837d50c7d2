"""The scale, currency and unit that a chart states for its numbers, in a series' name, on an axis or in its title."""

from collections.abc import Iterable
from dataclasses import replace

from docmind.quality.quantities import Terms, read_terms
from docmind.quality.quantities.tokens import Tokens
from docmind.quality.quantities.unit_terms import NO_TERMS
from docmind.quality.quantities.units import CODES, LETTER_SCALES, MONEY_SCALES, PERCENT, POINT, SCALES, SYMBOLS, Unit

_SHORT = {**SCALES, **LETTER_SCALES, **MONEY_SCALES}


def chart_terms(texts: Iterable[str]) -> Terms:
    """What the texts state, the nearest to the numbers first.

    A text that names both a scale and a unit speaks of several series, and its unit is not for all of them.
    """
    terms = NO_TERMS
    for text in texts:
        stated = _read(text)
        if stated.unit is not None and stated.scale is None and terms == NO_TERMS:
            return Terms(unit=stated.unit)
        terms = Terms(terms.scale or stated.scale, terms.currency or stated.currency)
    return terms


def _read(text: str) -> Terms:
    """What is read above a table, and the shorter forms that charts use: EUR m, $B, in %."""
    terms, tokens = read_terms(text), Tokens(text)
    for index in range(len(tokens)):
        before, token = tokens.at(index - 1), tokens.at(index)
        if terms.scale is None and token.text in _SHORT and (before.text in CODES or before.text in SYMBOLS):
            terms = replace(terms, scale=_SHORT[token.text])
        if terms.unit is None:
            terms = replace(terms, unit=_unit(tokens, index))
    return terms


def _unit(tokens: Tokens, index: int) -> Unit | None:
    token = tokens.at(index)
    if token.lower == "pp" or (token.lower == "percentage" and tokens.at(index + 1).lower == "points"):
        return POINT
    # After a number it belongs to that number: "the 50% owned business".
    alone = token.text == "%" and not tokens.at(index - 1).is_digits
    return PERCENT if alone or (token.lower == "percent" and not tokens.at(index - 1).is_digits) else None
