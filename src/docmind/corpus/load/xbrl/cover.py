"""What a filing's cover says of it: company, kind of report, fiscal year and quarter, last day."""

import re

from lxml.html import HtmlElement

from docmind.corpus.load.builder import one_line
from docmind.corpus.load.xbrl.markup import Markup
from docmind.domain.documents import Metadata

LONGEST_NAME = 120
_FORM = re.compile(r"10-[KQ](?:/A)?|8-K|20-F|40-F|6-K", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_QUARTER = re.compile(r"Q([1-4])")
_SYMBOL = re.compile(r"[A-Z]{1,5}(?:[.-][A-Z])?")


def read_cover(root: HtmlElement, markup: Markup) -> Metadata:
    """What the cover tags; names only where a reader of the page sees them too."""
    said = dict[str, str]()
    for element in markup.find(root, "nonnumeric"):
        prefix, _, name = (element.get("name") or "").partition(":")
        if prefix == "dei" and name not in said:
            hidden = any(_is_hidden(parent, markup) for parent in element.iterancestors())
            said[f"hidden {name}" if hidden else name] = one_line(element.text_content())
    form = _FORM.fullmatch(_either(said, "DocumentType"))
    year = _YEAR.fullmatch(_either(said, "DocumentFiscalYearFocus"))
    quarter = _QUARTER.fullmatch(_either(said, "DocumentFiscalPeriodFocus"))
    symbol = _SYMBOL.fullmatch(said.get("TradingSymbol", ""))
    company = said.get("EntityRegistrantName", "")
    return Metadata(
        company=company if 0 < len(company) <= LONGEST_NAME else None,
        ticker=symbol[0] if symbol else None,
        fiscal_year=int(year[0]) if year else None,
        quarter=int(quarter[1]) if quarter else None,
        document_type=form[0].lower().removesuffix("/a") if form else None,
    )


def _either(said: dict[str, str], name: str) -> str:
    return said.get(name) or said.get(f"hidden {name}", "")


def _is_hidden(element: HtmlElement, markup: Markup) -> bool:
    return any(element.tag == f"{prefix}:hidden" for prefix in markup.inline)
