"""What a node may reach for: handed to every node as LangGraph's runtime context, so that nodes hold nothing."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit
from docmind.models.chat.metered import MeteredChat
from docmind.quality.grounding import Grounder
from docmind.skills.extract.select import StatementScorer


class Corpus(Protocol):
    """Where passages are found."""

    async def asearch(
        self, query: str, scope: Scope, *, limit: int = 10, min_score: float = 0.0, filters: Filters | None = None
    ) -> list[Hit]: ...


@dataclass(frozen=True, slots=True)
class Services:
    """The parts and the choices of one run."""

    corpus: Corpus
    scope: Scope
    grounder: Grounder
    scorer: StatementScorer
    """Tells which statements of a passage answer a question."""
    writer: MeteredChat | None = None
    """Writes; without one the embedded ways answer."""
    max_hallucinations: int = 2
    sections: int = 8
    """Passages an answer is written from."""

    def with_writer(self, writer: MeteredChat | None) -> "Services":
        return replace(self, writer=writer)


_default: list[Callable[[], Services]] = []


def provide_default(build: Callable[[], Services]) -> None:
    """Say what a graph works with that is run as it is, outside the engine."""
    _default[:] = [build]


def services_of(context: Services | None) -> Services:
    """The services of a run; a graph that is run without any works on the default store."""
    if context is not None:
        return context
    if not _default:
        raise RuntimeError("The graph is run without services: import it from `docmind`, or pass `context=`.")
    return _default[0]()
