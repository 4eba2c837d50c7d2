"""Words around a number that make it a limit or an estimate: at least, up to, about, nearly."""

from dataclasses import replace

from docmind.quality.quantities.quantity import Bound, Quantity
from docmind.quality.quantities.tokens import Tokens, vocabulary

_APPROXIMATE = vocabulary("about approximately approx roughly around circa ca some nearly almost estimated ~ ≈")
_LEAST = frozenset({"over", "above", "exceeding", "exceeded", ">", "≥"})
_MOST = frozenset({"under", "below", "<", "≤"})
_PHRASES = {
    ("at", "least"): Bound.AT_LEAST, ("more", "than"): Bound.AT_LEAST, ("greater", "than"): Bound.AT_LEAST,
    ("higher", "than"): Bound.AT_LEAST, ("minimum", "of"): Bound.AT_LEAST,
    ("at", "most"): Bound.AT_MOST, ("less", "than"): Bound.AT_MOST, ("fewer", "than"): Bound.AT_MOST,
    ("lower", "than"): Bound.AT_MOST, ("up", "to"): Bound.AT_MOST, ("maximum", "of"): Bound.AT_MOST,
}  # fmt: skip
_ADDING = vocabulary("add adds added adding sum sums summed summing total totals totalled totaled")
_NEGATED = {Bound.AT_LEAST: Bound.AT_MOST, Bound.AT_MOST: Bound.AT_LEAST}
_AFTERWARDS = {
    "more": Bound.AT_LEAST, "higher": Bound.AT_LEAST, "greater": Bound.AT_LEAST,
    "less": Bound.AT_MOST, "fewer": Bound.AT_MOST, "lower": Bound.AT_MOST,
}  # fmt: skip


def qualified(quantity: Quantity, tokens: Tokens, start: int, end: int) -> Quantity:
    """The quantity at the tokens `start` to `end`, as the words before it and "or more" after it have it meant."""
    before = start - 1
    approximate = False
    if _word(tokens, before) in _APPROXIMATE:
        approximate, before = True, before - 1 - (tokens.at(before).text == ".")
    word = _word(tokens, before)
    bound = Bound.AT_LEAST if word in _LEAST else Bound.AT_MOST if word in _MOST else None
    if bound is None:
        bound = _PHRASES.get((tokens.at(before - 1).lower, word))
        # What adds up to 5 is 5.
        if word == "to" and tokens.at(before - 2).lower in _ADDING:
            return replace(quantity, approximate=approximate) if approximate else quantity
        # "No more than" turns "more than" round; so does "not".
        if bound is not None and tokens.at(before - 2).lower in ("no", "not") and word == "than":
            bound = _NEGATED[bound]
    if bound is None and tokens.at(end).lower == "or":
        bound = _AFTERWARDS.get(tokens.at(end + 1).lower)
    return replace(quantity, approximate=approximate, bound=bound or Bound.EXACT) if approximate or bound else quantity


def _word(tokens: Tokens, index: int) -> str:
    """The word at `index`, or before it where its full stop stands there: approx. 5."""
    token = tokens.at(index)
    return tokens.at(index - 1).lower if token.text == "." and not token.gap else token.lower
