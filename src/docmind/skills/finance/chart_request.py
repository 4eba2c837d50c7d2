"""Whether a message asks for a chart, and what it asks besides."""

import re
from typing import Literal

from docmind.quality.sentences import split

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


def wants_nothing_else(message: str) -> bool:
    """Now as a chart."""
    return _NOTHING_ELSE.match(message.strip()) is not None


def without_request(message: str) -> str:
    """The question without what asks for a picture, which no table speaks of."""
    sentences = [one.text for one in split(message)]
    kept = [one for one in sentences if not wants_nothing_else(one)]
    asked = " ".join(kept) if len(kept) < len(sentences) else message
    return _ASKS_TO_DRAW.sub("", asked).strip() or message
