"""How a number is wanted: “Answer in USD millions, to one decimal” says how to tell it, and names nothing."""

import re
from dataclasses import dataclass
from decimal import Decimal

_SCALES = {"thousand": 3, "million": 6, "billion": 9}
_COUNTS = {"no": 0, "zero": 0, "one": 1, "a single": 1, "1": 1, "two": 2, "2": 2, "three": 3, "3": 3, "four": 4, "4": 4}
_COUNT = r"(?P<count>" + "|".join(sorted(_COUNTS, key=len, reverse=True)) + ")"
_ASK = (
    r"(?:please )?(?:(?:answer|report|express|give|state|show|tell|round(?:ed)?)"
    r"(?: (?:it|me|the answer|your answer))?,? )?"
)
_CURRENCY = r"(?:usd|us\$|u\.s\. dollars?|dollars?|\$|eur|euros?|gbp|pounds?)"
_SCALE = re.compile(
    rf"[,;(]?\s*\b{_ASK}(?:in )?(?:{_CURRENCY} (?P<scale>thousand|million|billion)s"
    rf"|(?P<other>thousand|million|billion)s(?: of)? {_CURRENCY})\b\)?"
    rf"|[,;]?\s+\b{_ASK}in (?P<bare>thousand|million|billion)s\b",
    re.IGNORECASE,
)
_PLACES = re.compile(
    rf"[,;(]?\s*\b{_ASK}(?:in percent,? )?(?:to |with |at )?(?:the )?{_COUNT} (?:decimals?|digits?)"
    r"(?: (?:places?|points?))?(?: please)?\b\)?",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"[,;(]?\s*\bround(?:ed)? (?:it )?to (?:a|the nearest|the next|the) (?:whole |full )?"
    r"(?:percent(?:age point)?|number|basis point|dollar|day|integer|people)\b\)?",
    re.IGNORECASE,
)
_LEFT = re.compile(r"\s+(?=[?.,;])|(?<=[?.])\s*[.,;]+")


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """What the question says of the number; None where it says nothing."""

    scale: Decimal | None = None
    places: int | None = None


def take_format(text: str) -> tuple[str, NumberFormat]:
    """The question without what only says how to write the number, and what that says."""
    if not any(pattern.search(text) for pattern in (_SCALE, _PLACES, _WHOLE)):
        return text, NumberFormat()
    scaled, counted = _SCALE.search(text), _PLACES.search(text)
    name = next((scaled[group] for group in ("scale", "other", "bare") if scaled[group]), "") if scaled else ""
    places = _COUNTS[counted["count"].lower()] if counted else None
    plain = text
    for pattern in (_SCALE, _PLACES, _WHOLE):
        plain = pattern.sub("", plain)
    plain = _LEFT.sub("", plain).strip()
    scale = Decimal(10) ** _SCALES[name.lower()] if name else None
    if not any(map(str.isalpha, plain)):
        return text, NumberFormat()
    return plain, NumberFormat(scale, places)
