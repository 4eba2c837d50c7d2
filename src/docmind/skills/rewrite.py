"""The skill that says a message alone: what it takes from the conversation is written out, what it says stays."""

from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from docmind.models.chat.model import ChatModel, Message
from docmind.models.structured import Failure, ask
from docmind.skills.dialogue.again import asks_again
from docmind.skills.dialogue.ellipsis import carried, completed, is_fragment
from docmind.skills.dialogue.history import History
from docmind.skills.dialogue.ordinals import counted, next_in_question
from docmind.skills.dialogue.pointers import pointers
from docmind.skills.dialogue.reasons import asks_why, why
from docmind.skills.dialogue.references import with_names
from docmind.skills.prompts import instructions, room
from docmind.skills.question import LONGEST, clean, names, times

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
