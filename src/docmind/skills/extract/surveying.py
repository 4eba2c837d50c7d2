"""All that several documents say of one thing, document by document, in their own sentences."""

from collections.abc import Sequence
from statistics import fmean

from docmind.domain.search import Hit
from docmind.quality.grounding import Grounder
from docmind.quality.grounding.content_words import words
from docmind.skills.answer import UNANSWERED
from docmind.skills.extract.briefing import Quoted, Rejected, figures_first, hearing, is_quotable
from docmind.skills.extract.compose import cited
from docmind.skills.extract.statement_scorer import Reading, StatementScorer
from docmind.skills.extract.statements import Statement, can_answer, read_statements
from docmind.skills.passage_ids import cite_by_id
from docmind.skills.survey import whole

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
    return [one for one in able if _speaks(one, subject)] or able


def _speaks(statement: Statement, subject: str) -> bool:
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
