"""Reads from a document's name and words what filters ask for; what is not clearly stated stays unknown."""

import calendar
import datetime as dt
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from docmind.domain.companies import name_key
from docmind.domain.documents import Block, BlockKind, Metadata

LONGEST_LINE = 200
"""Characters of a line of a title page."""
TITLE_BLOCKS = 12
# A name in capitals on the cover is written out soon after, if it ever is.
SPELLING_CHARACTERS = 100_000

_REGISTRANT = re.compile(
    r"([^\n(]{2,200})[\s(]*exact name of (?:the )?(?:registrants?|company) as specified in (?:its|their|the) charters?",
    re.IGNORECASE,
)
_AFTER_FILE_NUMBER = re.compile(
    r"commission\s+file\s+(?:number|no\.?):?\s*[\d-]{5,}\s*\n([^\n]{2,100})\n", re.IGNORECASE
)
_FILER = re.compile(r"securities\s+exchange\s+act\s+of\s+1934", re.IGNORECASE)
_MOSTLY_CAPITALS = 0.9
_LEGAL_FORM = (
    r"(?:Inc|Incorporated|Corp|Corporation|Ltd|Limited|LLC|PLC|plc|AG|GmbH|SE|S\.A|N\.V|L\.P|Limited Partnership"
    r"|Holdings)\b\.?"
)
_COMPANY_NAME = re.compile(
    rf"(?<![\w&.'’-])([a-z]?[A-Z][\w&.'’-]*,?\s+(?:(?:[A-Z][\w&.'’-]*,?|of|and|&)\s+){{0,5}}?{_LEGAL_FORM})"
)
_FIRST_OF_SEVERAL = re.compile(
    rf"^(.{{2,100}}?\b{_LEGAL_FORM}(?:,? {_LEGAL_FORM})*)\s+(?!of\b|and\b|&).*\b{_LEGAL_FORM}", re.IGNORECASE
)
_LISTED = re.compile(
    r"((?:[a-z]?[A-Z][\w&.'’-]*,? ){0,5}[a-z]?[A-Z][\w&.'’-]*,?)"
    r"\s*\((?i:nasdaq|nyse|lse|xetra)\s*:\s*[A-Z]{1,5}(?:\.[A-Z])?\s*\)"
)
_WORK = re.compile(
    r"^.*\b(?:report|paper|statements?|strategy|policy|minutes|plan|agreement|figures)\s+(?:of|for|by|on)?\s*", re.I
)


def registrant_on(opening: str) -> str | None:
    """The company on the cover of a filing; no other document has that line and the law's name together."""
    if not _FILER.search(opening):
        return None
    match = _REGISTRANT.search(opening) or _AFTER_FILE_NUMBER.search(opening)
    return match[1].strip() if match else None


def company_in(opening: str, text: str, blocks: Sequence[Block]) -> str | None:
    if registrant := registrant_on(opening):
        # A company and its partnership file together; the first is the one that people speak of.
        several = _FIRST_OF_SEVERAL.match(registrant)
        return _as_written(several[1] if several else registrant, text)
    lines = (block.span.of(text) for block in blocks[:TITLE_BLOCKS] if len(block.span) <= LONGEST_LINE)
    found = (match[1] for line in lines for match in _COMPANY_NAME.finditer(line))
    names = {name_key(name): name for name in (_as_written(_WORK.sub("", one), text) for one in found)}
    if len(names) == 1:
        return next(iter(names.values()))
    # Two names on a title page are two parties; a release gives the symbol of the one it is about.
    listed = {name_key(match[1]): match[1] for match in _LISTED.finditer(opening)}
    return next(iter(listed.values())).strip() if len(listed) == 1 else None


def _as_written(name: str, text: str) -> str:
    """A name in capitals as the document writes it elsewhere; failing that, with capital initials."""
    name = re.sub(r"\s+", " ", name).strip(" *#|")
    if not _is_in_capitals(name):
        return name
    spelt = re.finditer(re.escape(name), text[:SPELLING_CHARACTERS], re.IGNORECASE)
    written = Counter(match[0] for match in spelt if not _is_in_capitals(match[0]))
    if written:
        return written.most_common(1)[0][0]
    return " ".join(
        word.capitalize() if len(word) > 3 or word.strip(".,") in ("INC", "CO") else word for word in name.split()
    )


