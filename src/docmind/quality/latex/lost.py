"""Finds backslashes that were lost on the way through JSON, where \\f and \\t are escapes: \\frac becomes "␌rac"."""

import re

from docmind.domain.documents import Span
from docmind.quality.latex.commands import ARGUMENTS
from docmind.quality.latex.problem import Fault, LatexProblem

_ESCAPED = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r"}
_REMAINDER = re.compile(r"[\a\b\t\n\v\f\r]([A-Za-z]{3,16}+)")
_STRUCTURAL = frozenset({"begin", "right"})


def lost_backslashes(text: str, body: Span) -> list[LatexProblem]:
    """The places of a formula where a control character and letters would be a command with its backslash."""
    problems = []
    for match in _REMAINDER.finditer(text, body.start, body.end):
        name = _ESCAPED[match[0][0]] + match[1]
        if name in ARGUMENTS or name in _STRUCTURAL:
            reason = f"The backslash of \\{name} was lost and a control character stands in its place."
            problems.append(LatexProblem(Fault.BROKEN, Span(*match.span()), reason))
    return problems
