"""Has the reader of the docs workflow answer where no figures do: of several companies, each from its own reports."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import mean

from docmind.domain.search import Hit
from docmind.skills.answer import Draft, extract_answer
from docmind.skills.drafting import Drafted, Listener, draft
from docmind.skills.finance import Analysis, Operation, read_question
from docmind.skills.finance.seeking import ProcessedQuery
from docmind.workflows.services import Services

UNANSWERED = "The reports of {company} that were found do not answer this."


async def read_answer(asked: ProcessedQuery, hits: Sequence[Hit], services: Services, listen: Listener) -> Drafted:
    """The answer that stands in the sentences of the hits, with how likely it is right; or why there is none."""
    question = asked["whole"]
    of_each = {company: _of(company, hits) for company in asked["companies"]}
    if services.writer is not None or len(of_each) < 2:
        return await draft(question, hits, services.grounder, services.scorer, services.writer, tell=listen)
    found = {
        company: extract_answer(question, hits, services.grounder, services.scorer, own)
        for company, own in of_each.items()
        if own
    }
    if all(one.refused for one in found.values()):
        return Drafted("", True, "No passage that was found answers the question for any of the companies.")
    text = "\n\n".join(f"## {company}\n\n{_told(company, found.get(company))}" for company in of_each)
    listen(text, fresh=True)
    likely = [0.0 if one.refused else one.confidence for one in found.values()]
    return Drafted(text, False, "", confidence=mean(likely))


def in_words(asked: ProcessedQuery) -> Analysis:
    """An analysis that came to no figures, of all that is asked."""
    return Analysis(replace(read_question(asked["whole"]), operation=Operation.EXPLAIN))


def _told(company: str, answer: Draft | None) -> str:
    return UNANSWERED.format(company=company) if answer is None or answer.refused else answer.text


def _of(company: str, hits: Sequence[Hit]) -> list[Hit]:
    return [hit for hit in hits if hit.document.metadata.company == company]
