"""Whether an answer to an analyst's question is right: it says what must be said, each figure in any fair writing."""

import re
from collections.abc import Sequence
from decimal import Decimal

from docmind.bench.authored_answers import told_and_beside
from docmind.bench.finance.filings_set import FilingQuestion
from docmind.quality.quantities import Quantity, read_quantities
from docmind.skills.finance.telling.checking import without_formulas

_STEM = 4
"""Letters from which on what is listed may be the beginning of a word: "moderniz" stands for all its forms."""
_NUMERAL = re.compile(r"\d++(?:,\d{3})*+(?:\.\d++)?+")
_POWERS = tuple(Decimal(10) ** power for power in (-9, -6, -3, -2, 0, 2, 3, 6, 9))
"""Between the writings of one figure: thousands, millions, billions, cents, basis points."""
_NEAR = Decimal("0.005")


def met(question: FilingQuestion, answer: str) -> Sequence[bool]:
    """Of each thing that must be said whether it is; a figure is, too, where the answer tells it otherwise rounded."""
    said, _ = told_and_beside(answer, question.quotes)
    wanted = question.value
    told = wanted is not None and tells(said, wanted, question.tolerance)
    return [says(said, entry) or (wanted is not None and told and _is_figure(entry, wanted)) for entry in question.must]


def is_right(question: FilingQuestion, answer: str) -> bool:
    """Whether all is said that must be and, beside the evidence that is quoted, nothing that must not be."""
    _, beside = told_and_beside(answer, question.quotes)
    return question.answerable and all(met(question, answer)) and not any(says(beside, no) for no in question.must_not)


def tells(text: str, wanted: Quantity, tolerance: float) -> bool:
    """Whether a text states the figure in its unit and scale; the sign may be said in words."""
    slack = Decimal(str(tolerance)) * wanted.size.value
    return any(
        _same_unit(said, wanted) and abs(said.size.value - wanted.size.value) <= slack
        for said in read_quantities(without_formulas(text))
    )


def says(text: str, entry: str) -> bool:
    """Whether one of the alternatives stands in the text, not inside a longer number or word."""
    return any(re.search(_pattern(one.strip()), text, re.IGNORECASE) for one in entry.split("|") if one.strip())


def _pattern(one: str) -> str:
    before = r"(?<!\w)(?<!\d[.,])" if one[0].isdigit() else r"(?<!\w)"
    return before + re.escape(one) + _after(one)


def _after(one: str) -> str:
    """What may not follow: more of the word or number. Zeros may, and decimals of what is listed in thousands."""
    if one[-1].isdigit():
        zeros = "0*+" if "." in one else ""
        return zeros + (r"(?!\w|,\d)" if "," in one else r"(?!\w|[.,]\d)")
    return "" if one[-1].isalpha() and len(one) >= _STEM else r"(?!\w)"


def _same_unit(said: Quantity, wanted: Quantity) -> bool:
    if said.currency and wanted.currency and said.currency != wanted.currency:
        return False
    return said.unit == wanted.unit or {said.unit, wanted.unit} == {"", "times"}


def _is_figure(entry: str, wanted: Quantity) -> bool:
    """Whether what must be said is the figure itself: numbers only, one of them its value in some scale."""
    [value, *_] = _numbers(wanted.text)
    written = [_numbers(one) for one in entry.split("|")]
    return all(written) and any(abs(one[0] * power - value) <= _NEAR * value for one in written for power in _POWERS)


def _numbers(text: str) -> list[Decimal]:
    return [Decimal(one.replace(",", "")) for one in _NUMERAL.findall(text)]
