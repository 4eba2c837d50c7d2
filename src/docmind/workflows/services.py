"""What a node may reach for: handed to every node as LangGraph's runtime context, so that nodes hold nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from docmind.domain.documents import DocumentList, Metadata
from docmind.domain.limits import ChatLimits, StrategyLimits
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit
from docmind.memory.recording import Memory
from docmind.models.chat.meter import Meter, MeteredChat, Part
from docmind.quality.grounding import Grounder
from docmind.skills.disputes import Conflicting
from docmind.skills.extract.statement_scorer import StatementScorer
from docmind.skills.messages.classifier import MessageClassifier
from docmind.workflows.finder import Finder


class Corpus(Protocol):
    """Where passages are found."""

    async def asearch(
        self, query: str, scope: Scope, *, limit: int = 10, min_score: float = 0.0, filters: Filters | None = None
    ) -> list[Hit]: ...

    async def afetch(self, passage_ids: Sequence[str], scope: Scope) -> list[Hit]:
        """Passages by their ids, in that order, as far as the scope sees them."""
        ...

    async def adocuments(self, scope: Scope, *, limit: int) -> DocumentList:
        """The documents that the scope sees, by name, at most so many."""
        ...

    async def areports(self, scope: Scope) -> list[Metadata]:
        """What the documents of companies say of themselves, beside their titles, newest first, the same once."""
        ...


@dataclass(frozen=True, slots=True)
class Services:
    """The parts and the choices of one run."""

    corpus: Corpus
    scope: Scope
    grounder: Grounder
    scorer: StatementScorer
    """Tells which statements of a passage answer a question."""
    conflicting: Conflicting
    """Tells which answers of different documents cannot both be right."""
    writer: MeteredChat | None = None
    """Writes; without one the embedded ways answer."""
    judge: MeteredChat | None = None
    """Gives a second opinion on drafts; without one the local checks judge alone."""
    max_hallucinations: int = 2
    sections: int = 8
    """Passages an answer is written from."""
    strategy: StrategyLimits = field(default_factory=StrategyLimits)
    """What the strategy workflow counts as enough."""
    chat: ChatLimits = field(default_factory=ChatLimits)
    """What the chat workflow counts as enough, and how often it tries and asks."""
    memory: Memory | None = None
    """What was said in earlier sessions; without one a conversation remembers itself alone."""
    facilities: Finder | None = None
    """Finds places, where there are tables to look at."""
    messages: MessageClassifier | None = None
    """Tells questions from other messages; without one every message is a question."""
    began: float | None = None
    """When the run began, by the clock on the wall; None where a graph is run as it is."""

    def with_chat(self, writer: MeteredChat | None, judge: MeteredChat | None) -> "Services":
        grounder = self.grounder if writer is None else self.grounder.of_drafts
        return replace(self, writer=writer, judge=judge, grounder=grounder)

    def in_step(self, step: str) -> tuple["Services", Meter]:
        """The same services for one step of the run, and the meter of what it spends."""
        chats = self.writer, self.judge
        whole = next((chat.meter for chat in chats if chat is not None), None)
        part = Part(whole) if whole is not None else Meter()
        return self.with_chat(*(chat and chat.in_step(step, part) for chat in chats)), part


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
