"""A small annual report as companies file them: HTML whose figures are tagged with Inline XBRL."""

from collections.abc import Sequence

NAMESPACES = (
    'xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" '
    'xmlns:ixt="http://www.xbrl.org/inlineXBRL/transformation/2020-02-12" '
    'xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:xbrldi="http://xbrl.org/2006/xbrldi" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:iso4217="http://www.xbrl.org/2003/iso4217" '
    'xmlns:us-gaap="http://fasb.org/us-gaap/2022" xmlns:dei="http://xbrl.sec.gov/dei/2022" '
    'xmlns:srt="http://fasb.org/srt/2022" xmlns:brk="http://example.com/20221231" '
    'xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink"'
)
UNITS = {
    "usd": "<xbrli:measure>iso4217:USD</xbrli:measure>",
    "shares": "<xbrli:measure>xbrli:shares</xbrli:measure>",
    "number": "<xbrli:measure>xbrli:pure</xbrli:measure>",
    "usdPerShare": (
        "<xbrli:divide><xbrli:unitNumerator><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unitNumerator>"
        "<xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide>"
    ),
}


def context(key: str, start: str, end: str = "", member: str = "") -> str:
    """A context of a stretch of time, or of one day where no end is given; of a part of the company with a member."""
    axis = f'<xbrldi:explicitMember dimension="srt:ProductOrServiceAxis">{member}</xbrldi:explicitMember>'
    segment = f"<xbrli:segment>{axis}</xbrli:segment>" if member else ""
    stretch = f"<xbrli:startDate>{start}</xbrli:startDate><xbrli:endDate>{end}</xbrli:endDate>"
    when = stretch if end else f"<xbrli:instant>{start}</xbrli:instant>"
    identifier = '<xbrli:identifier scheme="http://www.sec.gov/CIK">0001234567</xbrli:identifier>'
    entity = f"<xbrli:entity>{identifier}{segment}</xbrli:entity>"
    return f'<xbrli:context id="{key}">{entity}<xbrli:period>{when}</xbrli:period></xbrli:context>'


CONTEXTS = "".join(
    (
        context("y22", "2022-01-01", "2022-12-31"),
        context("y21", "2021-01-01", "2021-12-31"),
        context("d22", "2022-12-31"),
        context("d21", "2021-12-31"),
        context("y22-ovens", "2022-01-01", "2022-12-31", "brk:OvensMember"),
        context("y21-ovens", "2021-01-01", "2021-12-31", "brk:OvensMember"),
    )
)


def tag(concept: str, when: str, shown: str, unit: str = "usd", **more: str) -> str:
    """A tagged figure, in millions of dollars unless something else is said."""
    decimals, scale = ("2", "0") if unit in ("usdPerShare", "number") else ("-6", "6")
    given = {"name": concept, "contextRef": when, "unitRef": unit, "decimals": decimals, "scale": scale}
    given |= {"format": "ixt:num-dot-decimal", **more}
    attributes = " ".join(f'{name.replace("__", ":")}="{value}"' for name, value in given.items())
    return f"<ix:nonFraction {attributes}>{shown}</ix:nonFraction>"


def cells(figure: str, *, dollar: bool = False) -> str:
    """A figure over three columns, as filings set them: sign, number, closing bracket."""
    if dollar:
        return f"<td>$</td><td>{figure}</td><td></td>"
    closing = ")" if figure.startswith("(") else ""
    return f'<td colspan="2">{figure}</td><td>{closing}</td>'


def table(years: Sequence[str], *rows: tuple[str, Sequence[str]], dollar: int = 0) -> str:
    header = "".join(f'<td colspan="3">{year}</td>' for year in years)
    body = "".join(
        f"<tr><td>{label}</td>{''.join(cells(figure, dollar=place == dollar) for figure in figures)}</tr>"
        for place, (label, figures) in enumerate(rows)
    )
    return f"<table><tr><td>(in millions, except per share amounts)</td>{header}</tr>{body}</table>"


