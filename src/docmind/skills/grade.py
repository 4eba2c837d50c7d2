"""The skill that scores how likely each passage found bears on the question.

`relevance_score` is the probability that a passage is the one that holds the answer: it was fitted on questions with
one labelled passage each. A strategic question has many, each of which holds a part, and asks for them in words of its
own. Of the passages that search believes in with 4% on the bundled papers, six in ten come from a document that answers
the question: that is where the scale of evidence has its .60.
"""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from docmind.domain.search import Hit
from docmind.models.chat.model import ChatModel, Message
from docmind.models.structured import Failure, ask
from docmind.skills.extract.statement_scorer import StatementScorer
from docmind.skills.extract.statements import read_statements
from docmind.skills.prompts import instructions, room

_LIKELIER = 36.0
"""How many times the odds that a passage bears on a question exceed those that it is the one that answers it."""


def to_evidence_scale(relevance_score: float) -> float:
    """The probability that a passage bears on the question, from the calibrated relevance that search gave it."""
    odds = _LIKELIER * relevance_score
    return odds / (odds + 1.0 - relevance_score)


_LONGEST_PASSAGE = 1_200
_KEPT = "The passages keep the order of the search."


class _Scores(BaseModel):
    """One score for each passage, in their order."""

    model_config = ConfigDict(frozen=True)

    scores: list[Annotated[float, Field(ge=0, le=1)]]


class Graded(NamedTuple):
    """A score in 0..1 for each passage, and why the chat model's were not used where there is one."""

    scores: list[float]
    note: str = ""


async def grade(question: str, hits: Sequence[Hit], scorer: StatementScorer, chat: ChatModel | None = None) -> Graded:
    """How likely each hit bears on the question, by the chat model if there is one and its scores can be used."""
    if chat is None or not hits:
        return Graded(by_reading(question, hits, scorer))
    said = await ask(chat, prompt(question, hits), _Scores, room=room("grade_passages"))
    if isinstance(said, Failure):
        return Graded(by_search(hits), f"{_KEPT} {said.reason}")
    if len(said.scores) != len(hits):
        told = f"The model {chat.name} gave {len(said.scores)} scores for {len(hits)} passages."
        return Graded(by_search(hits), f"{_KEPT} {told}")
    return Graded([round(score, 4) for score in said.scores])


def prompt(question: str, hits: Sequence[Hit]) -> list[Message]:
    """What a chat model is told."""
    listed = "\n\n".join(
        f"[{number}] {' > '.join(hit.passage.heading)}\n{hit.passage.text[:_LONGEST_PASSAGE]}"
        for number, hit in enumerate(hits, start=1)
    )
    return [
        Message("system", instructions("grade_passages")),
        Message.user(f"Passages:\n\n{listed}", f"Question: {question}"),
    ]


def by_reading(question: str, hits: Sequence[Hit], scorer: StatementScorer) -> list[float]:
    """The embedded way: a passage bears on the question if search says so, or the reader that it answers."""
    answering = scorer.read(question, read_statements(hits)).passages
    return [
        max(found, round(answering.get(hit.passage, 0.0), 4)) for hit, found in zip(hits, by_search(hits), strict=True)
    ]


def by_search(hits: Sequence[Hit]) -> list[float]:
    """What the calibrated relevance of the search says, on the scale of bearing on a question."""
    return [round(to_evidence_scale(hit.relevance_score), 4) for hit in hits]
