"""Questions that set things side by side: comparisons of two, and one search for each company and period named."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import prod

from docmind.domain.documents import Span
from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.words import words as content_words
from docmind.skills.question.subject import Name, Time, is_code, names, times
from docmind.skills.question.words import AUXILIARIES, PREPOSITIONS, read_words

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
_MOST_COMPARED_WORDS = 5


def difference(clause: str) -> list[str]:
    """What is the difference between A and B? is best answered where it stands, else by what each of them is."""
    match = _DIFFERENCE.search(clause)
    if match is None or any(time.period for time in times(match[0])):
        return []
    before = {word.lower for word in read_words(clause[: match.start()])}
    things = _whole(match[1].split(), match[2].split())
    if not all(things) or not before <= _ASKING_FOR_IT or clause[match.end() :].strip(" ?."):
        return []
    if any(len(thing) > _MOST_COMPARED_WORDS or thing[-1].endswith(("'s", "’s")) for thing in things):
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


_LISTING = COMPARING | vocabulary("and or , than against over")
_BETWEEN_NAMES = _LISTING | vocabulary("'s of for at by in from the both with to")
_RANGES = vocabulary("to from through until - – —")
_BETWEEN_TIMES = _LISTING | _RANGES | vocabulary("in for the of and/or with both")
_EACH = vocabulary("both each respectively respective individually separately")
_CHANGING = (
    COMPARING
    | WEIGHING
    | vocabulary(
        "change changes changed increase increased decrease decreased growth grew grow rise rose fall fell growing "
        "trend evolve evolved develop developed variation shift improve improved"
    )
)
_TWO_PLACED = vocabulary("between with among amongst")
_TITLES = frozenset({
    ("research", "development"), ("terms", "conditions"), ("health", "safety"), ("mergers", "acquisitions"),
    ("profit", "loss"), ("sales", "marketing"), ("plant", "equipment"), ("johnson", "johnson"), ("procter", "gamble"),
    ("identity", "access management"), ("trinidad", "tobago"), ("roles", "responsibilities"), ("barnes", "noble"),
    ("buildings", "building improvements"),
})  # fmt: skip
"""Two capitalised words with "and" between that are one name."""
_BODIES = vocabulary(
    "corporation company committee commission council department ministry office agency authority board act union fund"
)
_TOKEN = re.compile(r"['’]s\b|[\w/]++|\S")
_MOST_LISTED = 12
_FARTHEST = 40
"""Characters between two that stand side by side."""

Placed = tuple[str, Span]


@dataclass(frozen=True, slots=True)
class _Axis:
    """Things of one kind, named side by side, and the characters they take."""

    span: Span
    members: tuple[str, ...]


def spread(clause: str, room: int) -> list[str]:
    """The clause once for each thing and time it names side by side, at most `room` times; else as it is."""
    for apart in (difference(clause), across(clause)):
        if apart and len(apart) <= room:
            return apart
    axes = [axis for axis in (_named(clause), _timed(clause)) if axis is not None]
    while len(axes) > 1 and prod(len(axis.members) for axis in axes) > room:
        axes.pop()  # periods stand together in one table more often than companies do
    if not axes or room < 2:
        return [clause]
    limited = [_Axis(axis.span, _within(axis.members, room)) for axis in axes]
    return [_with(clause, limited, chosen) for chosen in product(*(axis.members for axis in limited))]


def _within(members: tuple[str, ...], room: int) -> tuple[str, ...]:
    """All members in at most `room`: the last takes those that are left."""
    return members if len(members) <= room else (*members[: room - 1], " and ".join(members[room - 1 :]))


def _with(clause: str, axes: Sequence[_Axis], chosen: Sequence[str]) -> str:
    for axis, member in sorted(zip(axes, chosen, strict=True), key=lambda pair: -pair[0].span.start):
        clause = clause[: axis.span.start] + member + clause[axis.span.end :]
    return " ".join(clause.split())


def _named(clause: str) -> _Axis | None:
    for run in _side_by_side(clause, [(name.text, name.span) for name in names(clause)], _BETWEEN_NAMES):
        members = tuple(dict.fromkeys(text for text, _ in run))
        if len(members) > 1 and _are_separate(clause, run):
            between = _word_before(clause, run) == "between"
            members = tuple(f"for {member}" for member in members) if between else members
            return _Axis(_reach(clause, run, ("both", "between")), members)
    return None


def _are_separate(clause: str, run: Sequence[Placed]) -> bool:
    """Whether each can be asked about alone: not where they are one name, or the question is about what they share."""
    if any((left.lower(), right.lower()) in _TITLES for (left, _), (right, _) in pairwise(run)):
        return False
    if run[-1][0].split()[-1].lower() in _BODIES and " " not in run[0][0]:
        return False  # the Audit and Risk Committee
    if {word.lower for word in read_words(clause)} & (COMPARING | WEIGHING | _EACH):
        return True
    before = _word_before(clause, run)
    if before in _TWO_PLACED:
        return False
    owned = clause[run[-1][1].end :].startswith(("'s", "’s"))
    return owned or before in PREPOSITIONS | AUXILIARIES | {"of"} or all(is_code(text) for text, _ in run)


def _timed(clause: str) -> _Axis | None:
    told = [time for time in times(clause) if time.period]
    said = {word.lower for word in read_words(clause)}
    for run in _side_by_side(clause, [(time.text, time.span) for time in told], _BETWEEN_TIMES):
        ranged = not _RANGES.isdisjoint(token for pair in pairwise(run) for token in _tokens(clause, *pair))
        # "from 2015 to 2023" means the years between as well, and why something changed is told of both ends at once.
        if ranged and (said.isdisjoint(_CHANGING) or "why" in said):
            continue
        members = tuple(dict.fromkeys(_dated([time for time in told if run[0][1] <= time.span <= run[-1][1]])))
        if len(members) > 1:
            return _Axis(_reach(clause, run, ("from", "between", "both")), _placed(clause, run, members))
    return None


def _dated(run: Sequence[Time]) -> list[str]:
    """Q1 and Q2 2023, fiscal 2022 and 2023: what is said once holds for both."""
    year = next((time.period.year for time in run if time.period and time.period.year), None)
    written = []
    for time in run:
        text = f"{time.text} {year}" if year and time.period and time.period.year is None else time.text
        written.append(f"fiscal {text}" if time.period and time.period.fiscal and text.isdigit() else text)
    return written


def _placed(clause: str, run: Sequence[Placed], members: tuple[str, ...]) -> tuple[str, ...]:
    """From 2018 to 2019, taken apart, is in 2018 and in 2019."""
    ranged = _word_before(clause, run) in ("from", "between")
    return tuple(f"in {member}" for member in members) if ranged else members


def _word_before(clause: str, run: Sequence[Placed]) -> str:
    words = read_words(clause[: run[0][1].start])
    at = -2 if len(words) > 1 and words[-1].lower == "the" else -1
    return words[at].lower if words else ""


def _reach(clause: str, run: Sequence[Placed], openers: tuple[str, ...]) -> Span:
    """The characters of a run, with the word before it that only makes sense for several."""
    start = run[0][1].start
    words = read_words(clause[:start])
    if words and words[-1].lower in openers:
        start = words[-1].span.start
    return Span(start, run[-1][1].end)


def _side_by_side(clause: str, found: Sequence[Placed], joints: frozenset[str]) -> list[list[Placed]]:
    """Runs of two and more with nothing but joints between them."""
    runs: list[list[Placed]] = []
    for item in found:
        if runs and len(runs[-1]) < _MOST_LISTED and _joined(_tokens(clause, runs[-1][-1], item), joints):
            runs[-1].append(item)
        else:
            runs.append([item])
    return [run for run in runs if len(run) > 1 and _is_listed(clause, run)]


def _is_listed(clause: str, run: Sequence[Placed]) -> bool:
    """A list has its last joint in words: "Atlanta, Georgia" is one place."""
    return not {token for pair in pairwise(run) for token in _tokens(clause, *pair)} <= {",", "in", "the"}


def _joined(between: Sequence[str], joints: frozenset[str]) -> bool:
    joining = _LISTING | (joints & _RANGES) if joints is _BETWEEN_TIMES else _LISTING
    return joints.issuperset(between) and not joining.isdisjoint(between)


def _tokens(clause: str, left: Placed, right: Placed) -> list[str]:
    between = clause[left[1].end : right[1].start].lower().replace("’", "'").replace("vs.", "vs")
    return [match[0] for match in _TOKEN.finditer(between)] if len(between) <= _FARTHEST else ["…"]