def _is_in_capitals(name: str) -> bool:
    """All of it but a letter or two: McDONALD'S CORPORATION."""
    letters = [letter for letter in name if letter.isalpha()]
    return sum(map(str.isupper, letters)) >= _MOSTLY_CAPITALS * len(letters)


# Covers and title pages say who and when; further in, other companies and other years are spoken of.
OPENING_CHARACTERS = 6_000
TITLE_CHARACTERS = 1_200
LONGEST_TITLE = 200
# A member of an archive may be called anything; no title is longer, and some patterns take their time.
LONGEST_NAME = 200
# Periods of whole weeks may end in the first days of the next month.
WEEK_DAYS = 7
# How far behind the words "balance sheet" the days stand that its columns are of.
NEAR_CHARACTERS = 400

_MONTHS = list(calendar.month_name)[1:]
_MONTH = rf"(?:{'|'.join(_MONTHS)})"
_CENTURY = r"(?:19|20)\d\d"
_DATE = (
    rf"({_MONTH}\s+\d{{1,2}},?\s+{_CENTURY}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+{_MONTH},?\s+{_CENTURY}"
    rf"|{_CENTURY}-\d\d-\d\d)"
)
_YEAR = r"(?<!\d)((?:19|20)\d\d)(?!\d)"

_SYMBOL_HEADER = re.compile(r"trading\s+symbol", re.IGNORECASE)
_SYMBOL = re.compile(r"(?<![\w.$])([A-Z]{2,5})(?![\w.])[^\n]{0,80}?(?i:nasdaq|nyse|new york stock)")
_NOT_SYMBOLS = frozenset({"NYSE", "LLC", "INC", "THE", "PAR", "NONE", "USD"})
_TICKER = re.compile(r"\b(?i:ticker(?:\s+symbol)?)\s*:\s*([A-Z]{1,5})\b")
_EXCHANGE = re.compile(r"\(\s*(?:NASDAQ|NYSE|LSE|XETRA)\s*:\s*([A-Z]{1,5}(?:\.[A-Z])?)\s*\)", re.IGNORECASE)
_FILING_NAME = re.compile(r"(?:19|20)\d\d[ _-]+Q[1-4][ _-]+([A-Z]{1,5})(?![A-Za-z])")

_YEAR_QUARTER = re.compile(rf"(?:FY[ _-]?)?{_YEAR}[ _-]*Q([1-4])(?!\d)", re.IGNORECASE)
_QUARTER_YEAR = re.compile(rf"(?<![A-Za-z0-9])Q([1-4])[ _-]*(?:FY[ _-]?)?{_YEAR}", re.IGNORECASE)
_FISCAL_NAME = re.compile(r"(?<![A-Za-z])FY[ _-]?((?:20)?\d\d)(?!\d)", re.IGNORECASE)
_REPORT_NAME = re.compile(
    rf"(?:annual|report|10-?k|results|figures|accounts)\w*[ _-]+(?:\w+[ _-]+)?{_YEAR}|{_YEAR}[ _-]+(?:annual|10-?k)",
    re.IGNORECASE,
)
_FISCAL_QUARTER = re.compile(
    rf"\b(first|second|third|fourth)\s+(?:fiscal\s+)?quarter\s+(?:of\s+)?(?:fiscal\s+)?(?:year\s+)?{_YEAR}",
    re.IGNORECASE,
)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_FISCAL_YEAR = re.compile(
    rf"(?:fiscal|financial)\s+year\s+(?:ended|ending)\s+{_DATE}|for\s+the\s+year\s+ended\s+{_DATE}", re.IGNORECASE
)
_STATED_YEAR = re.compile(
    rf"\b(?:fiscal(?:\s+year)?|financial\s+year|FY)\s*{_YEAR}|annual\s+report\s+{_YEAR}|{_YEAR}\s+annual\s+report",
    re.IGNORECASE,
)
_BALANCE_SHEET = re.compile(r"\bbalance\s+sheets?\b", re.IGNORECASE)
_QUARTERLY_PERIOD = re.compile(rf"(?:quarterly\s+period|quarter|three\s+months)\s+ended:?\s+{_DATE}", re.IGNORECASE)
_ISSUED = re.compile(
    rf"(?:^|\n)(?:(?:date|dated|issued|published|effective(?:\s+date)?)\s*:?\s*)?{_DATE}\s*(?:\n|$)",
    re.IGNORECASE,
)

