"""What the phrases of questions and labels say: their words, the times in them, and the thing they name."""

import re
from calendar import month_name
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from docmind.quality.quantities import Mention, Period, read
from docmind.quality.quantities.numerals import SMALL
from docmind.quality.quantities.periods import MONTHS, read_year
from docmind.quality.quantities.tokens import Tokens, vocabulary
from docmind.quality.words import base_form

_WORD = re.compile(r"%|[^\W\d_]++|\d++(?:[.,]\d++)*+")
_SMALL = vocabulary(
    "the a an of in for to and or on at by as with is was were are be been has have had its our their from s company "
    "what which how did does do"
)
_WRITTEN = {"%": "percent", "percentage": "percent", "percentages": "percent"}
_INITIALS = re.compile(r"\b[A-Z](?:\.[A-Z]){1,3}\b\.?")
"""U.S. is US."""
_SHORTENED = re.compile(r"(?<=\w)['’](?:d|ll|ve|re|t|m)\b", re.IGNORECASE)
"""They'd, we'll: what is left of the second word is no word, and no D of D&A."""
_DASHES = str.maketrans("-–—/", "    ")


@lru_cache(maxsize=1 << 14)
def terms(text: str) -> tuple[str, ...]:
    """The words in order, each as the key that its forms share. "Other", "total" and "net" tell rows apart and stay."""
    plain = _INITIALS.sub(lambda initials: initials[0].replace(".", ""), text.translate(_DASHES))
    plain = _SHORTENED.sub("", plain)
    words = (match[0].lower().replace(",", "") for match in _WORD.finditer(plain))
    return tuple(_WRITTEN.get(word) or base_form(word) for word in words if word not in _SMALL)


_PLACES = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_QUARTERS = vocabulary("quarter quarters")
_JOINTS = vocabulary(", and or to through the")
_FISCAL = vocabulary("fiscal fy financial")


class _QuarterList(NamedTuple):
    """Quarters named in one place, and the tokens from which and up to which they are."""

    quarters: list[int]
    first: int
    end: int


def with_years(text: str) -> str:
    """The text with each quarter of a list, and each date, beside its own year; everything else as it is."""
    return _with_quarters(_with_dates(text))


def _with_dates(text: str) -> str:
    """A date without a year is of the only calendar year that the text names."""
    times = [one for one in read(text) if isinstance(one, Period)]
    years = {(one.year, one.fiscal) for one in times if one.year}
    if len(years) != 1 or (year := min(years))[1]:
        return text
    for one in reversed(times):
        if one.year is None and one.month and one.day:
            text = f"{text[: one.span.end]}, {year[0]}{text[one.span.end :]}"
    return text


def _with_quarters(text: str) -> str:
    tokens = Tokens(text)
    for named, year in reversed(list(_dated_quarters(tokens))):
        *before, last = [f"Q{quarter} {year}" for quarter in named.quarters]
        written = f"{', '.join(before)} and {last}" if before else last
        text = f"{text[: tokens.at(named.first).start]}{written}{text[tokens.at(named.end - 1).end :]}"
    return text


def _dated_quarters(tokens: Tokens) -> Iterator[tuple[_QuarterList, str]]:
    """What is named in each place of a list, with the year that stands behind the last."""
    at = 0
    while at < len(tokens):
        places = _quarter_list(tokens, at)
        if not places:
            at += 1
            continue
        *_, last = places
        at = last.end
        of = at + (tokens.at(at).lower == "of")
        fiscal = tokens.at(of).lower in _FISCAL
        year = read_year(tokens, of + fiscal)
        if year is not None and sum(len(one.quarters) for one in places) > 1:
            written = f"of fiscal {year}" if fiscal else str(year)
            yield from ((one, written) for one in places[:-1])
            yield last._replace(end=of + fiscal + 1), written


def _quarter_list(tokens: Tokens, at: int) -> list[_QuarterList]:
    """The first three quarters; Q1, Q2 and Q3; the first, second and third quarters."""
    found: list[_QuarterList] = []
    while (one := _first_ones(tokens, at) or _one_place(tokens, at)) is not None:
        found.append(one)
        at = one.end
        while tokens.at(at).lower in _JOINTS:
            at += 1
    # Places in an order are of quarters only where something says so.
    return found if any(_says_quarter(tokens, one) for one in found) else []


