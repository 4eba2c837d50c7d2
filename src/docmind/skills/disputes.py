"""Evidence in dispute: two documents that cannot both be right, put to a person, and settled by the person's choice."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from docmind.domain.documents import Span
from docmind.domain.search import Hit
from docmind.domain.verdicts import Conflict, ConflictSide
from docmind.quality.conflicts import DocumentAnswer
from docmind.quality.grounding.content_words import words
from docmind.skills.extract.statement_scorer import StatementScorer
from docmind.skills.rivals import Conflicting, Touches, conflicts

NEITHER = "Neither: show both"
MOST_TOLD = 2
"""Disputes that the reader of one answer is told of."""
_EVEN = 0.5
"""Of two documents that cannot both be right, each may as well be the wrong one."""
ASK_FROM = 0.5
"""How likely two documents must be in conflict for a run to stop and ask a person."""


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
    probability: float
    """That they cannot both be right."""


class Settlement(TypedDict):
    """A dispute with what a person decided."""

    dispute: Dispute
    preferred: int | None
    """Which side, from 0; none where neither is preferred."""


def find_disputes(
    questions: Sequence[str],
    hits: Sequence[Hit],
    claims: Sequence[Mapping[str, Any]],
    scorer: StatementScorer,
    conflicting: Conflicting,
    *,
    matters: Sequence[str] = (),
) -> list[Dispute]:
    """The conflicts between documents that an answer touches, told by the claims it was judged by.

    `matters` are what the claims of a survey are about; only passages that have all words of one are read for it.
    """
    passages = {hit.passage.id: hit for hit in hits}
    touches = touching(hits, claims)
    among = {matter: [hit for hit in hits if _speaks_of(matter, hit)] for matter in matters}
    found: dict[frozenset[tuple[str, int]], Dispute] = {}
    for question, some in (among | dict.fromkeys(questions, hits)).items():
        if len({hit.document.id for hit in some}) < 2:
            continue
        for conflict in conflicts(question, some, touches, scorer, conflicting):
            dispute = _plain(conflict, passages)
            found.setdefault(frozenset((side["document_id"], side["start"]) for side in dispute["sides"]), dispute)
    return list(found.values())


def touching(hits: Sequence[Hit], claims: Iterable[Mapping[str, Any]]) -> Touches:
    """Tells whether a document's answer is among what the claims quote."""
    documents = {hit.passage.id: hit.document.id for hit in hits}
    quotes = [
        (documents[claim["passage_id"]], Span(claim["quote_start"], claim["quote_end"]))
        for claim in claims
        if claim["passage_id"] in documents
    ]

    def touches(answer: DocumentAnswer) -> bool:
        return any(answer.passage.document_id == home and answer.place.overlaps(quote) for home, quote in quotes)

    return touches


def _speaks_of(matter: str, hit: Hit) -> bool:
    return {word.key for word in words(matter)} <= {word.key for word in words(hit.passage.indexed_text)}


def caveat(disputes: Sequence[Dispute]) -> str | None:
    """What the reader of an answer must know, where nobody is asked to decide."""
    return " ".join(map(_disagreement, disputes[:MOST_TOLD])) or None


def contested(confidence: float, disputes: Sequence[Dispute]) -> float:
    """The confidence in an answer that rests on documents which may be in dispute."""
    likely = max((one["probability"] for one in disputes), default=0.0)
    return (1 - likely) * confidence + likely * min(confidence, _EVEN)


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
    # A run that was stopped by an earlier version knows no probability.
    disagree = "disagree" if dispute.get("probability", 1.0) >= ASK_FROM else "may disagree"
    return (
        f"The sources {disagree}: “{first['title']}” says {first['value']}, “{second['title']}” says {second['value']}."
    )


def _plain(conflict: Conflict, passages: Mapping[str, Hit]) -> Dispute:
    return {
        "reason": conflict.reason,
        "probability": conflict.probability,
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