_TYPES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("10-q", r"\bform\s+10-?q\b"),
        ("10-k", r"\bform\s+10-?k\b"),
        ("8-k", r"\bform\s+8-?k\b"),
        ("annual report", r"\bannual\s+report\b|\bannual\s+figures\b"),
        ("quarterly report", r"\bquarterly\s+report\b|\binterim\s+report\b"),
        ("board paper", r"\bboard\s+(?:paper|memo(?:randum)?|pack)\b"),
        ("minutes", r"\bminutes\s+of\b|\bmeeting\s+minutes\b|\bboard\s+minutes\b"),
        ("press release", r"\b(?:press|news)\s+release\b"),
        ("strategy", r"\bstrateg(?:y|ic\s+plan)\b"),
        ("policy", r"(?-i:^(?:[A-Z][\w&-]* ){1,4}Policy$)|^policy (?:on|for)\b"),
        ("manual", r"\b(?:(?:user|developer|owner|administrator)\S*\s+(?:guide|manual)|handbook)\b|\bmanual$"),
        ("memo", r"\bmemo(?:randum)?\b"),
    )
)
_NAME_TYPES = {"10q": "10-q", "10-q": "10-q", "10k": "10-k", "10-k": "10-k", "8-k": "8-k"}
_DATA_EXTENSIONS = frozenset({".csv", ".tsv", ".tab", ".xlsx", ".xlsm", ".json", ".jsonl", ".ndjson", ".xml"})
_MACHINE_TITLE = re.compile(
    r"microsoft word - |^powerpoint[- ]presentation$|untitled|^\W?(?:anonymous|unspecified|unknown)\W?$|^\W*$"
    r"|\.(?:docx?|pdf|indd|html?|xlsx?)$|^[\d\W_]+$",
    re.IGNORECASE,
)


def read_metadata(name: str, text: str, blocks: Sequence[Block], hints: Metadata) -> Metadata:
    """What the file's name and its opening say; `hints` is what the file's own properties say."""
    path = PurePath(name.replace("\\", "/")[-LONGEST_NAME:])
    opening = text[:OPENING_CHARACTERS]
    kind = hints.document_type or _document_type(path, hints.title or "", opening, blocks, text)
    year, quarter = _period(path.stem, opening, kind)
    company = hints.company or company_in(opening, text, blocks)
    found = Metadata(
        company=company,
        ticker=hints.ticker or _ticker(path.stem, opening),
        fiscal_year=hints.fiscal_year or year,
        quarter=hints.quarter or quarter,
        document_type=kind,
        date=hints.date or _date(opening),
    )
    found = replace(found, year_end=hints.year_end or fiscal_year_end(text, found))
    return Metadata(**{**found.known(), "title": _title(path, text, blocks, hints, found)})  # type: ignore[arg-type]


def _title(path: PurePath, text: str, blocks: Sequence[Block], hints: Metadata, found: Metadata) -> str:
    if found.company and found.document_type in ("10-q", "10-k"):
        period = f"Q{found.quarter} {found.fiscal_year}" if found.quarter else str(found.fiscal_year or "")
        return f"{found.company} Form {found.document_type.upper()} {period}".strip()
    headings = [block for block in blocks if block.kind is BlockKind.HEADING]
    top = min((block.level for block in headings), default=0)
    # A heading further down is that of a section.
    opening = [block for block in headings if block.level == top and block.span.start < TITLE_CHARACTERS]
    first = opening[0].span.of(text) if opening else ""
    stated = (hints.title or "").strip()
    if stated and not _MACHINE_TITLE.search(stated) and len(stated) <= LONGEST_TITLE:
        return stated
    if 0 < len(first) <= LONGEST_TITLE and path.suffix.lower() not in _DATA_EXTENSIONS:
        return first
    return _humanised(path.stem)


def _humanised(stem: str) -> str:
    words = re.sub(r"[\s_-]+", " ", stem).strip() or stem
    return words[:1].upper() + words[1:]


