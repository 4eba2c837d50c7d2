"""Every quantity and period of a text, in order, with its exact characters, and the figures its sentences state."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext

from docmind.domain.documents import Span
from docmind.quality.quantities.amounts import Amount, read_amount
from docmind.quality.quantities.numerals import OPENERS as NUMBER_OPENERS
from docmind.quality.quantities.periods import MONTHS, read_periods
from docmind.quality.quantities.periods import OPENERS as PERIOD_OPENERS
from docmind.quality.quantities.quantity import WORKING_DIGITS, Aspect, Bound, Figure, Period, Quantity
from docmind.quality.quantities.reference_numbers import OPENERS as LABEL_OPENERS
from docmind.quality.quantities.reference_numbers import skip_label
from docmind.quality.quantities.tokens import Tokens, vocabulary
from docmind.quality.quantities.units import CODES, SYMBOLS

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


Mention = Quantity | Period
_DASHES = frozenset("-–—")
_OPENERS = NUMBER_OPENERS | PERIOD_OPENERS | LABEL_OPENERS | frozenset(MONTHS) | {"minus"}
_OPENING_MARKS = frozenset("[(+#.-−–") | frozenset(SYMBOLS)
_GLUED = frozenset("-–$")
_NOT_A_RANGE = frozenset({"from", "by"})


@dataclass(frozen=True, slots=True)
class Context:
    """What is said once for many numbers: "in thousands of euros"."""

    scale: Decimal = Decimal(1)
    currency: str | None = None
    accounting: bool = False
    """Whether a number in brackets is negative, as in financial tables."""


PLAIN = Context()


def read(text: str, context: Context = PLAIN) -> list[Mention]:
    """Quantities and periods of `text` in order. Takes time linear in its length, whatever it holds."""
    with localcontext(prec=WORKING_DIGITS):
        return list(read_tokens(Tokens(text), context))


def read_quantities(text: str, context: Context = PLAIN) -> list[Quantity]:
    return [mention for mention in read(text, context) if isinstance(mention, Quantity)]


def read_tokens(tokens: Tokens, context: Context) -> Iterator[Mention]:
    """What `read` gives, from tokens. Each reader looks ahead a bounded way or passes over what it has seen."""
    index = 0
    while index < len(tokens):
        if not _may_begin(tokens, index):
            index += 1
            continue
        found = read_periods(tokens, index)
        if found is not None:
            yield from found.periods
            index = found.end
            continue
        after_label = skip_label(tokens, index, accounting=context.accounting)
        if after_label > index:
            index = after_label
            continue
        amount = read_amount(tokens, index, accounting=context.accounting)
        if amount is None:
            index += 1
            continue
        amount = _range(tokens, index, amount) or amount
        yield _placed(qualified(amount.quantity, tokens, index, amount.end), context)
        index = amount.end


def _may_begin(tokens: Tokens, index: int) -> bool:
    """Whether anything can begin here: most words of a text begin nothing, and are passed over quickly."""
    token = tokens.at(index)
    if not token.is_word:
        return token.is_digits or token.text in _OPENING_MARKS
    if token.lower in _OPENERS or token.text in CODES:
        return True
    following = tokens.glued(index + 1)
    return following.is_digits or following.text in _GLUED


def _placed(quantity: Quantity, context: Context) -> Quantity:
    """The quantity in the scale and currency that were said for it, where it says none itself."""
    if quantity.unit not in ("", "money") or quantity.scaled or quantity.counted or quantity.per:
        return quantity
    scaled = quantity.times(context.scale) if context.scale != 1 else quantity
    if quantity.unit or context.currency is None:
        return scaled
    return replace(scaled, unit="money", currency=context.currency)


def _range(tokens: Tokens, index: int, first: Amount) -> Amount | None:
    """5-7%, 6 to 8 percent, between 13 and 14 percent; not "from 5 to 7", which tells of a change."""
    near, joint = first.quantity, tokens.at(first.end)
    before = tokens.at(index - 1).lower
    if joint.text in _DASHES:
        joined = joint.gap != "\n" and bool(joint.gap) == bool(tokens.at(first.end + 1).gap)
    elif joint.lower == "to":
        joined = before not in _NOT_A_RANGE and not near.scaled and near.unit in ("", "money")
    else:
        joined = joint.lower == "and" and before == "between"
    second = read_amount(tokens, first.end + 1, accounting=False) if joined else None
    if second is None or near.unit == "ordinal" or tokens.at(first.end + 1).text in _DASHES:
        return None
    far = second.quantity
    if joint.lower == "to" and not (far.unit or far.scaled or far.counted):
        return None
    if near.unit and far.unit and (near.unit, near.currency) != (far.unit, far.currency):
        return None
    # What is said once, after the second number, is meant for both: 5 to 7 million.
    factor = second.factor if not near.scaled and near.unit in ("", "money") else Decimal(1)
    low = near.value * factor
    span = Span(near.span.start, far.span.end)
    whole = replace(
        far if far.unit else replace(far, unit=near.unit, currency=near.currency),
        value=low,
        upper=far.value,
        step=max(near.step * factor, far.step),
        span=span,
        text=span.of(tokens.text),
    )
    return Amount(whole, second.end, second.factor) if low < far.value else None


_MOVES = vocabulary(
    "rose fell grew increased decreased declined dropped climbed improved shrank jumped gained lost advanced"
)
_STATES = vocabulary(
    "was were is are be been amount amounts amounted totaled totalled reached remained stood came had has covered "
    "exceeded brought made generated reported recorded delivered expect expects employs employed contributed became"
)
_NOT_IN_LABEL = vocabulary(
    "of in to by at for from after with on as than per about approximately over under nearly the a an its our their "
    "this that which who we it they or but while where when also only including during since until between"
)
_CHANGES = frozenset({"increase", "increases", "decrease", "decline", "growth", "rise", "drop", "fall", "reduction"})
_EARLIER = frozenset({"from", "after"})
LONGEST_LABEL = 8
"""Words; a longer subject is cut to those nearest its verb."""
_BACK = 40
"""Tokens looked back for the verb of a clause, so that a text without sentences stays linear."""


def read_prose(text: str, context: Context = PLAIN, *, offset: int = 0, source: str = "") -> list[Figure]:
    """Figures of a stretch of prose, labelled by the nearest noun phrase that they can be about."""
    tokens = Tokens(text)
    starts = [tokens.at(index).start for index in range(len(tokens))]
    mentions = read(text, context)
    figures = []
    for position, mention in enumerate(mentions):
        if isinstance(mention, Period) or mention.unit == "ordinal":
            continue
        index = bisect_left(starts, mention.span.start)
        label, aspect = _label(tokens, index), _aspect(tokens, index)
        if label.split(" ")[-1].lower() in _CHANGES:
            aspect = Aspect.CHANGE
        period = _period(text, mentions, position)
        placed = replace(mention, span=Span(mention.span.start + offset, mention.span.end + offset))
        figures.append(Figure(label, placed, period=period, source=source, aspect=aspect))
    return figures


def _label(tokens: Tokens, index: int) -> str:
    if tokens.at(index - 1).lower == "of":
        return _phrase(tokens, index - 2)
    verb = index - 1
    while verb > max(index - _BACK, 0) and not _ends_sentence(tokens, verb):
        if tokens.at(verb).lower in _MOVES or tokens.at(verb).lower in _STATES:
            return _phrase(tokens, verb - 1) or _phrase(tokens, index - 1)
        verb -= 1
    return _phrase(tokens, index - 1)


def _phrase(tokens: Tokens, last: int) -> str:
    """The words that end at `last`, back to the first that cannot belong to a name of something."""
    while last >= 0 and tokens.at(last).lower in _NOT_IN_LABEL:
        last -= 1
    first = last + 1
    while first > 0 and last - first + 1 < LONGEST_LABEL and _belongs(tokens, first - 1):
        first -= 1
    while first < last and tokens.at(first).lower in ("and", "-", "&"):
        first += 1
    return tokens.text[tokens.at(first).start : tokens.at(last).end] if first <= last else ""


def _belongs(tokens: Tokens, index: int) -> bool:
    token = tokens.at(index)
    if token.text in ("-", "&", "’", "'"):
        return True
    known = token.lower in _NOT_IN_LABEL or token.lower in _STATES or token.lower in _MOVES
    return token.is_word and not known and tokens.at(index + 1).gap != "\n"


def _ends_sentence(tokens: Tokens, index: int) -> bool:
    token, following = tokens.at(index), tokens.at(index + 1)
    return token.text in (".", ";", "!", "?") and bool(following.gap)


def _aspect(tokens: Tokens, index: int) -> Aspect:
    before = tokens.at(index - 1).lower
    if before == "by" or before in _MOVES:
        return Aspect.CHANGE
    told_before = any(tokens.at(at).lower in ("previous", "prior") for at in range(index - 4, index))
    return Aspect.EARLIER if before in _EARLIER or told_before else Aspect.LEVEL


def _period(text: str, mentions: Sequence[Mention], position: int) -> Period | None:
    """The period told after a figure in its sentence, before the next figure; else the last one told before it."""
    figure = mentions[position]
    for step in (1, -1):
        at = position + step
        if 0 <= at < len(mentions):
            other = mentions[at]
            between = text[min(figure.span.end, other.span.end) : max(figure.span.start, other.span.start)]
            if isinstance(other, Period) and not _parts_sentences(between):
                return other.key
    return None


def _parts_sentences(between: str) -> bool:
    return any(mark in between for mark in (". ", ".\n", "; ", "? ", "! "))
