"""What it would take to change the embedder: every passage has to be embedded again (`docmind reindex`)."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from docmind.models.embedding import LOCAL_EMBEDDERS, open_embedder
from docmind.models.weights import plain_name

if TYPE_CHECKING:
    from docmind.corpus.catalogue import Catalogue
    from docmind.runtime.engine import DocMind

_SAMPLE = 32
"""Passages that are embedded to see how long it takes."""


@dataclass(frozen=True, slots=True)
class EmbedderCost:
    """The embedder in use, and what another one would cost here."""

    now: str
    wanted: str
    passages: int
    """To be embedded again, in all workspaces."""
    seconds: float | None
    """About how long that takes on this machine, measured now on some of them; None where it was not measured."""
    sent_away: bool
    """Whether the texts would go to a provider."""


def embedder_cost(engine: "DocMind", wanted: str) -> EmbedderCost:
    """What changing to this embedder would take. No text leaves the machine for it."""
    settings, held = engine.settings, engine.catalogue.workspaces()
    passages = sum(count for _, count in held.values())
    local = wanted in LOCAL_EMBEDDERS
    # A name that is none is told here, and not at the next start.
    embedder = open_embedder(wanted, threads=settings.models.threads)
    sample = list(islice(_texts(engine.catalogue), _SAMPLE)) if local else []
    seconds = None
    if sample:
        # The first text loads the weights, which is no part of the rate.
        embedder.embed_passages(sample[:1])
        began = time.perf_counter()
        embedder.embed_passages(sample)
        seconds = (time.perf_counter() - began) / len(sample) * passages
    return EmbedderCost(plain_name(engine.embedder.name), wanted, passages, seconds, not local)


def _texts(catalogue: "Catalogue") -> Iterator[str]:
    for workspace in catalogue.workspaces():
        for document in catalogue.all_ready_in(workspace):
            yield from (passage.indexed_text for passage in catalogue.passages_of(document.id))