def _document_type(path: PurePath, title: str, opening: str, blocks: Sequence[Block], text: str) -> str | None:
    """The kind a title or file name states; prose that mentions a policy does not make a document one."""
    if path.suffix.lower() in _DATA_EXTENSIONS:
        return "data"
    tokens = re.split(r"[\s_]+", path.stem.lower())
    named = next((_NAME_TYPES[token] for token in tokens if token in _NAME_TYPES), None)
    if named:
        return named
    if registrant_on(opening):
        return next((kind for kind, pattern in _TYPES[:3] if pattern.search(opening)), None)
    headings = [
        b.span.of(text)
        for b in blocks[:TITLE_BLOCKS]
        if b.kind is BlockKind.HEADING and b.span.start < TITLE_CHARACTERS
    ]
    for stated in (title, *headings[:1], re.sub(r"[_-]+", " ", path.stem)):
        for kind, pattern in _TYPES:
            if len(stated) <= LONGEST_TITLE and pattern.search(stated):
                return kind
    return None


def _ticker(stem: str, opening: str) -> str | None:
    if match := _FILING_NAME.search(stem):
        return match[1]
    if match := _TICKER.search(opening):
        return match[1]
    if match := _EXCHANGE.search(opening):
        return match[1].upper()
    if header := _SYMBOL_HEADER.search(opening):
        symbols = {match[1] for match in _SYMBOL.finditer(opening[header.end() : header.end() + 600])} - _NOT_SYMBOLS
        if len(symbols) == 1:
            return symbols.pop()
    return None


def _period(stem: str, opening: str, kind: str | None) -> tuple[int | None, int | None]:
    """Fiscal year and quarter. A name or a sentence that states them wins over the calendar date of a period's end."""
    quarterly = kind in ("10-q", "quarterly report")
    if match := _YEAR_QUARTER.search(stem):
        return int(match[1]), int(match[2])
    if match := _QUARTER_YEAR.search(stem):
        return int(match[2]), int(match[1])
    if match := _FISCAL_QUARTER.search(opening if quarterly else opening[:TITLE_CHARACTERS]):
        return int(match[2]), _ORDINALS[match[1].lower()]
    year = _named_year(stem)
    # Whose fiscal year a quarter's calendar end belongs to differs by company.
    return year or (None if quarterly else _stated_year(opening)), None


def fiscal_year_end(text: str, found: Metadata) -> int | None:
    """The month that the company's fiscal year ends in, as the filing tells it.

    An annual report ends with the year; a quarterly one holds its balance sheet against that of the last year's end.
    """
    if found.date is None or found.document_type not in ("10-k", "10-q", "annual report", "quarterly report"):
        return None
    if found.document_type in ("10-k", "annual report"):
        return _month(found.date)
    sheets = (text[one.end() : one.end() + NEAR_CHARACTERS] for one in _BALANCE_SHEET.finditer(text))
    beside = Counter(_iso(written) for sheet in sheets for written in re.findall(_DATE, sheet))
    earlier = [day for day, _ in beside.most_common() if day is not None and day < found.date]
    return _month(earlier[0]) if earlier else None


def _month(day: str) -> int:
    return (dt.date.fromisoformat(day) - dt.timedelta(WEEK_DAYS)).month


def _named_year(stem: str) -> int | None:
    if match := _FISCAL_NAME.search(stem):
        return int(match[1][-2:]) + 2000
    match = _REPORT_NAME.search(stem)
    return int(match[1] or match[2]) if match else None


def _stated_year(opening: str) -> int | None:
    if (match := _FISCAL_YEAR.search(opening)) and (ended := _iso(match[1] or match[2])):
        return int(ended[:4])
    found = _STATED_YEAR.finditer(opening[:TITLE_CHARACTERS])
    years = {int(year) for match in found for year in match.groups() if year}
    return years.pop() if len(years) == 1 else None


def _date(opening: str) -> str | None:
    for pattern in (_QUARTERLY_PERIOD, _FISCAL_YEAR):
        if match := pattern.search(opening):
            return _iso(next(group for group in match.groups() if group))
    match = _ISSUED.search(opening[:TITLE_CHARACTERS])
    return _iso(match[1]) if match else None


def _iso(written: str) -> str | None:
    """`December 31, 2023`, `31 December 2023` or `2023-12-31` as the last of these; None where no such day exists."""
    if month := re.search(_MONTH, written, re.IGNORECASE):
        day, year = re.findall(r"\d+", written)
        written = f"{year}-{_MONTHS.index(month[0].capitalize()) + 1:02}-{int(day):02}"
    try:
        return dt.date.fromisoformat(written).isoformat()
    except ValueError:
        return None
