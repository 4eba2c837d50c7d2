"""Finds the citations of a text: brackets outside code and links, and passages named in words."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from docmind.domain.documents import Span
from docmind.domain.verdicts import CitationMarker
from docmind.quality.citations.brackets import read_bracket
from docmind.quality.named_passages import named_passages
from docmind.quality.units import Unit, UnitKind, units

MAX_BRACKET_CHARS = 600
"""A bracket that does not close within this is no citation; some ten ids fit."""

_BRACKET = re.compile(r"[\[(]")
_SQUARE = re.compile(r"[\[\]]")
_ROUND = re.compile(r"[()]")
_TICKS = re.compile(r"`++")


def find(text: str, layout: Sequence[Unit] | None = None) -> list[CitationMarker]:
    """The citations of a text in order; brackets in code, links and other bracketed words are none.

    `layout` is the text's units, where they are known already.
    """
    named = named_passages(text)
    if not named and _BRACKET.search(text) is None:
        return []
    found: list[CitationMarker] = []
    code = _code(text, units(text) if layout is None else layout)
    starts = [span.start for span in code]
    position, reference = 0, -1
    while opening := _BRACKET.search(text, position):
        start = opening.start()
        position = start + 1
        inside = bisect_right(starts, start) - 1
        if inside >= 0 and start < code[inside].end:
            position = code[inside].end
            continue
        close = _close(text, start)
        if close < 0:
            continue
        markers = read_bracket(text, Span(start, close + 1)) if start != reference else []
        if markers:
            found += markers
            position = close + 1
        elif text[start] == "[":
            # What follows directly on a bracket that cites nothing is the other half of a link.
            reference = close + 1
    taken = sorted([*code, *dict.fromkeys(marker.span for marker in found)])
    return sorted([*found, *(marker for marker in named if not _lies_in(marker.span, taken))], key=_start)


def _start(marker: CitationMarker) -> int:
    return marker.span.start


def _lies_in(span: Span, taken: Sequence[Span]) -> bool:
    before = bisect_right(taken, span.start, key=lambda one: one.start) - 1
    return before >= 0 and span.start < taken[before].end


def _code(text: str, layout: Sequence[Unit]) -> list[Span]:
    """Code blocks, and what stands between back ticks within one unit."""
    found: list[Span] = []
    for unit in layout:
        if unit.kind is UnitKind.CODE:
            found.append(unit.span)
        elif text.find("`", unit.span.start, unit.span.end) >= 0:
            ticks = [match.start() for match in _TICKS.finditer(text, unit.span.start, unit.span.end)]
            found += [Span(*pair) for pair in zip(ticks[::2], ticks[1::2], strict=False)]
    return found


def _close(text: str, start: int) -> int:
    """Where the bracket at `start` closes, or -1; a title may hold one pair of parentheses, an id none."""
    limit = start + MAX_BRACKET_CHARS
    if text[start] == "[":
        nearest = _SQUARE.search(text, start + 1, limit)
        return nearest.start() if nearest and nearest[0] == "]" else -1
    depth = 1
    for mark in _ROUND.finditer(text, start + 1, limit):
        depth += 1 if mark[0] == "(" else -1
        if depth == 0:
            return mark.start()
        if depth > 2:
            break
    return -1
