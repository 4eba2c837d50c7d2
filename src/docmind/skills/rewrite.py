"""The skill that rewrites queries: a message as a question of its own, another query when a search found little."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from docmind.domain.search import Hit
from docmind.models.chat.model import ChatModel, Message
from docmind.models.structured import Failure, ask
from docmind.quality.words import words
from docmind.skills.dialogue.answer_references import asks_again, asks_why, counted, next_in_question, why
from docmind.skills.dialogue.coreference import with_names
from docmind.skills.dialogue.ellipsis import carried, completed, is_fragment
from docmind.skills.dialogue.history import History
from docmind.skills.dialogue.pointers import asked_about, pointers
from docmind.skills.prompts import instructions, room
from docmind.skills.question import LONGEST, Intent, clean, intent, names, times
from docmind.skills.question.words import read_words

_FELL_BACK = "The question was completed by rules instead."
_TURNS_TOLD = 6
_LONGEST_ANSWER = 400
_LONGEST_QUESTION = 600


class _Standalone(BaseModel):
    """The question, written out."""

    model_config = ConfigDict(frozen=True)

    question: Annotated[str, Field(min_length=1, max_length=LONGEST)]


class Rewritten(NamedTuple):
    """A question that can be understood alone, and why the chat model's was not used where there is one."""

    question: str
    note: str = ""


async def rewrite(message: str, history: History, chat: ChatModel | None = None) -> Rewritten:
    """The message as a question of its own, by the chat model if there is one and what it says can be used."""
    if chat is None or not history:
        return Rewritten(by_structure(message, history))
    said = await ask(chat, prompt(message, history), _Standalone, room=room("rewrite"))
    if isinstance(said, Failure):
        return Rewritten(by_structure(message, history), f"{_FELL_BACK} {said.reason}")
    question = clean(said.question)
    if not question or (left_out := lost(message, question)):
        why = f"left out “{left_out}”" if question else "wrote nothing"
        return Rewritten(by_structure(message, history), f"{_FELL_BACK} The model {chat.name} {why}.")
    return Rewritten(question)


def prompt(message: str, history: History) -> list[Message]:
    """What a chat model is told."""
    return [
        Message("system", instructions("rewrite")),
        Message.user(f"The conversation:\n{told(history)}", f"The last question:\n{clean(message)}"),
    ]


def told(history: History) -> str:
    """The newest turns of a conversation as a chat model is shown them."""
    lines = (
        f"Person: {turn.question[:_LONGEST_QUESTION]}\nAnswer: {turn.answer[:_LONGEST_ANSWER] or '(none)'}"
        for turn in history.turns[-_TURNS_TOLD:]
    )
    return "\n".join(filter(None, (history.earlier, *lines))) or "(nothing was said yet)"


def by_structure(message: str, history: History) -> str:
    """The embedded way: fragments are filled in from the question before, pointing words give way to names."""
    last = history.last
    if last is None:
        return message
    if asks_again(message):
        return last.question
    if asks_why(message) and (whole := why(last)):
        return whole
    if whole := next_in_question(message, last.question):
        return whole
    if (item := counted(message, last)) is not None:
        about = f"What about {item.item}?" if item.alone else f"{message[: item.start]}{item.item}{message[item.end :]}"
        return carried(about, last.question) if item.alone else about
    whole = completed(message, last.question) if is_fragment(message) else message
    named = with_names(whole, history)
    return carried(named, last.question) if named == message and pointers(named) else named


def lost(message: str, question: str) -> str | None:
    """A name or time of the message that the rewritten question is silent about."""
    said = question.casefold()
    named = (*(name.text for name in names(message)), *(time.text for time in times(message)))
    return next((text for text in named if text.casefold() not in said), None)


_MOST_HEADINGS = 2
_ANSWERED_BY: dict[Intent, str] = {
    "quantity": "amount number total maximum minimum",
    "date": "date deadline start end from until",
    "cause": "because reason due to therefore",
    "procedure": "steps first then how to",
    "configuration": "settings configure enable set",
    "definition": "is defined as means refers to",
    "list": "the following include",
    "comparison": "higher lower than compared with",
    "yes_no": "must may not allowed only",
    "lookup": "",
}
"""Words in which passages give what each kind of question asks for."""
_OWNERS = "responsible owner lead appointed by"


class _Query(BaseModel):
    """One more query."""

    model_config = ConfigDict(frozen=True)

    query: Annotated[str, Field(min_length=1, max_length=LONGEST)]


class OtherQuery(NamedTuple):
    query: str
    note: str = ""


async def other_query(
    question: str, tried: Sequence[str], hits: Sequence[Hit], chat: ChatModel | None = None
) -> OtherQuery:
    """A query for the question that is none of those tried. `hits` are what they found."""
    note = ""
    if chat is not None:
        said = await ask(chat, other_query_prompt(question, tried), _Query, room=room("another_query"))
        if not isinstance(said, Failure) and (query := clean(said.query)) and query not in tried:
            return OtherQuery(query)
        why = said.reason if isinstance(said, Failure) else f"The model {chat.name} repeated itself."
        note = f"The query was varied by rules instead. {why}"
    return OtherQuery(other_query_by_words(question, tried, hits), note)


def other_query_prompt(question: str, tried: Sequence[str]) -> list[Message]:
    """What a chat model is told."""
    listed = "\n".join(f"- {query}" for query in tried)
    return [
        Message("system", instructions("another_query")),
        Message("user", f"The question:\n{clean(question)}\n\nThe queries so far:\n{listed}"),
    ]


def other_query_by_words(question: str, tried: Sequence[str], hits: Sequence[Hit]) -> str:
    """The embedded way: in the words of an answer, then by what it is about and where that stands, then bare."""
    content = " ".join(dict.fromkeys(word.text for word in words(question))) or question
    named = " ".join(name.text for name in names(question))
    about = asked_about(question) or named or content
    places = dict.fromkeys(hit.passage.heading[-1] if hit.passage.heading else hit.document.title for hit in hits)
    sides = (
        f"{content} {_OWNERS if _asks_who(question) else _ANSWERED_BY[intent(question)]}",
        f"{about} {' '.join(list(places)[:_MOST_HEADINGS])}",
        content,
        about,
        question,
    )
    return next((side.strip() for side in sides if side.strip() not in tried), content)


def _asks_who(question: str) -> bool:
    return any(word.lower in ("who", "whom", "whose") for word in read_words(question)[:2])
