"""Two questions in one: what was revenue in 2024, and how did it change from 2023?"""

import re

from docmind.skills.finance.operations import Operation, operation_of
from docmind.skills.finance.question import asks_for_figures, read_question
from docmind.skills.finance.subject import subject_of, times_of
from docmind.skills.finance.terms import terms
from docmind.skills.question import parts

_SECOND = re.compile(
    r"(?:,? and |; |\? (?:and |if so, )?)"
    r"(?=(?:how|what|why) (?:do|does|did|is|was|are|were|might|may|could|can|have|has)\b)",
    re.IGNORECASE,
)
_IN_WORDS = re.compile(
    r"\b(?:why|might|may|could|can|causes?|drivers?|factors?|reasons?|focus(?:es)?|implications?|impacts?|effects?)\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"^how (?:do|does|did) (?:it|this|that|these|those|they) compare"
    r"(?= (?:to|with|against|across|over) (?:\w{1,10} ){0,3}(?:20\d\d|q[1-4]|quarters?|years?|periods?|time)\b)",
    re.IGNORECASE,
)
_BARE_QUARTER = re.compile(r"\bq([1-4])\b(?! ?(?:of )?(?:fiscal |fy )?(?:20)?\d)", re.IGNORECASE)
_YEAR = re.compile(r"\b20\d\d\b")
_ASIDE = re.compile(r" \([^()]{1,200}\)")
_MOVES = {
    Operation.GROWTH: "What was the percentage change in {thing} {when}?",
    Operation.DIFFERENCE: "What was the change in {thing} {when}?",
    Operation.DEVELOPMENT: "How did {thing} change {when}?",
}


def split_question(text: str) -> tuple[str, str]:
    """The first of two questions in one, and the other as it stands; a single question is its own first."""
    found = _SECOND.search(text)
    return (text[: found.start()].rstrip(" ,") + "?", text[found.end() :].strip()) if found is not None else (text, "")


def second_question(first: str, second: str) -> str:
    """The second question as it can be understood without the first; nothing where it does not ask for figures."""
    if not second or _IN_WORDS.search(second):
        return ""
    plain = _COMPARED.sub("how did it change", second).replace(" across ", " over ")
    both = parts(f"{first.rstrip('?')}, and {plain}")
    if len(both) != 2:
        return ""
    asked, before = read_question(_dated(first, both[1])), read_question(first)
    if asked.operation is Operation.LOOKUP:
        # The same metric at the same time is asked for something that is no figure.
        other = (asked.metrics, asked.periods) != (before.metrics, before.periods)
        return asked.text if asked.metrics and other else ""
    return asked.text if asks_for_figures(asked) and asked.operation is not Operation.EXPLAIN else ""


def _dated(first: str, second: str) -> str:
    """What moves is what was asked first, if nothing else is named, and to the time of it; a quarter is of its year."""
    years = set(_YEAR.findall(first))
    if len(years) == 1:
        second = _BARE_QUARTER.sub(rf"Q\1 {years.pop()}", second)
    asked, since, until = _MOVES.get(operation_of(second), ""), times_of(second), times_of(first)
    own, thing = subject_of(_ASIDE.sub("", second)), subject_of(first)
    if not asked or not (own or thing) or len(until) != 1:
        return second
    # What was asked first says more of the same: whose it is.
    thing = thing if set(terms(own)).issubset(terms(thing)) else own
    if len(since) == 1 and since != until:
        return asked.format(thing=thing, when=f"from {since[0]} to {until[0]}")
    return second if own else asked.format(thing=thing, when=f"in {until[0]}")
