"""Passages kept by id, brought back with their text where a node has to read them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from docmind.domain.search import Hit
from docmind.workflows.chat.state import RetrievedDoc
from docmind.workflows.services import Services


async def read_docs(docs: Sequence[RetrievedDoc], services: Services) -> list[Hit]:
    """The hits that the docs stand for, in their order."""
    return await read_hits({doc["passage_id"]: doc["relevance_score"] for doc in docs}, services)


async def read_hits(scores: Mapping[str, float], services: Services) -> list[Hit]:
    """Passages by their ids, with the relevance they were found with; what was deleted since is gone."""
    found = await services.corpus.afetch(list(scores), services.scope) if scores else []
    return [replace(hit, relevance_score=scores[hit.passage.id]) for hit in found]
