"""The two operands of a calculation, as a question names them: A as a share of B, the ratio of A to B, A plus B."""

import re

from docmind.skills.finance.operations import Operation
from docmind.skills.finance.question_phrases import names_something

_SHARE = r"(?:percent(?:age)?|per cent|%|proportion|share|portion)"
_A = r"(?:the )?(?P<a>.{2,120}?)"
_B = r"(?:the |all )?(?P<b>.{2,120}?)"
_WHEN = (
    r"(?:fiscal |financial |year |fy |years? ended |(?:three|six|nine|twelve) months ended )*+"
    r"(?:\w{3,9} \d{1,2}, )?+(?:19|20)?\d\d"
)
_END = rf"\s*(?=[,?]|\b(?:in|for|during|as of|at)\b (?:the )?{_WHEN}|$)"
_IS = r"(?:is|are|was|were|does|did|do|comes?|came|consists?)"
_MAKES = r"(?: (?:make up|represent|account for|comprise|constitute|contribute))?"
_FROM = r"(?:from |of |due to |attributable to |made up of |generated from |the )*+"


def _patterns(*written: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern + _END, re.IGNORECASE) for pattern in written)


_OPERANDS = {
    Operation.SHARE: _patterns(
        rf"(?:^what (?:is|was|are|were) |\b){_A} as (?:a|an|the) {_SHARE} of {_B}",
        rf"\bwhat {_SHARE} of {_B} {_IS} {_FROM}{_A}{_MAKES}",
        rf"\b{_SHARE}(?: of)?(?: constitution)? of {_A} (?:in|among|to|over|out of|against|within) {_B}",
        rf"\b{_SHARE}(?: of)?(?: constitution)? of {_A} (?:of|from) {_B}",
    ),
    Operation.RATIO: _patterns(
        rf"(?:^what (?:is|was|are|were) |\b){_A} as (?:a|an) (?:proportion|ratio|multiple) of {_B}",
        rf"\b(?:ratio|proportion) (?:of|between) {_A} (?:to|over|and|against|in|among|out of) {_B}",
        rf"\b(?:is|was) {_A} divided by {_B}",
        rf"\bhow many times {_B} (?:is|was|were|are) {_A}(?: at the end of)?",
        r"\b(?:is|was|were|are) (?:the )?(?P<a>\D{2,120}?) per (?P<b>\w{4,20})",
        r"\b(?:the|'s) (?P<a>(?:\w{2,30} ){0,3}?\w{2,30})[- ]to[- ](?P<b>(?:\w{2,30} ){0,3}?\w{2,30}) ratio\b.{0,120}?",
    ),
    Operation.AVERAGE: _patterns(
        r"\baverage (?P<a>\D{2,120}?) per (?P<b>(?!share\b|ordinary\b|common\b|diluted\b|basic\b)\D{2,120}?)",
    ),
    Operation.DIFFERENCE: _patterns(
        rf"\b(?:difference|change)(?: (?:in|of) (?P<both>.{{2,80}}?))? between {_A} and {_B}",
        rf"\bhow much (?:did|does|do) {_A} exceed (?:that of )?{_B}",
    ),
    Operation.SUM: _patterns(rf"\b(?:total|sum|combined)(?: \w{{1,30}})?(?: of| for)? {_A} and {_B}"),
}


def operands(text: str, operation: Operation) -> tuple[str, str] | None:
    """The phrases for the left and the right operand, part and whole; none where one of them is only a period."""
    for pattern in _OPERANDS.get(operation, ()):
        found = pattern.search(text)
        if found is not None and names_something(found["a"]) and names_something(found["b"]):
            both = found.groupdict().get("both") or ""
            return f"{found['a']} {both}".strip(), f"{found['b']} {both}".strip()
    return None
