"""Which calculation a question asks for, and with which two operands: by a model of its wording, else by phrases."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import as_file, files
from typing import Self

import numpy as np
from numpy.typing import NDArray

from docmind.quality.quantities import Period
from docmind.skills.finance.phrases import long_form, mentions, names_something, terms
from docmind.skills.tables import asking_model

Floats = NDArray[np.float32]
VECTOR_SIZE = 8192
_ANY_TIME = "whenever"
"""Stands for every time that a question names: which one it is says nothing of what is done."""
_MOST_PERIODS = 3


def timeless(question: str) -> tuple[str, int]:
    """The question with one word for each time that it names, and how many it names."""
    text, periods = long_form(question), 0
    for mention in reversed(mentions(question)):
        if isinstance(mention, Period):
            text = f"{text[: mention.span.start]}{_ANY_TIME}{text[mention.span.end :]}"
            periods += 1
    return text, periods


def vector(question: str) -> Floats:
    """Which words and pairs of words it has, and how many times it names, as a unit vector."""
    text, periods = timeless(question)
    found = np.zeros(VECTOR_SIZE, np.float32)
    for feature in (*asking_model.features(text), f"n {min(periods, _MOST_PERIODS)}"):
        found[asking_model.place(feature, VECTOR_SIZE)] = 1.0
    unit: Floats = found / np.sqrt(found.sum())
    return unit


@dataclass(frozen=True, slots=True)
class OperationModel:
    operations: Sequence[str]
    weights: Floats
    """(features, operations)."""
    bias: Floats

    @classmethod
    @cache
    def shipped(cls) -> Self:
        with as_file(files("docmind.skills.finance").joinpath("operations.npz")) as file, np.load(file) as fitted:
            return cls(tuple(fitted["operations"].tolist()), fitted["weights"].astype(np.float32), fitted["bias"])

    def likely(self, question: str) -> dict[str, float]:
        """How likely it asks for each of the operations."""
        scores = vector(question) @ self.weights + self.bias
        exp = np.exp(scores - scores.max())
        return dict(zip(self.operations, (exp / exp.sum()).tolist(), strict=True))


class Operation(StrEnum):
    """What is done with the figures that a question names."""

    LOOKUP = "lookup"
    GROWTH = "growth"
    DIFFERENCE = "difference"
    SUM = "sum"
    AVERAGE = "average"
    SHARE = "share"
    RATIO = "ratio"
    CAGR = "cagr"
    RANK = "rank"
    """Which period or which thing has the most or the least."""
    COUNT = "count"
    """How many periods or things pass a limit."""
    SELECT = "select"
    """Which periods or things pass a limit."""
    PERIODS = "periods"
    """Which periods the figures are of."""
    PARTS = "parts"
    """What something is made of."""
    EXPLAIN = "explain"
    """What the text says: why, who, how something is defined."""
    DEVELOPMENT = "development"
    """How something moved over all its periods."""
    COMPOSED = "composed"
    """A calculation on what other questions come to."""


SURE = 0.75
"""How sure the model must be to be followed; below, as many figures of the design filings went wrong as right by it."""
_PERCENT = r"(?:percent(?:age)?|per cent|%)"
_MOVE = r"(?:change|increase|decrease|growth|decline|difference|drop|rise)"
_SHARE = r"(?:percent(?:age)?|per cent|%|proportion|share|portion|fraction)"
_SOME = r"(?:\w{1,15} )"

LEAST = re.compile(r"\b(?:lowest|smallest|least|minimum|lower|smaller|fewer)\b(?! than)")
_MOST = re.compile(r"\b(?:highest|largest|greatest|biggest|most|maximum|higher|larger|greater|bigger)\b(?! than)")
_LIMIT = re.compile(
    r"\b(?:exceed(?:s|ed|ing)?|surpass(?:es|ed)?|(?:more|greater|higher|larger|less|lower|smaller|fewer) than|at least"
    r"|at most|above|below|over|under)\b (?:[a-z]{1,12} ){0,3}?[$€£¥(]?\s?\d"
)
_YEARS = re.compile(rf"^(?:in |for |during )?(?:which|what|how many) {_SOME}{{0,2}}?(?:years?|periods?|quarters?)\b")
_THINGS = re.compile(r"^(?:in |for |from |of )?(?:which|what) (?!is\b|was\b|are\b|were\b|did\b|does\b)")
_PERIODS = re.compile(r"^(?:in |for )?(?:which|what) (?:fiscal |financial )?(?:years?|periods?)\b")
_GROWTH = re.compile(
    rf"\b(?:{_PERCENT}|relative) {_SOME}?{_MOVE}|\b{_MOVE} (?:in|as a) {_PERCENT}(?! of| points?)"
    rf"|\b(?:growth rate|rate of (?:growth|change)|how fast)\b"
    rf"|\bwhat {_PERCENT} did .{{1,200}}?(?:change|increase|decrease|grow|fall|rise)"
)
_POINTS = re.compile(rf"\babsolute {_PERCENT}|\b{_PERCENT} points?\b")
_CHANGE = re.compile(
    rf"\b{_MOVE}\b|\bchanges\b|\bvariance\b|\bhow much (?:more|less|higher|lower)\b.{{1,200}}? than\b"
    rf"|\bhow much {_SOME}{{1,8}}?(?:grow|change|increase|decrease|rise|fall|decline)\b"
)
_DEVELOPED = re.compile(
    r"^how (?:did|has|have) .{1,200}? (?:change|changed|grow|grown|develop|developed|evolve|evolved|trend|trended|vary"
    r"|varied|move|moved|fluctuated?|progress|progressed)\b"
)
_OVER = r"(?:over|across|throughout|through|during|between) (?:all |the |these |those |its |their )*+"
_OVER_ALL = re.compile(
    rf"\b{_OVER}(?:reported |reporting |last |past |recent |available ){{0,2}}(?:\w{{2,9}} )?"
    r"(?:years|quarters|periods|time|timeframe)\b"
)
_TREND = re.compile(
    r"\btrend(?:s|ed)?\b|\b(?:year by year|quarter by quarter)\b"
    r"|\b(?:from|between) (?:quarter|period|year) to (?:quarter|period|year)\b"
    r"|\b(?:in|for) (?:these|those) (?:quarters|years|periods)\b"
    r"|\bcompares? (?:to|with|against) (?:the )?(?:previous|prior|earlier) (?:quarters|years|periods)\b"
)
_AVERAGE = re.compile(r"(?<!weighted[ -])\b(?:average|mean|averaged)\b")
_CAGR = re.compile(r"\bcagr\b|\bcompound(?:ed)? (?:annual|yearly)")
_AS_SHARE = re.compile(rf"\bas (?:a|an|the) {_PERCENT} of\b")
_SHARE_OF = re.compile(
    rf"(?<!per )(?<!each )\b{_SHARE}(?: constitution)? {_SOME}?(?:of|to|in|among)\b"
    rf"|\bas an? {_SHARE} of\b|\bwhat {_SHARE}\b"
    rf"|\b{_PERCENT} (?:represented|accounted|constitution)\b|\bconstitut"
)
_RATIO = re.compile(
    r"\bratio\b|\bhow many times\b|\bproportion\b|\bdivided by\b|\bmultiple of\b"
    r"|\bper (?:employee|person|head|customer|store|unit)\b"
)
_SUM = re.compile(
    rf"\b(?:total|sum|combined|together|altogether|cumulative|aggregate)\b|\bover the {_SOME}?(?:years|periods)\b"
)
_HOW_MANY = re.compile(r"^(?:for |in )?how many\b|\bnumber of years\b")
_KIND = r"(?:components|items|elements|categories|segments|types|kinds|regions|factors|parts|sources|countries|classes)"
_PARTS = re.compile(
    rf"^(?:what|which) (?:are|were) (?:the |all |all the )?{_SOME}{{0,3}}?{_KIND}\b|^how many {_SOME}{{0,2}}?{_KIND}\b"
    rf"|^what {_SOME}{{0,2}}?{_KIND} {_SOME}{{0,8}}?(?:listed|are there|consist|make up|comprise)"
)
_EXPLAIN = re.compile(
    r"^(?:why|who|whom|whose|where|when|do|does|did|is|are|was|were|has|have|can|will)\b"
    r"|^how (?:is|are|was|were|does|do|did|can|will|should)\b|\breasons?\b"
    r"|\bwhat (?:\w{1,15} )?(?:effects?|impacts?|implications?|insights?|role|causes?|risks?|measures|steps|strateg)"
    r"|\bdefinition\b|\bdefined(?: as)?\s*\?*$"
    r"|^what (?:does|do|did) .{1,200}? (?:represent|comprise|consist|refer|mean|include|relate|entail|reflect)"
)

_MOVING = frozenset(
    terms("grow grew grown growth increase increased rise rose risen decline declined fall fell fallen change changed")
)


def operation_of(question: str) -> Operation:
    """The operation asked for; what asks for none of them looks something up."""
    text = _plain(question)
    said = next((operation for operation, asks in _RULES if asks(text)), Operation.LOOKUP)
    likely = OperationModel.shipped().likely(question)
    best = max(likely, key=likely.__getitem__)
    # A phrase that asks for a calculation is not unsaid by the rest of the wording.
    follows = likely[best] >= SURE and said in likely and best != Operation.LOOKUP
    return Operation(best) if follows else said


def moves(question: str) -> bool:
    """Whether it speaks of how far something moved, whatever else is asked of it: who grew most."""
    return not _MOVING.isdisjoint(terms(question))


def asks_for_periods(question: str) -> bool:
    """Whether the answer is one or several periods, or their number."""
    return _YEARS.search(_plain(question)) is not None


def _plain(question: str) -> str:
    return " ".join(question.lower().split())


def _has(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: pattern.search(text) is not None


def _counts(text: str) -> bool:
    return bool(_HOW_MANY.search(text) and _LIMIT.search(text))


def _selects(text: str) -> bool:
    return bool(_LIMIT.search(text) and (_YEARS.search(text) or _THINGS.search(text)))


def _ranks(text: str) -> bool:
    asked = _YEARS.search(text) or _THINGS.search(text)
    return bool(asked and (_MOST.search(text) or LEAST.search(text)))


def _develops(text: str) -> bool:
    """A sum, a mean or a change over the years is that, and not what happened in between."""
    calculates = any(asked.search(text) for asked in (_AVERAGE, _GROWTH, _CAGR, _CHANGE))
    over_all = _OVER_ALL.search(text) and not text.startswith("what ")
    asks_why = text.startswith(("why", "who", "which"))
    return bool(_DEVELOPED.search(text) or ((_TREND.search(text) or over_all) and not calculates and not asks_why))


_RULES: tuple[tuple[Operation, Callable[[str], bool]], ...] = (
    (Operation.COUNT, _counts),
    (Operation.PARTS, _has(_PARTS)),
    (Operation.DEVELOPMENT, _develops),
    (Operation.EXPLAIN, _has(_EXPLAIN)),
    (Operation.SELECT, _selects),
    (Operation.RANK, _ranks),
    (Operation.PERIODS, _has(_PERIODS)),
    (Operation.CAGR, _has(_CAGR)),
    (Operation.DIFFERENCE, _has(_POINTS)),
    (Operation.GROWTH, _has(_GROWTH)),
    (Operation.SHARE, _has(_AS_SHARE)),
    (Operation.RATIO, _has(_RATIO)),
    (Operation.AVERAGE, _has(_AVERAGE)),
    (Operation.DIFFERENCE, _has(_CHANGE)),
    (Operation.SHARE, _has(_SHARE_OF)),
    (Operation.SUM, _has(_SUM)),
)
"""In this order: a question with several of the phrases asks for the first."""


_PORTION = r"(?:percent(?:age)?|per cent|%|proportion|share|portion)"
_A = r"(?:the )?(?P<a>.{2,120}?)"
_B = r"(?:the |all )?(?P<b>.{2,120}?)"
_WHEN = (
    r"(?:fiscal |financial |year |fy |years? ended |(?:three|six|nine|twelve) months ended )*+"
    r"(?:\w{3,9} \d{1,2}, )?+(?:19|20)?\d\d"
)
_END = rf"\s*(?=[,?]|\b(?:in|for|during|as of|at)\b (?:the )?{_WHEN}|$)"
_IS = r"(?:is|are|was|were|does|did|do|comes?|came|consists?)"
_MAKES = r"(?: (?:make up|represent|account for|comprise|constitute|contribute))?"
_FROM = r"(?:from |of |due to |attributable to |made up of |generated from |the )*+"


def _patterns(*written: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern + _END, re.IGNORECASE) for pattern in written)


_OPERANDS = {
    Operation.SHARE: _patterns(
        rf"(?:^what (?:is|was|are|were) |\b){_A} as (?:a|an|the) {_PORTION} of {_B}",
        rf"\bwhat {_PORTION} of {_B} {_IS} {_FROM}{_A}{_MAKES}",
        rf"\b{_PORTION}(?: of)?(?: constitution)? of {_A} (?:in|among|to|over|out of|against|within) {_B}",
        rf"\b{_PORTION}(?: of)?(?: constitution)? of {_A} (?:of|from) {_B}",
    ),
    Operation.RATIO: _patterns(
        rf"(?:^what (?:is|was|are|were) |\b){_A} as (?:a|an) (?:proportion|ratio|multiple) of {_B}",
        rf"\b(?:ratio|proportion) (?:of|between) {_A} (?:to|over|and|against|in|among|out of) {_B}",
        rf"\b(?:is|was) {_A} divided by {_B}",
        rf"\bhow many times {_B} (?:is|was|were|are) {_A}(?: at the end of)?",
        r"\b(?:is|was|were|are) (?:the )?(?P<a>\D{2,120}?) per (?P<b>\w{4,20})",
        r"\b(?:the|'s) (?P<a>(?:\w{2,30} ){0,3}?\w{2,30})[- ]to[- ](?P<b>(?:\w{2,30} ){0,3}?\w{2,30}) ratio\b.{0,120}?",
    ),
    Operation.AVERAGE: _patterns(
        r"\baverage (?P<a>\D{2,120}?) per (?P<b>(?!share\b|ordinary\b|common\b|diluted\b|basic\b)\D{2,120}?)",
    ),
    Operation.DIFFERENCE: _patterns(
        rf"\b(?:difference|change)(?: (?:in|of) (?P<both>.{{2,80}}?))? between {_A} and {_B}",
        rf"\bhow much (?:did|does|do) {_A} exceed (?:that of )?{_B}",
    ),
    Operation.SUM: _patterns(rf"\b(?:total|sum|combined)(?: \w{{1,30}})?(?: of| for)? {_A} and {_B}"),
}


def operands(text: str, operation: Operation) -> tuple[str, str] | None:
    """The phrases for the left and the right operand, part and whole; none where one of them is only a period."""
    for pattern in _OPERANDS.get(operation, ()):
        found = pattern.search(text)
        if found is not None and names_something(found["a"]) and names_something(found["b"]):
            both = found.groupdict().get("both") or ""
            return f"{found['a']} {both}".strip(), f"{found['b']} {both}".strip()
    return None
