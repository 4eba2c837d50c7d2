"""Reading a financial question: what is to be done, with what, when, against which limit, told how."""

import re
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Literal

from docmind.quality.quantities import Period, Quantity
from docmind.quality.sentences import split
from docmind.skills.finance.catalogue import metrics_in
from docmind.skills.finance.operations import LEAST, Operation, asks_for_periods, operands, operation_of
from docmind.skills.finance.phrases import mentions, terms
from docmind.skills.question import LONGEST, names

_SCALES = {"thousand": 3, "million": 6, "billion": 9}
_COUNTS = {"no": 0, "zero": 0, "one": 1, "a single": 1, "1": 1, "two": 2, "2": 2, "three": 3, "3": 3, "four": 4, "4": 4}
_COUNT = r"(?P<count>" + "|".join(sorted(_COUNTS, key=len, reverse=True)) + ")"
_ASK = (
    r"(?:please )?(?:(?:answer|report|express|give|state|show|tell|round(?:ed)?)"
    r"(?: (?:it|me|the answer|your answer))?,? )?"
)
_CURRENCY = r"(?:usd|us\$|u\.s\. dollars?|dollars?|\$|eur|euros?|gbp|pounds?)"
_SCALE = re.compile(
    rf"[,;(]?\s*\b{_ASK}(?:in )?(?:{_CURRENCY} (?P<scale>thousand|million|billion)s"
    rf"|(?P<other>thousand|million|billion)s(?: of)? {_CURRENCY})\b\)?"
    rf"|[,;]?\s+\b{_ASK}in (?P<bare>thousand|million|billion)s\b",
    re.IGNORECASE,
)
_PLACES = re.compile(
    rf"[,;(]?\s*\b{_ASK}(?:in percent,? )?(?:to |with |at )?(?:the )?{_COUNT} (?:decimals?|digits?)"
    r"(?: (?:places?|points?))?(?: please)?\b\)?",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"[,;(]?\s*\bround(?:ed)? (?:it )?to (?:a|the nearest|the next|the) (?:whole |full )?"
    r"(?:percent(?:age point)?|number|basis point|dollar|day|integer|people)\b\)?",
    re.IGNORECASE,
)
_LEFT = re.compile(r"\s+(?=[?.,;])|(?<=[?.])\s*[.,;]+")


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """What the question says of the number; None where it says nothing."""

    scale: Decimal | None = None
    places: int | None = None


def take_format(text: str) -> tuple[str, NumberFormat]:
    """The question without what only says how to write the number, and what that says."""
    if not any(pattern.search(text) for pattern in (_SCALE, _PLACES, _WHOLE)):
        return text, NumberFormat()
    scaled, counted = _SCALE.search(text), _PLACES.search(text)
    name = next((scaled[group] for group in ("scale", "other", "bare") if scaled[group]), "") if scaled else ""
    places = _COUNTS[counted["count"].lower()] if counted else None
    plain = text
    for pattern in (_SCALE, _PLACES, _WHOLE):
        plain = pattern.sub("", plain)
    plain = _LEFT.sub("", plain).strip()
    scale = Decimal(10) ** _SCALES[name.lower()] if name else None
    if not any(map(str.isalpha, plain)):
        return text, NumberFormat()
    return plain, NumberFormat(scale, places)


Show = Literal["number", "line", "bar", "pie"]
_KIND = r"(?:line|bar|column|pie|dough?nut)"
_PICTURE = rf"(?:an? )?(?:(?:{_KIND} )?(?:chart|graph|diagram|plot)|{_KIND})s?"
_CHART = re.compile(
    rf"\b(?:charts?|graphs?|plot(?:ted)?|diagrams?|visuali[sz]ed?|draw|drawn)\b|\bas (?:an? )?{_KIND}s?\b",
    re.IGNORECASE,
)
_ASKS_TO_DRAW = re.compile(
    rf"^(?:please )?(?:show|draw|plot|chart|graph|visuali[sz]e)(?: me)?(?: {_PICTURE})?(?: of)?\s"
    rf"|[,;]?\s(?:and )?(?:now )?(?:as|in|with) {_PICTURE}\b",
    re.IGNORECASE,
)
_NOTHING_ELSE = re.compile(
    r"^(?:(?:and|now|please|can|could|you|show|me|it|that|this|them|as|in|draw|plot|make|give|an?|the|line|bar|pie) )*+"
    r"(?:charts?|graphs?|plot|diagrams?|visuali[sz]e(?: it| that| this)?)[.!?]*$",
    re.IGNORECASE,
)
_KINDS: dict[Show, re.Pattern[str]] = {
    "pie": re.compile(r"\b(?:pie|dough?nut)s?\b", re.IGNORECASE),
    "bar": re.compile(r"\b(?:bars?|columns?|histogram)\b", re.IGNORECASE),
    "line": re.compile(r"\blines?\b(?! items?)", re.IGNORECASE),
}


def wants_chart(message: str) -> bool:
    return _CHART.search(message) is not None


def chart_kind(message: str) -> Show | None:
    """The kind of chart that a message asks for; None where it leaves that open."""
    return next((kind for kind, pattern in _KINDS.items() if wants_chart(message) and pattern.search(message)), None)


def wants_only_chart(message: str) -> bool:
    """Now as a chart."""
    return _NOTHING_ELSE.match(message.strip()) is not None


def without_chart_request(message: str) -> str:
    """The question without what asks for a picture, which no table speaks of."""
    sentences = [one.text for one in split(message)]
    kept = [one for one in sentences if not wants_only_chart(one)]
    asked = " ".join(kept) if len(kept) < len(sentences) else message
    return _ASKS_TO_DRAW.sub("", asked).strip() or message


