"""Whether a message goes on from an answer, and what is said to one that does."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from docmind.domain.search import Hit
from docmind.quality.grounding import Grounder
from docmind.skills.drafting import FollowUp, draft
from docmind.skills.extract.statement_scorer import StatementScorer
from docmind.skills.route import FollowUpModel, joined

FindHits = Callable[..., list[Hit]]
MODEL = FollowUpModel.shipped()
RECEIPTS = "Receipts are kept for ten years. Invoices are kept for six years."


def found(hits: list[Hit], relevance: float) -> list[Hit]:
    return [replace(hit, relevance_score=relevance) for hit in hits[:1]]


def test_what_is_found_as_well_among_the_documents_of_the_answer_goes_on(find_hits: FindHits) -> None:
    hits = find_hits(RECEIPTS)
    assert MODEL.goes_on("and invoices?", found(hits, 0.3), found(hits, 0.3)) > 0.9


def test_what_is_found_much_better_elsewhere_begins_anew(find_hits: FindHits) -> None:
    hits = find_hits(RECEIPTS)
    question = "How much does the longest lorry of the haulage firm weigh when it is empty?"
    assert MODEL.goes_on(question, found(hits, 0.01), found(hits, 0.97)) < 0.1


def test_what_is_found_nowhere_there_is_less_likely_than_what_is(find_hits: FindHits) -> None:
    hits = find_hits(RECEIPTS)
    message = "How long are the invoices kept then?"
    everywhere = found(hits, 0.6)
    assert MODEL.goes_on(message, [], everywhere) < MODEL.goes_on(message, everywhere, everywhere)


def test_an_answer_to_a_follow_up_does_not_begin_with_what_was_answered_before(
    find_hits: FindHits, grounder: Grounder, scorer: StatementScorer
) -> None:
    before, message, hits = "How long are receipts kept?", "And invoices?", find_hits(RECEIPTS)
    first = asyncio.run(draft(before, hits, grounder, scorer))
    assert "ten years" in first.text
    follows = FollowUp(message, "Receipts are kept for ten years.")
    second = asyncio.run(draft(joined(before, message), hits, grounder, scorer, follows=follows))
    assert second.text.find("six years") > 0
    assert not second.text.partition("six years")[0].count("ten years")
