"""Replies to messages that ask nothing of the documents' content, the same in every workflow."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langgraph.runtime import Runtime

from docmind.domain.answers import CheckedClaim, MessageKind, RunResult, RunUsage, Status
from docmind.domain.documents import Document
from docmind.domain.errors import NotFound
from docmind.domain.search import Filters, Hit
from docmind.domain.stream import StreamEvent
from docmind.domain.trace import Event
from docmind.skills.extract.compose import cited
from docmind.skills.extract.statements import Statement
from docmind.skills.judge import judge
from docmind.skills.messages.classifier import MessageClassifier
from docmind.skills.messages.replies import EMPTY, SAID, about_assistant, about_collection, which_one
from docmind.skills.messages.summary import key_sentences, name_in, named_documents
from docmind.skills.survey import topic
from docmind.workflows.citations import Source, citations
from docmind.workflows.services import Services
from docmind.workflows.step import Step

MOST_LISTED = 2_000
"""Documents whose titles are looked at; where there are more, those that a search for the name finds besides."""
_PASSAGES, _SENTENCES = 60, 6
"""Of a document that is summarised by itself."""
_MOST_DOCUMENTS, _PASSAGES_EACH, _SENTENCES_EACH = 8, 10, 2
"""Where the whole collection is summarised."""
_NOTHING = "Nothing in it can be quoted as a sentence."

_SEARCHING = frozenset(("docs", "strategy", "finance"))
"""Workflows that answer from documents alone."""
_NODE = "message"
"""What the step is called in the trace of a run in which no graph runs."""

SpokenOf = Callable[[], Awaitable[str | None]]
"""Finds the id of the document that a conversation was last about."""
SummedUp = Callable[[], Awaitable["Reply"]]
"""Sums up what a conversation was told so far."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What is said to a message; a summary has claims that rest on passages, nothing else claims anything."""

    kind: MessageKind
    text: str
    hits: tuple[Hit, ...] = ()
    """The passages that are cited, by the numbers they have in the text."""
    claims: tuple[dict[str, Any], ...] = ()

    def sources(self) -> dict[str, Source]:
        """What is cited, by the ids of the passages."""
        return {
            hit.passage.id: Source(
                number, hit.document.id, hit.document.title, hit.document.file_name, hit.passage.page
            )
            for number, hit in enumerate(self.hits, start=1)
        }


@dataclass(frozen=True, slots=True)
class Replied:
    """A reply with the step of the run that made it."""

    reply: Reply
    event: dict[str, Any]
    status: Status = Status.ANSWERED

    def result(self, *, run_id: str, workflow: str, usage: RunUsage) -> RunResult:
        """As all runs give it back. What is no answer has no probability of being right."""
        reply = self.reply
        return RunResult(
            run_id=run_id,
            workflow=workflow,
            status=self.status,
            answer=reply.text,
            message_kind=reply.kind,
            citations=citations(reply.claims, reply.sources()),
            claims=[CheckedClaim.model_validate(_of_claim(claim)) for claim in reply.claims],
            usage=usage,
            trace=[Event.model_validate(self.event)],
        )


async def answer_message(
    message: str, workflow: str, services: Services, tell: Callable[[StreamEvent], None]
) -> Replied | None:
    """Reply before a graph runs; None where it has to."""
    if await _kind_of(message, services) is MessageKind.QUESTION:
        return await _nothing_to_ask(workflow, services, tell)
    step = Step(_NODE, {}, Runtime(context=services, stream_writer=tell))
    reply = await reply_to(message, workflow, step.services)
    if reply is None:
        return None
    step.draft(reply.text, fresh=True)
    for claim in reply.claims:
        step.checked(_of_claim(claim))
    return Replied(reply, step.decided(reply.kind.value, said_of(reply)))


async def _nothing_to_ask(workflow: str, services: Services, tell: Callable[[StreamEvent], None]) -> Replied | None:
    """A question to a workspace without documents: that nothing was found would sound as if they were silent."""
    # Chat may find places in a table of facilities, and other workflows may do without documents.
    try:
        if workflow not in _SEARCHING or (await services.corpus.adocuments(services.scope, limit=1)).total:
            return None
    except NotFound:
        # The replay of a run that was recorded before this was looked at.
        return None
    step = Step(_NODE, {}, Runtime(context=services, stream_writer=tell))
    step.draft(EMPTY, fresh=True)
    event = step.decided("no documents", "There is nothing in this workspace that could be searched.")
    return Replied(Reply(MessageKind.QUESTION, EMPTY), event, Status.REFUSED)


def said_of(reply: Reply) -> str:
    """Why no search was made, as a sentence for the trace."""
    if reply.kind is MessageKind.SUMMARISE_CONVERSATION:
        return "It asks what was said so far."
    if reply.claims:
        return "It asks for a summary, which quotes the key sentences."
    return "It is no question to the documents."


