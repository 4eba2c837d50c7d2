"""Finds what passages state differently of the same thing, by looking topics up instead of comparing all pairs."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations, product

from docmind.domain.documents import Passage
from docmind.domain.verdicts import Conflict, ConflictSide
from docmind.quality.conflicts.clause import Clauses
from docmind.quality.conflicts.differences import differ
from docmind.quality.conflicts.events import event_dates
from docmind.quality.conflicts.figures import stated_figures
from docmind.quality.conflicts.norms import rules
from docmind.quality.conflicts.reasons import kind_of, reason
from docmind.quality.conflicts.rows import row_figures
from docmind.quality.conflicts.setting import Setting, read_setting, same_subject
from docmind.quality.conflicts.statement import Statement
from docmind.quality.sentences import split
from docmind.quality.units import UnitKind

MOST_VALUES = 6
"""A topic that is given more values than this is the name of many things, and no conflict of so many sources."""
MOST_SOURCES = 8
"""Statements of one value that are looked at for one to set against another value."""
_CODE = frozenset("{}=\\|<>_")
_HYPOTHETICAL = ("example", "e.g.", "suppose", "assume", "assuming", "hypothetical", "for instance")


def find_conflicts(passages: Sequence[Passage], subjects: Mapping[str, str] | None = None) -> list[Conflict]:
    """Values, dates and rules that two passages state differently.

    `subjects` tells by document id whom or what a document is about, such as its company or title; documents of
    different subjects are never in conflict. Each two values of a topic are reported once, between the passages that
    state them first. The order of passages decides nothing but which side comes first.
    """
    place = {passage.id: number for number, passage in reversed(list(enumerate(passages)))}
    by_topic: dict[Hashable, list[Statement]] = defaultdict(list)
    for statement in _statements(passages, subjects or {}):
        by_topic[statement.topic].append(statement)
    found = []
    for statements in by_topic.values():
        for pair in _conflicting(statements):
            first, second = sorted(pair, key=lambda side: (place[side.setting.passage.id], side.span))
            sides = _side(first), _side(second)
            found.append(Conflict(kind_of(first, second), *sides, reason(first, second)))
    return sorted(found, key=lambda conflict: _order(conflict, place))


def _statements(passages: Sequence[Passage], subjects: Mapping[str, str]) -> Iterator[Statement]:
    """What the passages state, the same characters once."""
    seen = set()
    for passage in sorted(passages, key=lambda one: (one.document_id, one.span, one.id)):
        setting = read_setting(passage, subjects.get(passage.document_id))
        for statement in _clear(_read(setting)):
            where = passage.document_id, statement.span, statement.topic
            if where not in seen:
                seen.add(where)
                yield statement


def _read(setting: Setting) -> Iterator[Statement]:
    if setting.passage.kind == "table":
        yield from row_figures(setting)
        return
    for sentence in split(setting.passage.text):
        lowered = sentence.text.lower()
        told = sentence.kind in (UnitKind.PROSE, UnitKind.ITEM) and not sentence.text.endswith(("?", ":"))
        if told and _CODE.isdisjoint(lowered) and not any(word in lowered for word in _HYPOTHETICAL):
            clauses = Clauses(sentence.text)
            yield from stated_figures(sentence, clauses, setting)
            yield from event_dates(sentence, clauses, setting)
            yield from rules(sentence, setting)


def _clear(statements: Iterator[Statement]) -> list[Statement]:
    """Those whose topic has one value in their passage: where it has two, its words do not tell them apart."""
    by_topic: dict[Hashable, list[Statement]] = defaultdict(list)
    for statement in statements:
        by_topic[statement.topic].append(statement)
    return [group[0] for group in by_topic.values() if not any(differ(group[0], other) for other in group[1:])]


def _conflicting(statements: Sequence[Statement]) -> Iterator[tuple[Statement, Statement]]:
    by_value: dict[Hashable, list[Statement]] = defaultdict(list)
    for statement in _told_apart(statements):
        by_value[statement.value_key].append(statement)
    if len(by_value) > MOST_VALUES:
        return
    for these, those in combinations(by_value.values(), 2):
        pairs = product(these[:MOST_SOURCES], those[:MOST_SOURCES])
        pair = next(((a, b) for a, b in pairs if _may_conflict(a, b) and differ(a, b)), None)
        if pair is not None:
            yield pair


def _told_apart(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Those that their section states alike: what reads alike within one is said of one thing after the other."""
    by_section: dict[Hashable, list[Statement]] = defaultdict(list)
    for statement in statements:
        passage = statement.setting.passage
        section = passage.heading if statement.setting.is_section else statement
        by_section[passage.document_id, section].append(statement)
    for group in by_section.values():
        if not any(differ(group[0], other) for other in group[1:]):
            yield from group


def _may_conflict(first: Statement, second: Statement) -> bool:
    """Sections of one document differ because they speak of different things; those of two differ anyway."""
    a, b = first.setting, second.setting
    tables = a.passage.kind == b.passage.kind == "table" and first.period is None
    if a.passage.document_id != b.passage.document_id:
        return same_subject(a, b) and (not tables or a.sections == b.sections)
    if tables or a.passage.id == b.passage.id or a.sections != b.sections:
        return False
    return first.span.end <= second.span.start or second.span.end <= first.span.start


def _side(statement: Statement) -> ConflictSide:
    return ConflictSide(statement.setting.passage, statement.span, statement.quoted, statement.quote, statement.said)


def _order(conflict: Conflict, place: Mapping[str, int]) -> tuple[object, ...]:
    return tuple((place[side.passage.id], side.span) for side in (conflict.first, conflict.second))
