"""Documents that answer one question with different things: what each answers with, and which cannot both be right."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice

from docmind.domain.documents import Passage, Span
from docmind.domain.search import Hit
from docmind.domain.verdicts import Conflict, ConflictSide
from docmind.quality.conflicts import AnswerPair, DocumentAnswer, say_the_same
from docmind.skills.extract.answer_model import BareAnswer
from docmind.skills.extract.statement_scorer import Reading, StatementScorer
from docmind.skills.extract.statements import Statement, read_statements
from docmind.skills.question import intent

MOST_PAIRS = 3
"""Pairs of answers that are held against each other for one question: each takes two short readings."""
_SAID = 0.85
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
    found = [answer for passage in reading.bare if (answer := _answer(passage, statements, reading)) is not None]
    pairs = _pairs(found, touches)
    if intent(question) == "yes_no":
        pairs = (pair for pair in pairs if _opposite(*(reading.bare[one.passage] for one in pair)))
    return list(islice(pairs, MOST_PAIRS))


def _opposite(one: BareAnswer, other: BareAnswer) -> bool:
    """Whether one passage rather says yes, and the other no."""
    return (one.yes > _SAID and other.no > _SAID) or (one.no > _SAID and other.yes > _SAID)


def _answer(passage: Passage, statements: Sequence[Statement], reading: Reading) -> DocumentAnswer | None:
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
    first, second = _side(one), _side(other)
    reason = f"It is {first.value} in “{first.quote.rstrip('.')}” and {second.value} in “{second.quote.rstrip('.')}”."
    return Conflict(first, second, reason, probability)


def _side(answer: DocumentAnswer) -> ConflictSide:
    begin = answer.passage.span.start
    value = Span(begin + answer.value_span.start, begin + answer.value_span.end)
    return ConflictSide(answer.passage, value, answer.text, answer.place, answer.value)
