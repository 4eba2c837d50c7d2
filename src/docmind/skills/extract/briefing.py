"""Organised answers in the documents' own sentences, cited by passage id: by sub-question, or document by document.

The id of a passage stays the same when other passages are found.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from statistics import fmean
from typing import NamedTuple

from docmind.domain.documents import Span
from docmind.domain.search import Hit
from docmind.domain.verdicts import CitationForm, ClaimKind, ClaimStatus
from docmind.quality.audit import audit
from docmind.quality.citations import find
from docmind.quality.grounding import Grounder
from docmind.quality.kinds import kind_of
from docmind.quality.words import words
from docmind.skills.answer import UNANSWERED, Draft, extract_answer
from docmind.skills.extract.compose import cited
from docmind.skills.extract.statement_scorer import Reading, StatementScorer
from docmind.skills.extract.statements import Statement, can_answer, read_statements
from docmind.skills.survey import whole

_BY_PLACE = (CitationForm.NUMBER, CitationForm.DOC)


def cite_by_id(text: str, hits: Sequence[Hit]) -> str:
    """The text with every bracket that cites passages by their place among the hits citing them by their ids."""
    brackets: dict[tuple[int, int], list[str | None]] = {}
    for marker in find(text):
        place = int(marker.target) - 1 if marker.form in _BY_PLACE else -1
        named = hits[place].passage.id if 0 <= place < len(hits) else None
        brackets.setdefault((marker.span.start, marker.span.end), []).append(named)
    kept, position = [], 0
    for (start, end), ids in brackets.items():
        known = [one for one in ids if one is not None]
        # A bracket that names what is not there is left as it was written, for the audit to find.
        if text[start] in "[(" and len(known) == len(ids):
            kept += [text[position:start], f"[{', '.join(known)}]"]
            position = end
    return "".join((*kept, text[position:]))


MOST_FURTHER = 4
"""Statements that follow the one that answers, each from another document."""
_LENIENT = 0.5
"""A brief is read by a critic and a person, so it tells what documents say from half the usual confidence on."""
_WORTH_SAYING = 0.1
"""A further document is heard when what it says is at least so likely to answer, against the best."""
_PARTIAL = "The documents found do not answer the question “{part}” directly. They say of it:"

Rejected = Collection[tuple[str, Span]]
"""Sentences that a person decided against, by document and place."""


class Quoted(NamedTuple):
    """An answer in the documents' own sentences."""

    text: str
    confidence: float
    """That it is right: the mean over the parts of the question, or over the documents of a survey."""


def brief(
    parts: Sequence[str],
    hits: Sequence[Hit],
    grounder: Grounder,
    scorer: StatementScorer,
    rejected: Rejected = (),
) -> Quoted:
    """What the hits say to each part of a question, each sentence cited by its passage's id."""
    heard = hearing(scorer, rejected)
    answers = {part: extract_answer(part, hits, grounder, heard) for part in parts}
    sections: dict[str, list[str]] = {}
    for part, answer in answers.items():
        # One sentence may answer two parts: it is said once, below both.
        sections.setdefault(_section(part, answer, hits, grounder, heard), []).append(f"## {part}")
    text = "\n\n".join("\n".join((*headings, "", said)) for said, headings in sections.items())
    said = cite_by_id(next(iter(sections)) if len(parts) == 1 else text, hits)
    return Quoted(said, fmean(answer.confidence for answer in answers.values()))


def hearing(scorer: StatementScorer, rejected: Rejected) -> StatementScorer:
    """The scorer, deaf to what was decided against."""
    return _Hearing(scorer, rejected)


class _Hearing:
    def __init__(self, scorer: StatementScorer, rejected: Rejected) -> None:
        self._scorer = scorer
        self._rejected = rejected

    @property
    def refuse_below(self) -> float:
        return _LENIENT * self._scorer.refuse_below

    def read(self, question: str, statements: Sequence[Statement]) -> Reading:
        reading = self._scorer.read(question, statements)
        heard = {one: 0.0 if _place(one) in self._rejected else score for one, score in reading.scores.items()}
        return replace(reading, scores=heard)

    def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        return self._scorer.answers(question, texts)


def _place(statement: Statement) -> tuple[str, Span]:
    passage, span = statement.hit.passage, statement.sentence.span
    return passage.document_id, Span(passage.span.start + span.start, passage.span.start + span.end)


