"""`--where field=value` into filters, with a sentence for every way to get it wrong."""

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import typer

from docmind.domain.search import Filters

_TEXT_FIELDS = ("company", "ticker", "document_type", "kind")
_NUMBER_FIELDS = {"fiscal_year": "FY", "quarter": "Q"}
"""With the letters that people put before such a number."""

FIELDS = (*_TEXT_FIELDS, *_NUMBER_FIELDS, "document", "date")
WHERE_HELP = (
    "Only passages that match: FIELD=VALUE, or date>=2024-01-31, date<=2024-12-31. "
    f"Fields: {', '.join(FIELDS)}. Repeat it to narrow further; the same field twice matches either value."
)

_CONDITION = re.compile(r"(\w++)\s*+(>=|<=|=)\s*+(.*+)", re.DOTALL)


def parse_conditions(conditions: Sequence[str], document_id: Callable[[str], str]) -> Filters:
    """The filters that the conditions describe; `document_id` finds the document that a person names."""
    chosen: dict[str, Any] = {}
    for condition in conditions:
        field, operator, value = _split(condition)
        if field == "date":
            chosen |= _dates(operator, value)
        elif operator != "=":
            raise _wrong(f"{operator} goes with date alone; write {field}={value[:40]}.")
        elif field == "document":
            chosen["document_id"] = (*chosen.get("document_id", ()), document_id(value))
        else:
            chosen[field] = (*chosen.get(field, ()), _number(field, value) if field in _NUMBER_FIELDS else value)
    return Filters(**chosen)


def _split(condition: str) -> tuple[str, str, str]:
    match = _CONDITION.fullmatch(condition.strip())
    if match is None or not match[3]:
        raise _wrong(f"{condition[:80]!r} is not a condition; write FIELD=VALUE, for example fiscal_year=2024.")
    field, operator, value = match.groups()
    if field not in FIELDS:
        raise _wrong(f"There is no field {field[:80]!r}; the fields are {', '.join(FIELDS)}.")
    return field, operator, value


def _number(field: str, value: str) -> int:
    prefix = _NUMBER_FIELDS[field]
    digits = value.upper().removeprefix(prefix).strip()
    if not re.fullmatch(r"[0-9]{1,4}", digits):
        raise _wrong(f"{field} is a number, like {field}={'2024' if prefix == 'FY' else '3'}, not {value[:80]!r}.")
    return int(digits)


def _dates(operator: str, value: str) -> dict[str, str]:
    try:
        day = date.fromisoformat(value).isoformat()
    except ValueError:
        raise _wrong(f"{value[:80]!r} is not a date; write it as year-month-day, like 2024-12-31.") from None
    return {name: day for sign, name in ((">", "date_from"), ("<", "date_to")) if operator in (f"{sign}=", "=")}


def _wrong(sentence: str) -> typer.BadParameter:
    return typer.BadParameter(sentence, param_hint="--where")
