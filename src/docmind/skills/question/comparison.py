"""Comparisons whose two sides are not just listed: the difference between A and B, A's margin beside B's."""

import re

from docmind.quality.grounding.content_words import words as content_words
from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.question.names import Name, names
from docmind.skills.question.times import Time, times
from docmind.skills.question.words import read_words

COMPARING = vocabulary(
    "compare compares compared comparing comparison contrast difference differences differ differs distinguish versus "
    "vs distinction"
)
WEIGHING = vocabulary("higher lower more less better worse larger smaller greater cheaper faster bigger longer than")

_DIFFERENCE = re.compile(
    r"\b(?:differences?|distinction) between ([^,?]{1,80}?) and ([^,?]{1,80})(?=[,?]|$)", re.IGNORECASE
)
_ASKING_FOR_IT = vocabulary("what what's is are was the a main key some tell me explain describe how do does")
_ACROSS = re.compile(
    r"\b(?:compared?|compares|differs?|stacks? up|measures? up) (?:to|with|from|against) (?:that of |those of |the )?+",
    re.IGNORECASE,
)
_MOST_WORDS = 5


def difference(clause: str) -> list[str]:
    """What is the difference between A and B? is best answered where it stands, else by what each of them is."""
    match = _DIFFERENCE.search(clause)
    if match is None or any(time.period for time in times(match[0])):
        return []
    before = {word.lower for word in read_words(clause[: match.start()])}
    things = _whole(match[1].split(), match[2].split())
    if not all(things) or not before <= _ASKING_FOR_IT or clause[match.end() :].strip(" ?."):
        return []
    if any(len(thing) > _MOST_WORDS or thing[-1].endswith(("'s", "’s")) for thing in things):
        return []
    return [clause, *(f"What {_copula(thing)} {' '.join(thing)}" for thing in things)]


def _whole(first: list[str], second: list[str]) -> tuple[list[str], list[str]]:
    """Gross and net margin: what is said once, at the end, is meant for both."""
    shared = len(first) == 1 and first[0].islower() and len(second) > 1 and second[0] not in ("a", "an", "the")
    return (first + second[-1:] if shared else first), second


def _copula(thing: list[str]) -> str:
    plural = thing[0].lower() not in ("a", "an") and thing[-1].islower() and re.search(r"[^su]s$", thing[-1])
    return "are" if plural else "is"


def across(clause: str) -> list[str]:
    """How does A's margin in 2022 compare with B's in 2023? is asked of A in 2022, and of B in 2023."""
    joint = _ACROSS.search(clause)
    if joint is None:
        return []
    left, right = clause[: joint.start()].rstrip(), clause[joint.end() :].rstrip(" ?.")
    named, timed = names(right), times(right)
    texts = [name.text for name in named] + [time.text for time in timed]
    told = {word.key for text in texts for word in content_words(text)}
    if len(named) > 1 or len(timed) > 1 or any(word.key not in told for word in content_words(right)):
        return []
    owners, ours = _owners(left), times(left)
    changes: list[tuple[Name | Time, Name | Time]] = [
        *zip(owners[:1], named, strict=False),
        *zip(ours[-1:], timed, strict=False),
    ]
    if not changes or len(owners) < len(named):
        return []
    # A time that is said only once, at the end, holds for both.
    tail = f" in {timed[0].text}" if timed and not ours else ""
    return [f"{side} {joint[0].split()[0]}{tail}" for side in (left, _changed(left, changes))]


def _owners(text: str) -> list[Name]:
    """The names that one on the other side may stand against: those whose something is compared, else all."""
    found = names(text)
    return [name for name in found if text[name.span.end : name.span.end + 2] in ("'s", "’s")] or found


def _changed(text: str, changes: list[tuple[Name | Time, Name | Time]]) -> str:
    for mine, theirs in sorted(changes, key=lambda change: -change[0].span.start):
        text = text[: mine.span.start] + theirs.text + text[mine.span.end :]
    return text
