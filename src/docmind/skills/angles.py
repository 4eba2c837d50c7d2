"""The skill that looks at a question from another side when a search has found too little; each time from a new one."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from docmind.domain.search import Hit
from docmind.models.chat.model import ChatModel, Message
from docmind.models.structured import Failure, ask
from docmind.quality.grounding.content_words import words
from docmind.skills.dialogue.foreground import asked_about
from docmind.skills.prompts import instructions, room
from docmind.skills.question import LONGEST, Intent, clean, intent, names
from docmind.skills.question.words import read_words

_HEADINGS = 2
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


class Angle(NamedTuple):
    query: str
    note: str = ""


async def another_angle(
    question: str, tried: Sequence[str], hits: Sequence[Hit], chat: ChatModel | None = None
) -> Angle:
    """A query for the question that is none of those tried. `hits` are what they found."""
    note = ""
    if chat is not None:
        said = await ask(chat, prompt(question, tried), _Query, room=room("another_query"))
        if not isinstance(said, Failure) and (query := clean(said.query)) and query not in tried:
            return Angle(query)
        why = said.reason if isinstance(said, Failure) else f"The model {chat.name} repeated itself."
        note = f"The query was varied by rules instead. {why}"
    return Angle(by_words(question, tried, hits), note)


def prompt(question: str, tried: Sequence[str]) -> list[Message]:
    """What a chat model is told."""
    listed = "\n".join(f"- {query}" for query in tried)
    return [
        Message("system", instructions("another_query")),
        Message("user", f"The question:\n{clean(question)}\n\nThe queries so far:\n{listed}"),
    ]


def by_words(question: str, tried: Sequence[str], hits: Sequence[Hit]) -> str:
    """The embedded way: in the words of an answer, then by what it is about and where that stands, then bare."""
    content = " ".join(dict.fromkeys(word.text for word in words(question))) or question
    named = " ".join(name.text for name in names(question))
    about = asked_about(question) or named or content
    places = dict.fromkeys(hit.passage.heading[-1] if hit.passage.heading else hit.document.title for hit in hits)
    sides = (
        f"{content} {_OWNERS if _asks_who(question) else _ANSWERED_BY[intent(question)]}",
        f"{about} {' '.join(list(places)[:_HEADINGS])}",
        content,
        about,
        question,
    )
    return next((side.strip() for side in sides if side.strip() not in tried), content)


def _asks_who(question: str) -> bool:
    return any(word.lower in ("who", "whom", "whose") for word in read_words(question)[:2])
