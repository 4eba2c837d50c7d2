"""What a thread remembers of its turns: who said what, how it was understood, and which passages were shown for it."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from docmind.skills.dialogue.history import History, Turn, unmarked
from docmind.skills.recap import MOST_MESSAGES, NEWEST_TURNS, recap

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
