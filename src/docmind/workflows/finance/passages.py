"""Passages in the state of the finance workflow, and the scope that they are searched in."""

from collections.abc import Sequence
from dataclasses import replace

from docmind.domain.facts import dump_facts, load_facts
from docmind.domain.scope import Scope
from docmind.domain.search import Hit
from docmind.skills.finance.evidence.evidence import Answers
from docmind.skills.finance.seeking.ranking import owners_of
from docmind.skills.finance.wording.sources import Sources
from docmind.workflows.finance.state import FinanceState, RetrievedChunk
from docmind.workflows.sections import hit_of, section_of
from docmind.workflows.services import Services


def scope_of(state: FinanceState, services: Services) -> Scope:
    """The workspace of the run, seen by the user that the state names."""
    return Scope(services.scope.workspace, state.get("user_id") or services.scope.user)


def chunk_of(hit: Hit) -> RetrievedChunk:
    passage = hit.passage
    return {
        **section_of(hit),
        "ordinal": passage.ordinal,
        "company": hit.document.metadata.company,
        "facts": dump_facts(passage.facts),
    }


def hits_in(state: FinanceState, services: Services) -> list[Hit]:
    """The hits that the retrieved chunks were made of."""
    return hits_of(state["retrieved_context"], scope_of(state, services))


def hits_of(chunks: Sequence[RetrievedChunk], scope: Scope) -> list[Hit]:
    """The hits that chunks were made of, as far as analysing and checking need them."""
    return [_hit_of(chunk, scope) for chunk in chunks]


def sources_in(state: FinanceState, services: Services) -> Sources:
    return sources_of(hits_in(state, services), services.scorer.answers)


def sources_of(hits: Sequence[Hit], answers: Answers | None = None) -> Sources:
    titles = {hit.document.id: hit.document.title for hit in hits}
    return Sources(tuple(hit.passage for hit in hits), owners_of(hits), titles, answers)


def _hit_of(chunk: RetrievedChunk, scope: Scope) -> Hit:
    # A run that an older version began has chunks without facts.
    facts = load_facts(chunk.get("facts", ()))
    hit = hit_of(chunk, scope)
    metadata = replace(hit.document.metadata, company=chunk["company"])
    return replace(
        hit,
        passage=replace(hit.passage, ordinal=chunk["ordinal"], facts=facts),
        document=replace(hit.document, metadata=metadata),
    )
