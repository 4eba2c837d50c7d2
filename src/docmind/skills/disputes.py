"""Evidence in dispute: two documents that cannot both be right, put to a person, and settled by the person's choice."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from docmind.domain.documents import Span
from docmind.domain.search import Hit
from docmind.domain.verdicts import Conflict, ConflictSide
from docmind.quality.conflicts import find_conflicts
from docmind.quality.quantities import read
from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.rival_figures import rival_figures

NEITHER = "Neither: show both"
MOST_TOLD = 2
"""Disputes that the reader of one answer is told of."""
_RULING = vocabulary("must shall may cannot allowed permitted required prohibited forbidden mandatory optional")
_EVEN = 0.5
"""Of two documents that cannot both be right, each may as well be the wrong one."""


class Side(TypedDict):
    """What one document says, and where."""

    document_id: str
    title: str
    page: int | None
    value: str
    claim: str
    start: int
    end: int


class Dispute(TypedDict):
    """Two documents that say different things of the same; plain data, so that it can be kept and shown."""

    reason: str
    sides: list[Side]


class Settlement(TypedDict):
    """A dispute with what a person decided."""

    dispute: Dispute
    preferred: int | None
    """Which side, from 0; none where neither is preferred."""


def find_disputes(questions: Sequence[str], hits: Sequence[Hit], claims: Iterable[Mapping[str, Any]]) -> list[Dispute]:
    """The conflicts between documents that an answer touches, told by the claims it was judged by."""
    passages = {hit.passage.id: hit for hit in hits}
    rests_on = [
        (passages[claim["passage_id"]], claim["quote_start"], claim["quote_end"])
        for claim in claims
        if claim["passage_id"] in passages
    ]
    if len({hit.document.id for hit in hits}) < 2 or not any(_can_be_disputed(*place) for place in rests_on):
        return []
    companies = {hit.document.id: company for hit in hits if (company := hit.document.metadata.company)}
    conflicts = [conflict for question in questions for conflict in rival_figures(question, hits)]
    conflicts += find_conflicts([hit.passage for hit in hits], companies)
    found: dict[frozenset[tuple[str, int]], Dispute] = {}
    for conflict in conflicts:
        dispute = _plain(conflict, passages)
        if any(_touches(side, place) for side in dispute["sides"] for place in rests_on):
            found.setdefault(frozenset((side["document_id"], side["start"]) for side in dispute["sides"]), dispute)
    return list(found.values())


def caveat(disputes: Sequence[Dispute]) -> str | None:
    """What the reader of an answer must know, where nobody is asked to decide."""
    return " ".join(map(_disagreement, disputes[:MOST_TOLD])) or None


def contested(confidence: float, disputes: Sequence[Dispute]) -> float:
    """The confidence in an answer that rests on documents in dispute."""
    return min(confidence, _EVEN) if disputes else confidence


def put(dispute: Dispute) -> dict[str, Any]:
    """The question to a person: both claims, both sources, and what can be chosen."""
    first, second = dispute["sides"]
    question = (
        f"“{first['title']}” says {first['value']} and “{second['title']}” says {second['value']}. "
        "Which source should the answer follow?"
    )
    return {
        "type": "conflict",
        "question": question,
        "options": options(dispute),
        "claims": [side["claim"] for side in dispute["sides"]],
        "sources": [_source(side) for side in dispute["sides"]],
    }


def _source(side: Side) -> dict[str, Any]:
    return {key: value for key, value in side.items() if key not in ("claim", "value")}


def options(dispute: Dispute) -> list[str]:
    return [*(f"{side['title']}: {side['value']}" for side in dispute["sides"]), NEITHER]


def settle(dispute: Dispute, choice: object) -> Settlement | None:
    """What a choice decides: an option, its number from 1, or a document by its title; none where it is no choice."""
    said = str(choice).strip().casefold()
    for number, option in enumerate(options(dispute)):
        side = dispute["sides"][number] if number < len(dispute["sides"]) else None
        names = {option, str(number + 1), *((side["title"], side["value"], side["document_id"]) if side else ())}
        if said in {name.casefold() for name in names}:
            return {"dispute": dispute, "preferred": number if side else None}
    return None


def rejected(settlements: Iterable[Settlement]) -> set[tuple[str, Span]]:
    """The sentences that were decided against, by document and place."""
    return {(side["document_id"], Span(side["start"], side["end"])) for side in _rejected_sides(settlements)}


def heeds(text: str, settlements: Iterable[Settlement]) -> bool:
    """Whether a text states none of the values that were decided against."""
    return not any(side["value"] in text for side in _rejected_sides(settlements))


def _rejected_sides(settlements: Iterable[Settlement]) -> list[Side]:
    return [
        side
        for settled in settlements
        if settled["preferred"] is not None
        for number, side in enumerate(settled["dispute"]["sides"])
        if number != settled["preferred"]
    ]


def told(settlement: Settlement) -> str:
    """Which source was preferred and why, for the end of an answer."""
    first, second = settlement["dispute"]["sides"]
    if settlement["preferred"] is None:
        return f"{_disagreement(settlement['dispute'])} Neither was preferred, as you chose."
    taken, left = (first, second) if settlement["preferred"] == 0 else (second, first)
    return (
        f"The sources disagree: “{taken['title']}” ({taken['value']}) was preferred to “{left['title']}” "
        f"({left['value']}), because you chose it."
    )


def _disagreement(dispute: Dispute) -> str:
    first, second = dispute["sides"]
    return (
        f"The sources disagree: “{first['title']}” says {first['value']}, “{second['title']}” says {second['value']}."
    )


def _can_be_disputed(hit: Hit, start: int, end: int) -> bool:
    """Whether what is quoted there states a figure, a time or a rule: to read all passages for nothing takes long."""
    offset = hit.passage.span.start
    said = hit.passage.text[start - offset : end - offset]
    return bool(read(said)) or not _RULING.isdisjoint(said.lower().split())


def _touches(side: Side, place: tuple[Hit, int, int]) -> bool:
    hit, start, end = place
    return hit.document.id == side["document_id"] and start < side["end"] and side["start"] < end


def _plain(conflict: Conflict, passages: Mapping[str, Hit]) -> Dispute:
    return {
        "reason": conflict.reason,
        "sides": [_side(side, passages[side.passage.id]) for side in (conflict.first, conflict.second)],
    }


def _side(side: ConflictSide, hit: Hit) -> Side:
    return {
        "document_id": hit.document.id,
        "title": hit.document.title,
        "page": side.passage.page,
        "value": side.value,
        "claim": side.quote,
        "start": side.quote_span.start,
        "end": side.quote_span.end,
    }
