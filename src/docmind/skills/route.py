"""The skill that decides what a message needs: an answer from what was shown, a search, a question back, or a place.

A fitted model tells whether it goes on from the answer before: it is looked for in the documents cited there, and
everywhere.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from typing import Annotated, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field

from docmind.domain.search import Hit
from docmind.models.chat.model import ChatModel, Message
from docmind.models.structured import Failure, ask
from docmind.quality.grounding import Grounder
from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.words import words
from docmind.skills.answer import extract_answer
from docmind.skills.dialogue.answer_references import asks_again, counted, next_in_question
from docmind.skills.dialogue.coreference import pointed_at
from docmind.skills.dialogue.ellipsis import is_fragment
from docmind.skills.dialogue.history import History, unmarked
from docmind.skills.dialogue.pointers import pointers
from docmind.skills.extract.statement_scorer import StatementScorer, clipped, logistic, logit
from docmind.skills.places import FacilityContext, finds_something, goes_on, seeks_place
from docmind.skills.prompts import instructions, room
from docmind.skills.question import clean, names
from docmind.skills.rewrite import by_structure, told


@dataclass(frozen=True, slots=True)
class FollowUpModel:
    """A logistic model of a message going on from the answer before it, fitted by `scripts/fit_follow_ups.py`."""

    weights: Mapping[str, float]

    @classmethod
    def shipped(cls) -> Self:
        return cls(json.loads(files("docmind.skills").joinpath("follow_up.json").read_text(encoding="utf-8")))

    def goes_on(self, message: str, there: Sequence[Hit], everywhere: Sequence[Hit]) -> float:
        """How likely it does. `there` is what was found in the documents of the answer, most relevant first."""
        return logistic(self.weights, follow_up_signals(message, there, everywhere))


def follow_up_signals(message: str, there: Sequence[Hit], everywhere: Sequence[Hit]) -> dict[str, float]:
    """What speaks for it, by name: what goes on is short, and is found as well among the documents of the answer."""
    return {
        "there": _relevance(there),
        "everywhere": _relevance(everywhere),
        "length": math.sqrt(len(message.split())),
    }


def joined(before: str, message: str) -> str:
    """The question before and the message, as one text that a search and the reader understand."""
    return f"{before.strip()} {message.strip()}"


def _relevance(hits: Sequence[Hit]) -> float:
    return clipped(logit(hits[0].relevance_score)) if hits else clipped(-math.inf)


_MOST_KINDS = 20
_FELL_BACK = "The way was chosen by rules instead."
_EMPTY = vocabulary(
    "thing things stuff information info detail details something anything everything help more topic issue matter "
    "case tell know explain describe show give find say mean question answer please want else"
)
"""Words that say nothing about what is asked for."""


class Decision(StrEnum):
    DIRECT_ANSWER = "DIRECT_ANSWER"
    RETRIEVE = "RETRIEVE"
    REWRITE_THEN_RETRIEVE = "REWRITE_THEN_RETRIEVE"
    ASK_CLARIFICATION = "ASK_CLARIFICATION"
    LOCATION_SEARCH = "LOCATION_SEARCH"


class Route(BaseModel):
    """What a message needs, and why."""

    model_config = ConfigDict(frozen=True)

    decision: Decision
    reason: Annotated[str, Field(max_length=400)] = ""


class Routed(NamedTuple):
    """A route, and why the chat model's was not used where there is one."""

    route: Route
    note: str = ""


class ShownSources(NamedTuple):
    """The sources of earlier turns, and what reads them."""

    hits: Sequence[Hit]
    grounder: Grounder
    scorer: StatementScorer

    def answers(self, question: str, said: str) -> bool:
        """Whether one of them speaks of everything in the question, and has an answer that was not just `said`."""
        asked = {word.key for word in words(question)}
        if not asked or not any(asked <= {word.key for word in words(_whole(hit))} for hit in self.hits):
            return False
        answer = extract_answer(question, self.hits, self.grounder, self.scorer)
        known = {word.key for word in words(said)}
        return not answer.refused and not {word.key for word in words(unmarked(answer.text))} <= known


