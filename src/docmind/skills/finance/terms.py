"""The words that a question and a table's labels are compared by."""

import re
from functools import lru_cache

from docmind.quality.forms import base_form
from docmind.quality.quantities.tokens import vocabulary

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
