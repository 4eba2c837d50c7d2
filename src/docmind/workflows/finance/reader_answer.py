"""Has the reader of the docs workflow answer where no figures do: several companies or years from their own reports."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import mean

from docmind.domain.search import Hit
from docmind.skills.answer import Draft, extract_answer
from docmind.skills.drafting import Drafted, Listener, draft
from docmind.skills.extract.statement_scorer import StatementScorer
from docmind.skills.finance import Analysis, Operation, read_question
from docmind.skills.finance.company_names import asked_of
from docmind.skills.finance.question import asks_for_figures
from docmind.skills.finance.quotations import ReportReader
from docmind.skills.finance.seeking import ProcessedQuery
from docmind.workflows.services import Services

SURE = 0.5
"""From here on an answer is more likely right than not."""
NO_FIGURE = "No figure was found that is likelier to answer this; what is quoted is the nearest that the reports say."
UNANSWERED = "What was found there does not answer this."
SEVERAL = 2


async def read_answer(
    asked: ProcessedQuery, hits: Sequence[Hit], services: Services, listen: Listener, reader: ReportReader
) -> Drafted:
    """The answer that stands in the sentences of the hits, with how likely it is right; or why there is none."""
    parts = _parts(asked, hits)
    if services.writer is not None or len(parts) < SEVERAL:
        scorer: StatementScorer = services.scorer if services.writer is not None else reader
        # Figures were calculated with, as far as they can be, before anything is read.
        return await draft(
            asked["whole"], hits, services.grounder, scorer, services.writer, tell=listen, computes=False
        )
    services = replace(services, scorer=reader.of_parts())
    found = {name: _answer(question, own, hits, services) for name, (question, own) in parts.items()}
    likely = mean(one.confidence if one else 0.0 for one in found.values())
    # One of two companies is worth telling of; one of two years may be the wrong one.
    unlikely = len(asked["companies"]) < SEVERAL and likely < reader.refuse_below
    if unlikely or all(one is None for one in found.values()):
        return Drafted("", True, f"No passage that was found answers the question for {' or '.join(parts)}.")
    text = "\n\n".join(f"## {name}\n\n{one.text if one else UNANSWERED}" for name, one in found.items())
    listen(text, fresh=True)
    return Drafted(text, False, "", confidence=likely)


def _parts(asked: ProcessedQuery, hits: Sequence[Hit]) -> dict[str, tuple[str, list[Hit]]]:
    """What is asked by itself, under its name: each of several companies, or each of the reports of several years."""
    companies, years = asked["companies"], {report["fiscal_year"] for report in asked["about"]}
    if len(companies) >= SEVERAL:
        own = {one: [hit for hit in hits if hit.document.metadata.company == one] for one in companies}
        return {one: (asked_of(one, asked["whole"], companies), found) for one, found in own.items()}
    if len(companies) == 1 and len(years) >= SEVERAL:
        titles = dict.fromkeys(hit.document.title for hit in hits)
        return {title: (asked["whole"], [hit for hit in hits if hit.document.title == title]) for title in titles}
    return {}


def _answer(question: str, own: Sequence[Hit], hits: Sequence[Hit], services: Services) -> Draft | None:
    """What the hits of one part answer, cited by their places among all hits."""
    if not own:
        return None
    found = extract_answer(question, hits, services.grounder, services.scorer, own, computes=False)
    return None if found.refused else found


def in_words(asked: ProcessedQuery, confidence: float | None) -> Analysis:
    """An analysis that came to no figures, of all that is asked; with a doubt where some were asked for in vain."""
    unsure = confidence is not None and confidence < SURE and asks_for_figures(read_question(asked["question"]))
    question = replace(read_question(asked["whole"]), operation=Operation.EXPLAIN)
    return Analysis(question, doubts=(NO_FIGURE,) if unsure else ())
