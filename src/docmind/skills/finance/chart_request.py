"""Whether a message asks for a chart, and what it asks besides."""

import re

_CHART = re.compile(r"\b(?:charts?|graphs?|plot(?:ted)?|diagrams?|visuali[sz]ed?|draw|drawn)\b", re.IGNORECASE)
_ASKS_TO_DRAW = re.compile(
    r"^(?:please )?(?:show|draw|plot|chart|graph|visuali[sz]e)(?: me)?(?: a (?:chart|graph|diagram|plot))?(?: of)?\s"
    r"|[,;]?\s(?:and )?(?:now )?(?:as|in|with) an? (?:line |bar |pie )?(?:chart|graph|diagram|plot)\b",
    re.IGNORECASE,
)
_NOTHING_ELSE = re.compile(
    r"^(?:(?:and|now|please|can|could|you|show|me|it|that|this|them|as|in|draw|plot|make|give|an?|the|line|bar|pie) )*+"
    r"(?:charts?|graphs?|plot|diagrams?|visuali[sz]e(?: it| that| this)?)[.!?]*$",
    re.IGNORECASE,
)


def wants_chart(message: str) -> bool:
    return _CHART.search(message) is not None


def wants_nothing_else(message: str) -> bool:
    """Now as a chart."""
    return _NOTHING_ELSE.match(message.strip()) is not None


def without_request(message: str) -> str:
    """The question without what asks for a picture, which no table speaks of."""
    return _ASKS_TO_DRAW.sub(" ", message).strip() or message