async def route(
    message: str,
    history: History,
    shown: ShownSources,
    heard: FacilityContext,
    chat: ChatModel | None = None,
    *,
    about_places: bool = False,
    goes_on: bool = False,
) -> Routed:
    """Decide for one of the five ways.

    `about_places` says that the answer before was about facilities, `goes_on` that the documents it cites are meant.
    """
    if chat is None:
        return Routed(by_reading(message, history, shown, heard, about_places=about_places, goes_on=goes_on))
    said = await ask(chat, prompt(message, history, shown, heard), Route, room=room("route"))
    if isinstance(said, Failure):
        read = by_reading(message, history, shown, heard, about_places=about_places)
        return Routed(read, f"{_FELL_BACK} {said.reason}")
    places = finds_something(heard) or _seeks(message, heard, about_places=about_places)
    return Routed(_possible(said, history, shown, places=places))


def prompt(message: str, history: History, shown: ShownSources, heard: FacilityContext) -> list[Message]:
    """What a chat model is told."""
    titles = dict.fromkeys(hit.document.title for hit in shown.hits)
    kinds = ", ".join(heard.kinds[:_MOST_KINDS]) or "none"
    situation = (
        f"The conversation:\n{told(history)}\n\nSources already shown: {', '.join(titles) or 'none'}.\n"
        f"Kinds of facilities that can be found: {kinds}."
    )
    return [Message("system", instructions("route")), Message.user(situation, f"The message:\n{clean(message)}")]


def by_reading(
    message: str,
    history: History,
    shown: ShownSources,
    heard: FacilityContext,
    *,
    about_places: bool = False,
    goes_on: bool = False,
) -> Route:
    """The embedded way: by place words, by what the message leans on, and by what the sources shown can answer."""
    if _seeks(message, heard, about_places=about_places):
        return Route(decision=Decision.LOCATION_SEARCH, reason="It looks for a facility.")
    if goes_on and not asks_again(message):
        return Route(decision=Decision.REWRITE_THEN_RETRIEVE, reason="It goes on from the answer before.")
    leans = leans_on_history(message, history)
    if unclear := _unclear(message, history, leans=leans):
        return Route(decision=Decision.ASK_CLARIFICATION, reason=unclear)
    said = history.last.answer if history.last else ""
    if shown.hits and (asks_again(message) or shown.answers(by_structure(message, history), said)):
        return Route(decision=Decision.DIRECT_ANSWER, reason="The sources already shown answer it.")
    if leans and history:
        return Route(decision=Decision.REWRITE_THEN_RETRIEVE, reason="It leans on what was said before.")
    return Route(decision=Decision.RETRIEVE, reason="It can be understood alone.")


def _seeks(message: str, heard: FacilityContext, *, about_places: bool) -> bool:
    return seeks_place(message, heard) or (about_places and goes_on(message, heard))


def leans_on_history(message: str, history: History) -> bool:
    """Whether something has to be filled in before it can be understood."""
    if pointers(message) or is_fragment(message):
        return True
    last = history.last
    return last is not None and bool(counted(message, last) or next_in_question(message, last.question))


def _unclear(message: str, history: History, *, leans: bool) -> str:
    """Why nobody could tell what the message is about, as a sentence; empty where somebody could."""
    if thing := pointed_at(message, history):
        return f"Nobody has named the {thing} that it points at."
    if leans:
        return "" if history or names(message) else "It points to something that nobody has named."
    return "It does not say what it is about." if _is_empty(message) else ""


def _possible(said: Route, history: History, shown: ShownSources, *, places: bool) -> Route:
    """What a model decided, as far as there is what it needs; otherwise the message is searched."""
    missing = ""
    if said.decision is Decision.DIRECT_ANSWER and not shown.hits:
        missing = "no sources have been shown yet"
    elif said.decision is Decision.REWRITE_THEN_RETRIEVE and not history:
        missing = "nothing was said before"
    elif said.decision is Decision.LOCATION_SEARCH and not places:
        missing = "the facilities are of another kind"
    return Route(decision=Decision.RETRIEVE, reason=f"It is searched, because {missing}.") if missing else said


def _is_empty(message: str) -> bool:
    return not any(word.text.lower() not in _EMPTY and not word.text.isdecimal() for word in words(message))


def _whole(hit: Hit) -> str:
    return " ".join((hit.document.title, *hit.passage.heading, hit.passage.text))
