"""Numbers as a page shows them, read by the format that their tag names."""

import re
from decimal import Decimal

from docmind.corpus.load.xbrl.markup import Unsound

MOST_SCALE = 15
_SCALE = re.compile(r"[+-]?\d{1,2}")
_PLAIN = re.compile(r"\d{1,30}(?:\.\d{1,30})?|\.\d{1,30}")
_GAPS = re.compile(r"[\s'’]")
_ZERO = frozenset({"fixedzero", "zerodash", "numdash"})


def read_scale(stated: str | None) -> int:
    """The power of ten a number is shown in."""
    text = (stated or "0").strip()
    if not _SCALE.fullmatch(text) or abs(int(text)) > MOST_SCALE:
        raise Unsound(f"has a scale that is no power of ten up to {MOST_SCALE}")
    return int(text)


def read_number(shown: str, form: str) -> Decimal:
    """The number that stands on the page, without sign and scale."""
    name = form.rpartition(":")[2].replace("-", "").lower()
    if name in _ZERO:
        return Decimal(0)
    text = _GAPS.sub("", shown)
    text = text.replace(".", "").replace(",", ".") if name == "numcommadecimal" else text.replace(",", "")
    if not _PLAIN.fullmatch(text):
        raise Unsound("is around something that is not a number of its format")
    return Decimal(text)
