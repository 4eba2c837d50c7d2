"""Whether an answer to an analyst's question is right: it says what must be said, each figure in any fair writing."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from docmind.bench.authored_answers import told_and_beside
from docmind.bench.finance.filings_set import FilingQuestion, Kind
from docmind.domain.documents import Span
from docmind.quality.quantities import Quantity, read_quantities
from docmind.skills.finance.wording.response_check import without_formulas

_STEM = 4
"""Letters from which on what is listed may be the beginning of a word: "moderniz" stands for all its forms."""
_NUMERAL = re.compile(r"\d++(?:,\d{3})*+(?:\.\d++)?+")
_POWERS = tuple(Decimal(10) ** power for power in (-9, -6, -3, -2, 0, 2, 3, 6, 9))
"""Between the writings of one figure: thousands, millions, billions, cents, basis points."""
_NEAR = Decimal("0.015")
"""How far apart, as a share, writings of one figure may be by rounding."""
_ALIKE = ({"", "times"}, {"percent", "point"})
"""Units that stand for each other in what people write."""


def is_right(question: FilingQuestion, answer: str) -> bool:
    """Whether all is said that must be and, beside the evidence that is quoted, nothing that must not be."""
    _, beside = told_and_beside(answer, question.quotes)
    return question.answerable and all(met(question, answer)) and not any(says(beside, no) for no in question.must_not)


def met(question: FilingQuestion, answer: str) -> Sequence[bool]:
    """Of each thing that must be said whether it is; the figure that is wanted in its unit and scale."""
    said, _ = told_and_beside(answer, question.quotes)
    wanted = question.value
    return [
        says(said, entry)
        if wanted is None or not _is_figure(entry, wanted)
        else tells(said, question) or _shows(said, entry, wanted)
        for entry in question.must
    ]


def says(text: str, entry: str) -> bool:
    """Whether one of the alternatives stands in the text, not inside a longer number or word."""
    return next(_places(text, entry), None) is not None


def tells(text: str, question: FilingQuestion) -> bool:
    """Whether a text states the figure within its tolerance; one that is printed may be rounded, and not be another."""
    wanted = question.value
    return wanted is not None and any(_states(said, wanted, question) for said in _quantities(text))


def _states(said: Quantity, wanted: Quantity, question: FilingQuestion) -> bool:
    # The sign may be said in words: "fell by".
    apart = abs(said.size.value - wanted.size.value)
    rounded = question.kind is not Kind.LOOKUP or apart <= max(said.step, wanted.step) / 2
    return _same_unit(said, wanted) and rounded and apart <= Decimal(str(question.tolerance)) * wanted.size.value


def _shows(text: str, entry: str, wanted: Quantity) -> bool:
    """Whether the figure stands there as it is listed, and not in another unit or scale.

    A row of a table is quoted without the scale that stands above it.
    """
    quantities = _quantities(text)
    for place in _places(text, entry):
        read = next((one for one in quantities if one.span.overlaps(place)), None)
        if read is None or read.bare:
            return True
        apart = abs(read.size.value - wanted.size.value)
        if _same_unit(read, wanted) and (not read.scaled or apart <= _NEAR * wanted.size.value):
            return True
    return False


def _quantities(text: str) -> list[Quantity]:
    return list(read_quantities(without_formulas(text)))


def _places(text: str, entry: str) -> Iterator[Span]:
    for one in filter(None, map(str.strip, entry.split("|"))):
        before = r"(?<!\w)(?<!\d[.,])" if one[0].isdigit() else r"(?<!\w)"
        for found in re.finditer(before + re.escape(one) + _after(one), text, re.IGNORECASE):
            yield Span(*found.span())


def _after(one: str) -> str:
    """What may not follow: more of the word or number. Zeros may, and decimals of what is listed in thousands."""
    if one[-1].isdigit():
        zeros = "0*+" if "." in one else ""
        return zeros + (r"(?!\w|,\d)" if "," in one else r"(?!\w|[.,]\d)")
    return "" if one[-1].isalpha() and len(one) >= _STEM else r"(?!\w)"


def _same_unit(said: Quantity, wanted: Quantity) -> bool:
    if said.currency and wanted.currency and said.currency != wanted.currency:
        return False
    left_out = not said.unit and said.scaled
    return left_out or said.unit == wanted.unit or {said.unit, wanted.unit} in _ALIKE


def _is_figure(entry: str, wanted: Quantity) -> bool:
    """Whether what must be said is the figure itself: numbers only, one of them its value in some scale."""
    [value, *_] = _numbers(wanted.text)
    written = [_numbers(one) for one in entry.split("|")]
    return all(written) and any(abs(one[0] * power - value) <= _NEAR * value for one in written for power in _POWERS)


def _numbers(text: str) -> list[Decimal]:
    return [Decimal(one.replace(",", "")) for one in _NUMERAL.findall(text)]