def both(concept: str, now: str, before: str, **more: str) -> list[str]:
    """The figures of 2022 and 2021."""
    return [tag(concept, "y22", now, **more), tag(concept, "y21", before, **more)]


INCOME = table(
    ["2022", "2021"],
    ("Turnover", both("us-gaap:Revenues", "394,328", "365,817")),
    (
        "Payments to suppliers",
        [f"({tag('us-gaap:CostOfRevenue', 'y22', '223,546')}", f"({tag('us-gaap:CostOfRevenue', 'y21', '212,981')}"],
    ),
    (
        "Other result",
        [
            f"({tag('us-gaap:NonoperatingIncomeExpense', 'y22', '334', sign='-')}",
            tag("us-gaap:NonoperatingIncomeExpense", "y21", "258"),
        ],
    ),
    ("Result for the year", both("us-gaap:NetIncomeLoss", "99,803", "94,680")),
    ("Result per share", both("us-gaap:EarningsPerShareBasic", "6.15", "5.67", unit="usdPerShare")),
    (
        "Impairment",
        [tag("us-gaap:Impairment", "y22", "12"), tag("us-gaap:Impairment", "y21", "—", format="ixt:fixed-zero")],
    ),
)
SEGMENTS = table(
    ["2022", "2021"],
    ("Turnover", [tag("us-gaap:Revenues", "y22-ovens", "39,440"), tag("us-gaap:Revenues", "y21-ovens", "35,190")]),
    ("Hours worked", ["1,200", "1,100"]),
)
BALANCE = table(
    ["2022", "2021"],
    ("Cash", [tag("us-gaap:Cash", "d22", "23,646"), tag("us-gaap:Cash", "d21", "34,940")]),
    ("Other items", ["5", "6"]),
)
COVER = (
    '<p><ix:nonNumeric name="dei:DocumentType" contextRef="y22">10-K</ix:nonNumeric></p>'
    '<p>Of <ix:nonNumeric name="dei:EntityRegistrantName" contextRef="y22">Brackwell Inc.</ix:nonNumeric></p>'
    '<p>Symbol <ix:nonNumeric name="dei:TradingSymbol" contextRef="y22">BRKW</ix:nonNumeric></p>'
)
HIDDEN = (
    '<ix:nonNumeric name="dei:DocumentFiscalYearFocus" contextRef="y22">2022</ix:nonNumeric>'
    '<ix:nonNumeric name="dei:DocumentFiscalPeriodFocus" contextRef="y22">FY</ix:nonNumeric>'
    '<ix:nonNumeric name="dei:EntityRegistrantName" contextRef="y22">Someone Else Ltd</ix:nonNumeric>'
)


BODY = f"<h1>Consolidated statements of income</h1>{INCOME}<h1>Parts</h1>{SEGMENTS}<h1>Balance sheets</h1>{BALANCE}"


def filing(
    body: str = BODY,
    *,
    contexts: str = CONTEXTS,
    cover: str = COVER,
    hidden: str = HIDDEN,
    before: str = "",
    namespaces: str = NAMESPACES,
) -> bytes:
    """The whole page, its contexts and units in a header that no reader sees."""
    units = "".join(f'<xbrli:unit id="{key}">{what}</xbrli:unit>' for key, what in UNITS.items())
    schema = '<link:schemaRef xlink:type="simple" xlink:href="http://example.com/brk-20221231.xsd"/>'
    header = (
        f"<ix:header><ix:hidden>{hidden}</ix:hidden><ix:references>{schema}</ix:references>"
        f"<ix:resources>{contexts}{units}</ix:resources></ix:header>"
    )
    page = f'<head><title>brk-20221231</title></head><body><div style="display:none">{header}</div>{cover}{body}</body>'
    return f'<?xml version="1.0" encoding="UTF-8"?>{before}<html {namespaces}>{page}</html>'.encode()
