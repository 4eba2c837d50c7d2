"""Evidence in dispute: documents that cannot both be right, put to a person, and settled by the person's choice."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any, TypedDict

from docmind.domain.documents import Passage, Span
from docmind.domain.search import Hit
from docmind.domain.verdicts import Conflict, ConflictSide
from docmind.quality.conflicts import AnswerPair, DocumentAnswer, say_the_same
from docmind.quality.words import words
from docmind.skills.extract.statement_scorer import BareAnswer, Reading, StatementScorer
from docmind.skills.extract.statements import Statement, read_statements
from docmind.skills.question import intent

MOST_PAIRS = 3
"""Pairs of answers that are held against each other for one question: each takes two short readings."""
_CLEARLY_SAID = 0.85
"""How likely yes or no must be for a passage to say it."""

Touches = Callable[[DocumentAnswer], bool]
Conflicting = Callable[[str, Sequence[AnswerPair]], Sequence[tuple[AnswerPair, float]]]
"""Which answers to a question may not both be right, and how likely they cannot."""


def conflicts(
    question: str, hits: Sequence[Hit], touches: Touches, scorer: StatementScorer, conflicting: Conflicting
) -> list[Conflict]:
    """What documents answer the question with and may not both be right; `touches` tells what the answer given says."""
    found = conflicting(question, answer_pairs(question, hits, touches, scorer))
    return [_conflict(*pair, probability) for pair, probability in found]


def answer_pairs(question: str, hits: Sequence[Hit], touches: Touches, scorer: StatementScorer) -> list[AnswerPair]:
    """The pairs of answers of different documents that say different things; one of each two is what is answered."""
    statements = read_statements(hits)
    reading = scorer.read(question, statements)
    found = [
        answer for passage in reading.bare if (answer := _document_answer(passage, statements, reading)) is not None
    ]
    pairs = _pairs(found, touches)
    if intent(question) == "yes_no":
        pairs = (pair for pair in pairs if _opposite(*(reading.bare[one.passage] for one in pair)))
    return list(islice(pairs, MOST_PAIRS))


def _opposite(one: BareAnswer, other: BareAnswer) -> bool:
    """Whether one passage rather says yes, and the other no."""
    return (one.yes > _CLEARLY_SAID and other.no > _CLEARLY_SAID) or (
        one.no > _CLEARLY_SAID and other.yes > _CLEARLY_SAID
    )


def _document_answer(passage: Passage, statements: Sequence[Statement], reading: Reading) -> DocumentAnswer | None:
    """The statement that holds the passage's bare answer."""
    bare = reading.bare[passage]
    holding = [one for one in statements if one.hit.passage == passage and one.sentence.span.overlaps(bare.span)]
    if not holding or not bare.span.of(passage.text).strip():
        return None
    span = holding[0].sentence.span
    value = Span(max(span.start, bare.span.start), min(span.end, bare.span.end))
    return DocumentAnswer(passage, span, value, bare.score, bare.span_score)


def _pairs(found: Sequence[DocumentAnswer], touches: Touches) -> Iterator[AnswerPair]:
    seen: set[frozenset[str]] = set()
    for one, other in sorted(combinations(found, 2), key=lambda pair: -sum(side.score for side in pair)):
        documents = frozenset((one.passage.document_id, other.passage.document_id))
        if len(documents) == 2 and documents not in seen and (touches(one) or touches(other)):
            seen.add(documents)
            if not say_the_same(one, other):
                yield one, other


def _conflict(one: DocumentAnswer, other: DocumentAnswer, probability: float) -> Conflict:
    first, second = _side_of_answer(one), _side_of_answer(other)
    reason = f"It is {first.value} in “{first.quote.rstrip('.')}” and {second.value} in “{second.quote.rstrip('.')}”."
    return Conflict(first, second, reason, probability)


def _side_of_answer(answer: DocumentAnswer) -> ConflictSide:
    begin = answer.passage.span.start
    value = Span(begin + answer.value_span.start, begin + answer.value_span.end)
    return ConflictSide(answer.passage, value, answer.text, answer.place, answer.value)


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
            dispute = _dispute_of(conflict, passages)
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


def _dispute_of(conflict: Conflict, passages: Mapping[str, Hit]) -> Dispute:
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
