"""An analysis as plain data and back: what a run keeps between its steps is data that any process can read."""

from typing import Any

from pydantic import TypeAdapter

from docmind.skills.finance.analysis import Analysis

_ANALYSIS = TypeAdapter(Analysis)


def to_plain(analysis: Analysis) -> dict[str, Any]:
    plain: dict[str, Any] = _ANALYSIS.dump_python(analysis, mode="json")
    return plain


def from_plain(plain: dict[str, Any]) -> Analysis:
    return _ANALYSIS.validate_python(plain)
