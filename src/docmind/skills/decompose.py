"""Takes a question apart: what it wants, of what, when, under which conditions, and what to search for."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, field_validator

from docmind.models.chat.model import ChatModel, Message
from docmind.models.structured import Failure, ask
from docmind.skills.prompts import instructions, room
from docmind.skills.question import LONGEST, MOST_PARTS, Intent, clean, intent, names, parts, times
from docmind.skills.question.constraints import constraints
from docmind.skills.question.words import read_words

_FRAGMENT = 2
_FELL_BACK = "The question was split up by rules instead."


class Decomposition(BaseModel):
    """A question, taken apart."""

    model_config = ConfigDict(frozen=True)

    intent: Annotated[Intent, Field(description="The kind of answer wanted.")]
    sub_queries: Annotated[
        list[str], Field(min_length=1, max_length=MOST_PARTS, description="Whole questions that can be searched alone.")
    ]
    entities: Annotated[list[str], Field(description="Names in the question, as written.")] = []
    constraints: Annotated[list[str], Field(description="What narrows the question, as written.")] = []
    temporals: Annotated[list[str], Field(description="Dates and periods in the question, as written.")] = []

    @field_validator("sub_queries")
    @classmethod
    def _each_once(cls, queries: list[str]) -> list[str]:
        """Blank ones and repeats would be searches for nothing; only a blank question has a blank query."""
        return list(dict.fromkeys(filter(None, map(str.strip, queries)))) or [""]


class Decomposed(NamedTuple):
    """A decomposition, and why the chat model's was not used where there is one."""

    decomposition: Decomposition
    note: str = ""


async def decompose(question: str, chat: ChatModel | None = None) -> Decomposed:
    """Take a question apart, by the chat model if there is one and what it says can be used."""
    asked = clean(question)
    if chat is None or not asked or len(question) > LONGEST:
        return Decomposed(by_structure(question))
    said = await ask(chat, prompt(asked), Decomposition, room=room("decompose"))
    if isinstance(said, Failure):
        return Decomposed(by_structure(question), f"{_FELL_BACK} {said.reason}")
    whole = [query for query in said.sub_queries if not _is_fragment(query, asked)]
    if not whole:
        return Decomposed(by_structure(question), f"{_FELL_BACK} The model {chat.name} named nothing to search for.")
    if lost := _lost(asked, whole):
        return Decomposed(by_structure(question), f"{_FELL_BACK} The model {chat.name} left out “{lost}”.")
    return Decomposed(said.model_copy(update={"sub_queries": whole}))


def _is_fragment(query: str, question: str) -> bool:
    """Whether a query is a word or two picked from a longer question: a search for one would find anything."""
    words, asked = ({word.lower for word in read_words(text)} for text in (query, question))
    return len(words) <= _FRAGMENT and words < asked


def _lost(question: str, queries: Sequence[str]) -> str | None:
    """A name or time of the question that no query speaks of: without it they would find something else."""
    told = " ".join(queries).casefold()
    named = (*(name.text for name in names(question)), *(time.text for time in times(question)))
    return next((text for text in named if text.casefold() not in told), None)


def prompt(question: str) -> list[Message]:
    """What a chat model is told."""
    return [
        Message("system", instructions("decompose").format(most=MOST_PARTS)),
        Message("user", f"The question:\n{question}"),
    ]


def by_structure(question: str) -> Decomposition:
    """The embedded way: by the question's own words and their order."""
    asked = clean(question)
    return Decomposition(
        intent=intent(asked),
        sub_queries=parts(question),
        entities=list(dict.fromkeys(name.text for name in names(asked))),
        constraints=constraints(asked),
        temporals=list(dict.fromkeys(time.text for time in times(asked))),
    )
