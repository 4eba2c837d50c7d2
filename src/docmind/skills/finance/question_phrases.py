"""What a phrase of a question names, once what asks, when it asks about and how much are taken out."""

import re
from calendar import month_name

from docmind.quality.quantities import Mention, Period, read
from docmind.quality.quantities.dates import MONTHS
from docmind.skills.finance.shared_years import with_years
from docmind.skills.finance.terms import terms

_RANGE = re.compile(r"\b((?:19|20)\d\d)\s?[-–]\s?((?:19|20)\d\d)\b")
_LIST = re.compile(r"\b((?:19|20)\d\d),(?=(?:19|20)\d\d\b)")
_DOUBLE = re.compile(r"\b(?:19|20)\d\d\s?/\s?((?:19|20)\d\d)\b")
_SHORT = re.compile(r"\bF(\d\d)\b")
_MONTH = "(?:" + "|".join(sorted((month for month in MONTHS if len(month) > 2), key=len, reverse=True)) + r")\b\.?"
_SMALL_MONTH = re.compile(rf"\b{_MONTH}(?= \d)")
_DAY = re.compile(r"\b(1[0-2]|0?[1-9])/(\d{1,2})/(?:20)?(\d\d)\b")
_MONTH_YEAR = re.compile(rf"\b({_MONTH})[-'’]\s?(\d\d)\b", re.IGNORECASE)
_SHORT_QUARTER = re.compile(r"\bq([1-4])(?: of)?( fiscal| fy)? ?['’]?(\d\d)\b(?![,.%]?\d)", re.IGNORECASE)
_QUARTER_OF = re.compile(rf"\b((?:{_MONTH} ?[-–] ?)?{_MONTH}) ((?:20)\d\d)[- ]quarter\b", re.IGNORECASE)
_MID_YEAR = re.compile(r"\bmid-?year ((?:20)\d\d)\b", re.IGNORECASE)
_CALENDAR_END = re.compile(r"\bcalendar[- ]year[- ]end ((?:20)\d\d)\b", re.IGNORECASE)
_UP_TO = re.compile(rf"\b(quarter|months) to (?={_MONTH} \d|\d{{1,2}} {_MONTH})", re.IGNORECASE)
_TRAILING = re.compile(
    r" ?\b(?:(?:trailing|last)[- ](?:twelve|12)[- ]months?|[TL]TM)\b(.{0,80}?) (?:as of|to|at|through)"
    rf" (?={_MONTH} \d|\d{{1,2}} {_MONTH})",
    re.IGNORECASE,
)
_YEAR_END = re.compile(r"(?<=\d\d\d\d )year[- ]end\b", re.IGNORECASE)
_ASKING = frozenset(
    terms(
        "much many percentage percent change increase decrease difference growth rate average mean total sum ratio "
        "proportion share year years fiscal period quarter respective respectively value values amount number between "
        "compared compare during end ended ending calculated per cent give highest largest greatest biggest most "
        "higher larger greater lowest smallest least lower smaller exceed exceeded than more less nominal absolute "
        "relative thousand thousands million millions billion over both each all table provided that when it would "
        "this there these those any if grow grew compound annual come came spend spent hold held earn cagr times "
        "develop developed evolve evolved trend report reported reports disclose disclosed reveal revealed filing "
        "filings recent latest quarterly quarters periods time previous prior 10 q k can identified identify discern "
        "discerned pattern patterns notable significant considerable key seen shift variation variations spending "
        "expenditure level levels details provided segment segments fluctuation fluctuations contribute contributed "
        "basis points statement balance business generate derive compute calculate express "
        "fall fell fallen rise rose risen drop dropped decline declined"
    )
)
"""Words that ask or calculate; they name something only where a label has them."""


def mentions(text: str) -> list[Mention]:
    """Periods and amounts of a question; times also as people shorten them: 2017-2019, 12/31/10, december 31, F19."""
    return read(long_form(text))


def long_form(text: str) -> str:
    """With dates as reports write them: 9/30/23, Sep-22, the June 2023 quarter, q2 23, the quarter to March 2023."""
    text = _RANGE.sub(r"\1 to \2", _LIST.sub(r"\1, ", text))
    text = _DAY.sub(lambda day: f"{month_name[int(day[1])]} {int(day[2])}, 20{day[3]}", text)
    text = _CALENDAR_END.sub(r"December 31, \1", _MID_YEAR.sub(r"June 30, \1", text))
    text = _MONTH_YEAR.sub(r"\1 20\2", text)
    text = _SHORT_QUARTER.sub(lambda part: f"Q{part[1]} {'FY' if part[2] else '20'}{part[3]}", text)
    text = _QUARTER_OF.sub(r"three months ended \1 \2", _UP_TO.sub(r"\1 ended ", text))
    text = _TRAILING.sub(r"\1 for the twelve months ended ", text)
    text = _SMALL_MONTH.sub(lambda month: month[0].capitalize(), text)
    return with_years(_SHORT.sub(r"FY\1", _DOUBLE.sub(r"FY\1", text)))


def sought(phrase: str, known: frozenset[str]) -> tuple[str, ...]:
    """The terms that name what to find; those that ask count only where they are `known` from labels."""
    return tuple(term for term in terms(_timeless(phrase)) if term not in _ASKING or term in known)


def names_something(phrase: str) -> bool:
    """Whether anything is left of it but periods, amounts and words that ask."""
    return any(not term[0].isdigit() for term in sought(phrase, frozenset()))


def _timeless(phrase: str) -> str:
    plain = long_form(_YEAR_END.sub(" ", phrase))
    for mention in reversed(read(plain)):
        if isinstance(mention, Period) or mention.scaled or mention.unit == "money":
            plain = plain[: mention.span.start] + " " + plain[mention.span.end :]
    return plain
