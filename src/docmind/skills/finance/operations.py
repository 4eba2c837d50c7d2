"""Which calculation a question asks for: told by a model of its wording where that is sure, else by a few phrases."""

import re
from collections.abc import Callable
from enum import StrEnum

from docmind.skills.finance.operation_model import OperationModel
from docmind.skills.finance.terms import terms


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