async def reply_to(
    message: str,
    workflow: str,
    services: Services,
    spoken_of: SpokenOf | None = None,
    summed_up: SummedUp | None = None,
) -> Reply | None:
    """The reply to a message that is no question to the documents; None for one that the workflow is to answer."""
    classifier = services.messages
    if classifier is None:
        return None
    kind = await asyncio.to_thread(classifier.kind, message)
    if kind is MessageKind.QUESTION or (kind is MessageKind.SUMMARISE_ALL and _surveys(message, workflow, services)):
        return None
    if reply := await _without_documents(kind, workflow, summed_up):
        return reply
    listed = await services.corpus.adocuments(services.scope, limit=MOST_LISTED)
    if kind is MessageKind.ABOUT_COLLECTION or not listed.total:
        return Reply(kind, about_collection(listed.documents, listed.total))
    if kind is MessageKind.SUMMARISE_ALL:
        some = listed.documents[:_MOST_DOCUMENTS]
        more = listed.total - len(some)
        rest = f"There are {more} more documents; ask for a summary of one by its title." if more else ""
        each = _SENTENCES if listed.total == 1 else _SENTENCES_EACH
        return await _summary(kind, some, classifier, services, each, rest)
    return await _summary_of_one(message, listed.documents, listed.total, workflow, services, spoken_of)


def _surveys(message: str, workflow: str, services: Services) -> bool:
    """What all documents say of one topic, or a chat model writes of them, strategy tells itself and criticises."""
    return workflow == "strategy" and (services.writer is not None or bool(topic(message)))


async def _without_documents(kind: MessageKind, workflow: str, summed_up: SummedUp | None) -> Reply | None:
    """What is said to messages about DocMind and the conversation."""
    if kind is MessageKind.SUMMARISE_CONVERSATION and summed_up is not None:
        return await summed_up()
    if kind is MessageKind.ABOUT_ASSISTANT:
        return Reply(kind, about_assistant(workflow))
    return Reply(kind, SAID[kind]) if kind in SAID else None


async def _kind_of(message: str, services: Services) -> MessageKind:
    if services.messages is None:
        return MessageKind.QUESTION
    return await asyncio.to_thread(services.messages.kind, message)


async def _summary_of_one(
    message: str,
    documents: Sequence[Document],
    total: int,
    workflow: str,
    services: Services,
    spoken_of: SpokenOf | None,
) -> Reply | None:
    name = name_in(message)
    if name and total > len(documents):
        found = await services.corpus.asearch(name, services.scope, limit=_PASSAGES)
        documents = list({one.id: one for one in (*documents, *(hit.document for hit in found))}.values())
    meant = await _meant(message, name, documents, spoken_of)
    if len(meant) == 1 and services.messages is not None:
        return await _summary(MessageKind.SUMMARISE, meant, services.messages, services, _SENTENCES)
    if not meant and name and workflow == "strategy":
        # What no document is called is a topic there, and told of across all of them.
        return None
    asked = which_one(meant or documents, len(meant) or total, named="" if meant else name)
    return Reply(MessageKind.SUMMARISE, asked)


async def _meant(message: str, name: str, documents: Sequence[Document], spoken_of: SpokenOf | None) -> list[Document]:
    """The documents that are called so; without a name the only one, or the one that was last spoken of."""
    if name:
        return named_documents(name, documents)
    if len(documents) == 1:
        return list(documents)
    last = await spoken_of() if spoken_of is not None else None
    # Words as `handbook` say little in general, and enough where only one title has them.
    return [document for document in documents if document.id == last] or named_documents(message, documents)


async def _summary(
    kind: MessageKind,
    documents: Sequence[Document],
    classifier: MessageClassifier,
    services: Services,
    sentences: int,
    rest: str = "",
) -> Reply:
    """The key sentences of each document below its title, cited and checked as every answer is."""
    limit = _PASSAGES if len(documents) == 1 else _PASSAGES_EACH
    cited_hits: dict[str, Hit] = {}
    sections = []
    for document in documents:
        hits = await _passages(document, services, limit)
        told = await asyncio.to_thread(
            key_sentences, hits, classifier.embedder, services.scorer, services.grounder, sentences
        )
        lines = [f"- {cited(_numbered(one, cited_hits))}" for one in told]
        sections.append("\n".join((f"## {document.title}", "", *(lines or [_NOTHING]))))
    text = "\n\n".join(filter(None, (*sections, rest)))
    judgement = await asyncio.to_thread(judge, text, [hit.passage for hit in cited_hits.values()], services.grounder)
    claims = tuple(claim for claim in judgement.claims() if claim["citations"])
    return Reply(kind, text, tuple(cited_hits.values()), claims)


async def _passages(document: Document, services: Services, limit: int) -> list[Hit]:
    """The passages of a document, in its order; of a long one those that are nearest to its title."""
    only = Filters(document_id=(document.id,))
    found = await services.corpus.asearch(document.title, services.scope, limit=limit, filters=only)
    return sorted(found, key=lambda hit: hit.passage.ordinal)


def _of_claim(claim: Mapping[str, Any]) -> dict[str, Any]:
    return {key: claim[key] for key in CheckedClaim.model_fields}


def _numbered(statement: Statement, hits: dict[str, Hit]) -> Statement:
    """The statement under the number of its passage among those cited so far."""
    hits.setdefault(statement.hit.passage.id, statement.hit)
    return replace(statement, number=1 + list(hits).index(statement.hit.passage.id))
