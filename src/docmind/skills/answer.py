"""The skill that answers a question from passages; without a chat model, in the documents' own sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from docmind.domain.search import Hit
from docmind.domain.verdicts import ClaimStatus
from docmind.quality.audit import audit
from docmind.quality.citations import find
from docmind.quality.grounding import Grounder
from docmind.skills.extract.compose import CELL, arrange, compose, lead
from docmind.skills.extract.statement_scorer import SURE, Reading, StatementScorer
from docmind.skills.extract.statements import Statement, read_statements
from docmind.skills.judge import is_invented
from docmind.skills.question import Intent, SubQuestion, intent, names, questions
from docmind.skills.tables.ranker import answer_from_tables

MOST_CHOSEN = 3
"""Statements chosen for themselves; what they lean on and the items of a list come besides."""
AS_GOOD = 0.5
"""A further statement is worth saying when it is at least so likely to answer, against the best."""
_BOLD = 0.4
"""How likely the answer must be right for its bare answer to stand on a line of its own; below, the sentence speaks for
itself. On tuning documents 70 of 100 such lines are right, of all without this 54."""
_QUOTED = 0.9
"""What the reader's confidence counts where something may have to be computed: it is often sure of a row, and wrong."""
_LONGEST_UNIT = 12
"""Characters; what is longer in the brackets of a column's name is a remark."""
_ELSEWHERE = 0.5
"""How likely an answer from other documents must be right where a question goes on from one that was answered."""
REFUSAL = "The documents found do not answer this question."
UNANSWERED = "The documents found do not answer the question “{question}”."
_BY_QUOTING = "It is quoted from the passages it cites."
COMPUTED = "It is worked out from the rows it cites."


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before it is judged, or the refusal to give one."""

    text: str
    refused: bool
    reason: str
    """Why it was refused, or what the answer rests on, as a sentence."""
    confidence: float
    """That the answer is right; of a refused one, that it would have been."""


def extract_answer(
    question: str,
    hits: Sequence[Hit],
    grounder: Grounder,
    scorer: StatementScorer,
    within: Sequence[Hit] = (),
    *,
    computes: bool = True,
) -> Draft:
    """The statements of the hits that answer the question, as they stand, each cited by the place of its hit from 1.

    Where several things are asked, each is answered below a heading, and what is not answered is named; where that is
    too unlikely to be right, the question is read as a whole. `within` are those of the hits that are read, if not
    all; `computes` says whether tables may be calculated with.
    """
    asked = questions(question) if not within else []
    drafts = _answer_each(asked, hits, grounder, scorer, computes=computes) if len(asked) > 1 else []
    if all(draft.refused for draft in drafts):
        return _answer(question, hits, grounder, scorer, within, computes=computes)
    # An answer that leaves out a part of what was asked is not the whole answer.
    likely = mean(0.0 if draft.refused else draft.confidence for draft in drafts)
    if likely < scorer.refuse_below:
        return _answer(question, hits, grounder, scorer, computes=computes)
    sections = [
        f"## {one.text}\n\n{UNANSWERED.format(question=one.text) if draft.refused else draft.text}"
        for one, draft in zip(asked, drafts, strict=True)
    ]
    return Draft("\n\n".join(sections), False, _BY_QUOTING, likely)


def _answer_each(
    asked: Sequence[SubQuestion], hits: Sequence[Hit], grounder: Grounder, scorer: StatementScorer, *, computes: bool
) -> list[Draft]:
    """One question after the other; one that names nothing is about what the documents quoted before are about."""
    drafts: list[Draft] = []
    quoted: set[str] = set()
    for one in asked:
        within = [] if names(one.alone) else [hit for hit in hits if hit.document.id in quoted]
        draft = _answer(one.alone, hits, grounder, scorer, within, computes=computes)
        if within and draft.refused:
            elsewhere = _answer(one.alone, hits, grounder, scorer, computes=computes)
            draft = elsewhere if elsewhere.confidence >= _ELSEWHERE else draft
        drafts.append(draft)
        if not draft.refused:
            quoted |= {hits[int(marker.target) - 1].document.id for marker in find(draft.text)}
    return drafts


def _answer(
    question: str,
    hits: Sequence[Hit],
    grounder: Grounder,
    scorer: StatementScorer,
    within: Sequence[Hit] = (),
    *,
    computes: bool,
) -> Draft:
    """`within` are those of the hits that are read, if not all."""
    if not any(map(str.isalnum, question)):
        return _refused("The question has no word in it.", 0.0)
    statements = [one for one in read_statements(hits) if not within or one.hit in within]
    if not statements:
        return _refused("No passage was found that says anything.", 0.0)
    reading = scorer.read(question, statements)
    if computes and (computed := _compute(question, hits, reading, grounder, scorer)):
        return computed
    if reading.confidence < scorer.refuse_below:
        return _refused("No passage that was found answers the question.", reading.confidence)
    return _write(intent(question), hits, statements, reading, grounder)


def _compute(
    question: str, hits: Sequence[Hit], reading: Reading, grounder: Grounder, scorer: StatementScorer
) -> Draft | None:
    """What is computed from a table of the hits, where that is more likely right than what is read."""
    found = answer_from_tables(question, hits, scorer.answers)
    if found is None or found.confidence <= _QUOTED * reading.confidence or not _passes(found.text, hits, grounder):
        return None
    return Draft(found.text, False, COMPUTED, found.confidence)


def _passes(text: str, hits: Sequence[Hit], grounder: Grounder) -> bool:
    claims = audit(text, [hit.passage for hit in hits], grounder).claims
    return bool(claims) and not any(map(is_invented, claims))


def _write(
    wanted: Intent,
    hits: Sequence[Hit],
    statements: Sequence[Statement],
    reading: Reading,
    grounder: Grounder,
) -> Draft:
    """The longest answer that passes the audit: what no audit would recognise as a quotation is left out."""
    passages = [hit.passage for hit in hits]

    def passes(text: str) -> bool:
        claims = audit(text, passages, grounder).claims
        return bool(claims) and all(claim.status is ClaimStatus.SUPPORTED for claim in claims)

    chosen = choose(statements, reading)
    quotable = [one for one in chosen if passes(compose(arrange(wanted, [one], statements)))]
    if not quotable:
        return _refused("What the passages say cannot be quoted as an answer.", reading.confidence)
    while len(quotable) > 1 and not passes(compose(arrange(wanted, quotable, statements))):
        quotable.pop()
    text = compose(arrange(wanted, quotable, statements))
    titles = [one for one in statements if one.is_title and one.hit == quotable[0].hit]
    return Draft(f"{_opening(wanted, quotable, titles, reading)}{text}", False, _BY_QUOTING, reading.confidence)


def choose(statements: Sequence[Statement], reading: Reading) -> list[Statement]:
    """The best statement first, then those nearly as good that say something else."""
    best = max((reading.scores[one] for one in statements), default=0.0)
    able = [one for one in statements if reading.scores[one] and reading.scores[one] >= AS_GOOD * best]
    chosen: dict[str, Statement] = {}
    for statement in sorted(able, key=lambda one: -reading.scores[one]):
        chosen.setdefault(" ".join(statement.text.lower().split()), statement)
    # A title names what the sentences around it are about; what is next best may be about something else.
    return [one for place, one in enumerate(list(chosen.values())[:MOST_CHOSEN]) if not (place and one.is_title)]


def _opening(wanted: Intent, quoted: Sequence[Statement], titles: Sequence[Statement], reading: Reading) -> str:
    """The direct answer on a line of its own: yes or no where that is asked and clear, else the bare answer.

    That stands in what is quoted, or in a title around it. The reader, too, tells whether yes or no is asked for: it
    says neither to any other question.
    """
    if max(reading.yes, reading.no) >= SURE:
        return lead("Yes" if reading.yes >= reading.no else "No")
    if wanted == "yes_no" or reading.confidence < _BOLD:
        return ""
    bare = reading.answer
    is_short = 0 < len(bare) <= len(quoted[0].text) // 2 and CELL not in bare
    stands_there = any(bare in one.text for one in (*quoted, *titles))
    return lead(_with_unit(bare, quoted)) if is_short and stands_there and reading.answer_score >= 0.5 else ""


def _with_unit(bare: str, quoted: Sequence[Statement]) -> str:
    """The number of a cell with the unit that its column is headed with: 12.5 EUR, below "Price (EUR)"."""
    if not all(character.isdecimal() or character in ".,-−" for character in bare):
        return bare
    cells = (cell.rpartition(": ") for one in quoted for cell in one.text.split(CELL))
    column = next((header for header, _, value in cells if value.strip() == bare and header.endswith(")")), "")
    unit = column.rpartition("(")[2].removesuffix(")")
    return f"{bare} {unit}".strip() if len(unit) <= _LONGEST_UNIT and not any(map(str.isdecimal, unit)) else bare


def _refused(reason: str, confidence: float) -> Draft:
    return Draft(REFUSAL, True, reason, confidence)
