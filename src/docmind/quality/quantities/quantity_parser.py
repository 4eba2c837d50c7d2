"""The door to reading: every quantity and period of a text, in order, with its exact characters."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext

from docmind.domain.documents import Span
from docmind.quality.quantities.amounts import Amount, read_amount
from docmind.quality.quantities.dates import MONTHS
from docmind.quality.quantities.number_words import OPENERS as NUMBER_OPENERS
from docmind.quality.quantities.period import Period
from docmind.quality.quantities.periods import OPENERS as PERIOD_OPENERS
from docmind.quality.quantities.periods import read_periods
from docmind.quality.quantities.qualifiers import qualified
from docmind.quality.quantities.quantity import WORKING_DIGITS, Quantity
from docmind.quality.quantities.reference_numbers import OPENERS as LABEL_OPENERS
from docmind.quality.quantities.reference_numbers import skip_label
from docmind.quality.quantities.tokens import Tokens
from docmind.quality.quantities.units import CODES, SYMBOLS

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
