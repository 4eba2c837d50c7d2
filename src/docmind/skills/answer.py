"""The skill that answers a question from passages; without a chat model, in the documents' own sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

from docmind.domain.search import Hit
from docmind.domain.verdicts import ClaimStatus
from docmind.quality.audit import audit
from docmind.quality.grounding import Grounder
from docmind.skills.extract.candidates import candidates
from docmind.skills.extract.compose import arrange, compose
from docmind.skills.extract.polarity import affirms
from docmind.skills.extract.question import Question, read_question
from docmind.skills.extract.select import StatementScorer, choose
from docmind.skills.extract.statements import Statement, read_statements

_YES = "Yes: "
"""A bare yes would be a claim of its own, with nothing in it that could be checked."""
_NO = "No. "
"""A bare no claims nothing, whereas within the sentence it would be read as denying the denial."""
REFUSAL = "The documents found do not answer this question."


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before it is judged, or the refusal to give one."""

    text: str
    refused: bool
    reason: str
    """Why it was refused, or what the answer rests on, as a sentence."""
    probability: float
    """That the best of the passages' statements answers the question."""


def extract_answer(question: str, hits: Sequence[Hit], grounder: Grounder, scorer: StatementScorer) -> Draft:
    """The statements of the hits that answer the question, as they stand, each cited by the place of its hit from 1."""
    asked = read_question(question)
    statements = read_statements(hits)
    able = candidates(asked, statements)
    if not able:
        return _refused("Nothing in the passages speaks of what is asked.", 0.0)
    scores = dict(zip(statements, scorer(asked, statements), strict=True))
    best = max(scores[statement] for statement in able)
    if best < scorer.refuse_below:
        return _refused("No statement in the passages is likely enough to answer the question.", best)
    return _write(asked, hits, statements, choose(able, scores), grounder, best)


def _write(
    asked: Question,
    hits: Sequence[Hit],
    statements: Sequence[Statement],
    chosen: Sequence[Statement],
    grounder: Grounder,
    best: float,
) -> Draft:
    """The longest answer that passes the audit: what no audit would recognise as a quotation is left out."""
    passages = [hit.passage for hit in hits]

    def passes(text: str) -> bool:
        claims = audit(text, passages, grounder).claims
        return bool(claims) and all(claim.status is ClaimStatus.SUPPORTED for claim in claims)

    quotable = [statement for statement in chosen if passes(compose(arrange(asked, [statement], statements)))]
    while quotable:
        for opening in _openings(asked, quotable[0]):
            if passes(text := compose(arrange(asked, quotable, statements), opening)):
                return Draft(text, False, "It is quoted from the passages it cites.", best)
        quotable.pop()
    return _refused("What the passages say cannot be quoted as an answer.", best)


def _refused(reason: str, best: float) -> Draft:
    return Draft(REFUSAL, True, reason, best)


def _openings(asked: Question, deciding: Statement) -> tuple[str, ...]:
    """Yes or no where that is asked, within the sentence that bears it out; without it where the sentence does not."""
    if asked.intent != "yes_no":
        return ("",)
    return (_YES if affirms(asked, deciding) else _NO, "")