def _first_ones(tokens: Tokens, at: int) -> _QuarterList | None:
    many = SMALL.get(tokens.at(at + 1).lower)
    if tokens.at(at).lower != "first" or many not in (2, 3, 4) or tokens.at(at + 2).lower not in _QUARTERS:
        return None
    return _QuarterList(list(range(1, many + 1)), at, at + 3)


def _one_place(tokens: Tokens, at: int) -> _QuarterList | None:
    if tokens.at(at).lower == "q" and tokens.glued(at + 1).text in ("1", "2", "3", "4"):
        return _QuarterList([int(tokens.at(at + 1).text)], at, at + 2)
    place = _PLACES.get(tokens.at(at).lower)
    return _QuarterList([place], at, at + 1 + (tokens.at(at + 1).lower in _QUARTERS)) if place is not None else None


def _says_quarter(tokens: Tokens, named: _QuarterList) -> bool:
    return tokens.at(named.first).lower == "q" or tokens.at(named.end - 1).lower in _QUARTERS


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
    return tuple(term for term in terms(_without_times_and_amounts(phrase)) if term not in _ASKING or term in known)


def names_something(phrase: str) -> bool:
    """Whether anything is left of it but periods, amounts and words that ask."""
    return any(not term[0].isdigit() for term in sought(phrase, frozenset()))


def _without_times_and_amounts(phrase: str) -> str:
    plain = long_form(_YEAR_END.sub(" ", phrase))
    for mention in reversed(read(plain)):
        if isinstance(mention, Period) or mention.scaled or mention.unit == "money":
            plain = plain[: mention.span.start] + " " + plain[mention.span.end :]
    return plain


_UNIT = r"(?:thousands|millions|billions|percent|percentage|dollars|euros)"
_OPENING = re.compile(
    r"^(?:and |so |but |then |now |, )*+(?:also )?(?:by )?(?:(?:what|which|how) )?(?:much |many |percentage |percent )?"
    r"(?:(?:is|was|were|are|did|does|do|has|have|had|would|'s|s)(?: then)?,? (?:then,? )?)?(?:the |all )?",
    re.IGNORECASE,
)
_MOVE = (
    r"(?:change|difference|increase|decrease|growth|growth rate|variance|fluctuation|decline|variation|rise|fall|drop)"
)
_CALCULATED = re.compile(
    rf"^(?:(?:net|total|overall|percentage|percent|annual|combined) )*+(?:{_MOVE}|sum|average|value|amount)"
    r"(?: (?:in|of|for)) (?:the )?",
    re.IGNORECASE,
)
_VERB = re.compile(r" (?:grow|change|increase|decrease|rise|fall|decline|develop|drop)\b.*$", re.IGNORECASE)
_WHEN = re.compile(
    r",? ?\b(?:in|for|from|between|during|as of|at|on|over|by|through|to|and|since)?(?: the)?"
    r"(?: (?:fiscal|financial|calendar|same))?"
    r"(?: (?:years?|ends?|quarters?|periods?|months?)(?: (?:of|ended|ending))?)?"
    r"(?: on)? ?$",
    re.IGNORECASE,
)
_ASIDE = re.compile(rf",? (?:also )?in {_UNIT}\b|\brespectively\b", re.IGNORECASE)


def subject_of(question: str) -> str:
    """The words that name the thing; nothing where none are left."""
    text = _ASIDE.sub("", _without_times(long_form(question).rstrip(" ?.")))
    text = _OPENING.sub("", _OPENING.sub("", text.strip(" ,"), count=1).strip(" ,"), count=1)
    for _ in range(2):
        shorter = _CALCULATED.sub("", text, count=1)
        text = shorter if names_something(shorter) else text
    text = _VERB.sub("", text).strip(" ,")
    return text if names_something(text) else ""


def times_of(question: str) -> list[str]:
    """The periods of a question, in its own words and order."""
    return list(dict.fromkeys(one.text for one in mentions(question) if isinstance(one, Period) and one.year))


def _without_times(text: str) -> str:
    """Without its periods and the little words that lead to them."""
    for time in reversed(times_of(text)):
        before, found, after = text.rpartition(time)
        if found:
            text = f"{_WHEN.sub('', before)} {after.strip()}".strip()
    return text