_BELOW = re.compile(r"\b(?:(?:less|lower|smaller|fewer) than|below|under|at most)\b")
_STRETCH = re.compile(r"\bfrom\b|\bbetween\b|\b\d{4}\s?(?:-|–|to|through)\s?(?:fiscal |fy |year )?+\d{2,4}\b")
_ADDED = re.compile(
    r"\b(?:sum|combined|altogether|together|both|all|across|cumulative)\b|\bover the (?:\w{1,10} )?(?:years|periods)\b"
)
_AMOUNTS = re.compile(
    r"\bhow (?:much|many)\b|\b(?:amount|number|rate|ratio|price|figures?|percentage|share|cost|value)\b"
)
_TOTAL = frozenset(terms("total"))
_CALCULATING = {
    Operation.GROWTH: frozenset(terms("percentage change increase decrease growth difference")),
    Operation.DIFFERENCE: frozenset(terms("change increase decrease difference")),
    Operation.CAGR: frozenset(terms("growth rate")),
    Operation.DEVELOPMENT: frozenset(
        terms(
            "change grow growth develop evolve trend time years quarters periods reported vary over level levels shift"
        )
    ),
    Operation.SUM: frozenset(terms("sum combined")),
    Operation.AVERAGE: frozenset(terms("average mean")),
}


@dataclass(frozen=True, slots=True)
class Limit:
    """What figures are held against: more than EUR 5 million."""

    quantity: Quantity
    below: bool

    def passed_by(self, figure: Quantity, scale: Decimal) -> bool:
        """Whether a figure passes it; a bare number is meant in the scale of the table."""
        value = self.quantity.value
        if figure.unit == "year" and self.quantity.unit == "month":
            value /= 12
        elif not self.quantity.scaled and not self.quantity.counted:
            value *= scale
        return figure.value < value if self.below else figure.value > value


@dataclass(frozen=True, slots=True)
class FinanceQuestion:
    """A question as far as its words tell."""

    text: str
    operation: Operation
    metrics: tuple[str, ...]
    """The metrics it names, each by its usual name."""
    sides: tuple[str, str] | None
    """The phrases for the two operands of a calculation that has two."""
    periods: tuple[Period, ...]
    """In the order they are named."""
    companies: tuple[str, ...]
    """Names that may be of companies; only the documents tell which are."""
    limit: Limit | None
    least: bool
    """Whether the smallest is asked for, and not the greatest."""
    of_periods: bool
    """Whether the answer is periods, and not things."""
    is_stretch: bool
    """Whether the periods named are the ends of a stretch."""
    respectively: bool
    adds_up: bool
    """Whether a sum is asked for beyond doubt, and not a row that is called a total."""
    unsigned: bool
    """Whether it asks how far apart two figures are, and not which way one moved."""
    form: NumberFormat = field(default_factory=NumberFormat)
    """How the number is wanted."""

    @property
    def unsought(self) -> frozenset[str]:
        """Words that say what to calculate and name nothing, though a label may have them too."""
        summed = _TOTAL if self.operation is Operation.SUM and self.adds_up else frozenset()
        return _CALCULATING.get(self.operation, frozenset()) | summed

    @property
    def stretch(self) -> tuple[Period, ...]:
        """The periods named, with every year between those that are the ends of a stretch."""
        if not self.is_stretch or len(self.periods) != 2:
            return self.periods
        first, last = sorted(period.year or 0 for period in self.periods)
        one, other = (replace(period, year=None, fiscal=False) for period in self.periods)
        between = tuple(replace(self.periods[0], year=year) for year in range(first, last + 1))
        return between if one == other else self.periods


def read_question(text: str) -> FinanceQuestion:
    """Everything that the words of a question tell, whatever the documents hold."""
    text, form = take_format(text)
    looked_at = text[:LONGEST]
    operation = operation_of(looked_at)
    found, lower = mentions(looked_at), looked_at.lower()
    return FinanceQuestion(
        text=text,
        operation=operation,
        metrics=tuple(metrics_in(terms(looked_at))),
        sides=operands(looked_at, operation),
        periods=tuple(dict.fromkeys(one.key for one in found if isinstance(one, Period) and one.year)),
        companies=tuple(name.text for name in names(looked_at)),
        limit=_limit(operation, [one for one in found if isinstance(one, Quantity)], lower),
        least=LEAST.search(lower) is not None,
        of_periods=asks_for_periods(looked_at),
        is_stretch=_STRETCH.search(lower) is not None,
        respectively="respective" in lower,
        adds_up=_ADDED.search(lower) is not None,
        unsigned="difference" in lower and "from" not in lower.split(),
        form=form,
    )


def _limit(operation: Operation, quantities: list[Quantity], lower: str) -> Limit | None:
    amounts = [quantity for quantity in quantities if quantity.unit != "ordinal"]
    if operation not in (Operation.COUNT, Operation.SELECT) or not amounts:
        return None
    return Limit(amounts[-1], _BELOW.search(lower) is not None)


def asks_for_figures(question: FinanceQuestion) -> bool:
    """Whether only a number can answer it: it names a metric, an amount or a calculation."""
    in_words = question.operation in (Operation.EXPLAIN, Operation.LOOKUP, Operation.DEVELOPMENT, Operation.PARTS)
    return not in_words or bool(question.metrics) or _AMOUNTS.search(question.text.lower()) is not None
