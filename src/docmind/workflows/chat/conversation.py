"""What a thread remembers of its turns: what was said, how it was understood, what was shown; and a summary of it."""

import asyncio
from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from docmind.domain.answers import MessageKind
from docmind.domain.documents import Span
from docmind.domain.search import Hit
from docmind.quality.citations import find
from docmind.quality.sentences import split
from docmind.skills.dialogue.history import MOST_MESSAGES, NEWEST_TURNS, History, Turn, recap, unmarked
from docmind.skills.judge import judge
from docmind.skills.messages.replies import NOTHING_TOLD
from docmind.workflows.messages import Reply
from docmind.workflows.services import Services

_SHOWN = "shown"
"""The passages that an answer cites, by id, each with the relevance it was found with."""
_MARKS = "marks"
"""The passages again, each under the number that the answer cites it by."""
_UNDERSTOOD = "understood"
"""The question as it was understood."""
_ASIDE = "aside"
"""Whether a message asked nothing that another could go on from: a greeting, thanks."""
NO_MARKS: Mapping[str, str] = MappingProxyType({})
MOST_SHOWN = 12
"""Passages of earlier turns that a follow-up may be answered from, the newest first."""


class AnsweredTurn(NamedTuple):
    """A turn that was answered: the question as it was understood, and the passages by the answer's own numbers."""

    question: str
    answer: str
    marks: Mapping[str, str]


def asked(messages: Sequence[BaseMessage], query: str) -> list[BaseMessage]:
    """The messages with a new one of the person, compressed where they have become many."""
    return [*_compressed(messages), HumanMessage(query)]


def understood(messages: Sequence[BaseMessage], question: str) -> list[BaseMessage]:
    """The messages with how the newest of them, which is the person's, was understood."""
    *earlier, newest = messages
    return [*earlier, HumanMessage(newest.content, additional_kwargs={_UNDERSTOOD: question})]


def aside(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """The messages, the newest of which asked nothing of the documents."""
    *earlier, newest = messages
    return [*earlier, HumanMessage(newest.content, additional_kwargs={_ASIDE: True})]


def answered(
    messages: Sequence[BaseMessage], answer: str, cited: Mapping[str, float], marks: Mapping[str, str] = NO_MARKS
) -> list[BaseMessage]:
    """The messages with the answer to the newest question; `marks` are the passages by their numbers in it."""
    return [*messages, AIMessage(answer, additional_kwargs={_SHOWN: dict(cited), _MARKS: dict(marks)})]


def told_so_far(messages: Sequence[BaseMessage]) -> list[AnsweredTurn]:
    """The turns that were answered from documents, oldest first, as far as they are still kept whole."""
    found: list[AnsweredTurn] = []
    for asking, reply in pairwise(messages):
        marks = reply.additional_kwargs.get(_MARKS)
        if isinstance(asking, HumanMessage) and isinstance(reply, AIMessage) and marks:
            found.append(AnsweredTurn(asking.additional_kwargs.get(_UNDERSTOOD) or asking.text, reply.text, marks))
    return found


def history_of(messages: Sequence[BaseMessage]) -> History:
    """The turns so far; a question that nobody answered counts too, for the next may take it up."""
    earlier = "\n".join(message.text for message in messages if isinstance(message, SystemMessage))
    turns: list[Turn] = []
    for at, message in enumerate(messages):
        if isinstance(message, HumanMessage) and not message.additional_kwargs.get(_ASIDE):
            reply = messages[at + 1] if at + 1 < len(messages) else None
            answer = unmarked(reply.text) if isinstance(reply, AIMessage) else ""
            turns.append(Turn(message.additional_kwargs.get(_UNDERSTOOD) or message.text, answer, message.text))
    return History(tuple(turns), earlier)


def shown(messages: Sequence[BaseMessage]) -> dict[str, float]:
    """The passages that earlier turns have shown, newest first."""
    found: dict[str, float] = {}
    for message in reversed(messages):
        for passage_id, relevance in message.additional_kwargs.get(_SHOWN, {}).items():
            found.setdefault(passage_id, relevance)
    return dict(list(found.items())[:MOST_SHOWN])


def shown_last(messages: Sequence[BaseMessage]) -> dict[str, float]:
    """The passages of the newest answer that shows any."""
    return next((dict(shown) for message in reversed(messages) if (shown := message.additional_kwargs.get(_SHOWN))), {})


def _compressed(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    if len(messages) <= MOST_MESSAGES:
        return list(messages)
    old, newest = messages[: -2 * NEWEST_TURNS], messages[-2 * NEWEST_TURNS :]
    history = history_of(old)
    summary = SystemMessage(recap(history.earlier, history.turns), additional_kwargs={_SHOWN: shown(old)})
    return [summary, *newest]


MOST_SUMMED_UP = 8
"""The newest turns, which is as many as a long conversation keeps whole."""
_SENTENCES_EACH = 2


async def summed_up(turns: Sequence[AnsweredTurn], services: Services) -> Reply:
    """What was answered, checked again against the passages as they are now; what was deleted since is left out."""
    kind, newest = MessageKind.SUMMARISE_CONVERSATION, turns[-MOST_SUMMED_UP:]
    wanted = list(dict.fromkeys(passage for turn in newest for passage in turn.marks.values()))
    hits = {hit.passage.id: hit for hit in await services.corpus.afetch(wanted, services.scope)} if wanted else {}
    cited: dict[str, Hit] = {}
    sections = []
    for turn in newest:
        told = [renumbered for text in _cited_sentences(turn) if (renumbered := _renumbered(text, turn, hits, cited))]
        if told:
            sections.append("\n".join((f"**{turn.question}**", "", *(f"- {text}" for text in told[:_SENTENCES_EACH]))))
    if not sections:
        return Reply(kind, NOTHING_TOLD)
    text = "\n\n".join(sections)
    judgement = await asyncio.to_thread(judge, text, [hit.passage for hit in cited.values()], services.grounder)
    claims = tuple(claim for claim in judgement.claims() if claim["citations"])
    return Reply(kind, text, tuple(cited.values()), claims)


def _cited_sentences(turn: AnsweredTurn) -> list[str]:
    """The sentences of an answer that cite something, without what only lays it out."""
    lines = (" ".join(sentence.text.split()).lstrip("-*# ") for sentence in split(turn.answer))
    return [line for line in lines if find(line)]


def _renumbered(text: str, turn: AnsweredTurn, hits: dict[str, Hit], cited: dict[str, Hit]) -> str:
    """A sentence with the numbers of the summary; empty where a passage that it cites is gone."""
    numbers: dict[Span, list[int]] = {}
    for marker in find(text):
        hit = hits.get(turn.marks.get(marker.target, marker.target))
        if hit is None:
            return ""
        cited.setdefault(hit.passage.id, hit)
        numbers.setdefault(marker.span, []).append(1 + list(cited).index(hit.passage.id))
    parts, position = [], 0
    for span, found in numbers.items():
        parts.append(text[position : span.start] + "".join(f"[{number}]" for number in found))
        position = span.end
    return "".join((*parts, text[position:]))