def _section(part: str, answer: Draft, hits: Sequence[Hit], grounder: Grounder, scorer: StatementScorer) -> str:
    told = {int(marker.target) for marker in find(answer.text)} if not answer.refused else set()
    further = _further(part, hits, grounder, scorer, {hits[number - 1].passage.document_id for number in told})
    items = "\n".join(f"- {cited(statement)}" for statement in further)
    if not answer.refused:
        return f"{answer.text}\n\n{items}".strip()
    return f"{_PARTIAL.format(part=part)}\n\n{items}" if items else UNANSWERED.format(question=part)


def _further(
    part: str, hits: Sequence[Hit], grounder: Grounder, scorer: StatementScorer, told: Collection[str]
) -> list[Statement]:
    """The best statement of each document that was not heard yet, as far as it is worth saying; figures first."""
    statements = read_statements(hits)
    scores = scorer.read(part, statements).scores
    able = [one for one in statements if not one.introduces and scores[one] > 0]
    least = _WORTH_SAYING * max((scores[one] for one in able), default=0.0)
    chosen: dict[str, Statement] = {}
    for statement in sorted(able, key=lambda one: -scores[one]):
        document = statement.hit.passage.document_id
        if scores[statement] < least or len(chosen) == MOST_FURTHER:
            break
        if document not in told and document not in chosen and is_quotable(statement, hits, grounder):
            chosen[document] = statement
    return figures_first(chosen.values())


def is_quotable(statement: Statement, hits: Sequence[Hit], grounder: Grounder) -> bool:
    """Whether it says something alone, which titles and what leans on another sentence do not, and passes the audit."""
    if statement.lead is not None or statement.is_title:
        return False
    claims = audit(f"- {cited(statement)}", [hit.passage for hit in hits], grounder).claims
    return bool(claims) and all(claim.status is ClaimStatus.SUPPORTED for claim in claims)


def figures_first(statements: Iterable[Statement]) -> list[Statement]:
    return sorted(statements, key=lambda one: kind_of(one.text) is not ClaimKind.QUANTITATIVE)


MOST_TOLD = 8
"""Statements of a survey, however many documents have something to say."""
_LEAST_EACH = 2


def tell_all(
    request: str,
    subject: str,
    hits: Sequence[Hit],
    grounder: Grounder,
    scorer: StatementScorer,
    rejected: Rejected = (),
) -> Quoted:
    """What each document says of the subject, or of its own where there is none, cited by the ids of passages."""
    heard = hearing(scorer, rejected)
    by_title: dict[str, list[Statement]] = {}
    for statement in _able(hits, subject):
        by_title.setdefault(statement.hit.document.title, []).append(statement)
    readings = {title: heard.read(subject or whole(title), able) for title, able in by_title.items()}
    ranked = {title: _ranked(able, readings[title]) for title, able in by_title.items()}
    speaking = [title for title, able in ranked.items() if _quotable(able, hits, grounder, 1)]
    each = max(_LEAST_EACH, MOST_TOLD // max(1, len(speaking)))
    sections = []
    for title in speaking:
        told = figures_first(_quotable(ranked[title], hits, grounder, each))
        sections.append("\n".join((f"## {title}", "", *(f"- {cited(one)}" for one in told))))
    text = cite_by_id("\n\n".join(sections) or UNANSWERED.format(question=request), hits)
    return Quoted(text, fmean(readings[title].confidence for title in speaking) if speaking else 0.0)


def _able(hits: Sequence[Hit], subject: str) -> list[Statement]:
    """What can be told: of the subject, where anything is."""
    # What begins small is the rest of a sentence that a page break cut off.
    whole_ones = [one for one in read_statements(hits) if can_answer(one) and not one.text[0].islower()]
    able = [one for one in whole_ones if not one.introduces]
    return [one for one in able if _speaks_of(one, subject)] or able


def _speaks_of(statement: Statement, subject: str) -> bool:
    """Whether it is of the subject by its own words or those it stands under."""
    hit = statement.hit
    above = " ".join((hit.document.title, *hit.passage.heading))
    said = {word.key for word in words(f"{above} {statement.text}")}
    return {word.key for word in words(subject)} <= said


def _ranked(statements: Sequence[Statement], reading: Reading) -> list[Statement]:
    scores = reading.scores
    return sorted((one for one in statements if scores[one] > 0), key=lambda one: -scores[one])


def _quotable(able: Sequence[Statement], hits: Sequence[Hit], grounder: Grounder, most: int) -> list[Statement]:
    """The first of them that pass the audit, each said once."""
    told: dict[str, Statement] = {}
    for statement in able:
        if len(told) == most:
            break
        if statement.text not in told and is_quotable(statement, hits, grounder):
            told[statement.text] = statement
    return list(told.values())
