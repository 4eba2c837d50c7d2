"""A summary of a conversation so far: each question with the first sentences of its answer, cited anew."""

import asyncio
from collections.abc import Sequence

from docmind.domain.documents import Span
from docmind.domain.messages import MessageKind
from docmind.domain.search import Hit
from docmind.quality.citations import find
from docmind.quality.sentences import split
from docmind.skills.judge import judge
from docmind.skills.messages.replies import NOTHING_TOLD
from docmind.workflows.chat.remembering import AnsweredTurn
from docmind.workflows.messages import Reply
from docmind.workflows.services import Services

MOST_TURNS = 8
"""The newest turns, which is as many as a long conversation keeps whole."""
_SENTENCES_EACH = 2


async def summed_up(turns: Sequence[AnsweredTurn], services: Services) -> Reply:
    """What was answered, checked again against the passages as they are now; what was deleted since is left out."""
    kind, newest = MessageKind.SUMMARISE_CONVERSATION, turns[-MOST_TURNS:]
    wanted = list(dict.fromkeys(passage for turn in newest for passage in turn.marks.values()))
    hits = {hit.passage.id: hit for hit in await services.corpus.afetch(wanted, services.scope)} if wanted else {}
    cited: dict[str, Hit] = {}
    sections = []
    for turn in newest:
        told = [renumbered for text in _cited(turn) if (renumbered := _renumbered(text, turn, hits, cited))]
        if told:
            sections.append("\n".join((f"**{turn.question}**", "", *(f"- {text}" for text in told[:_SENTENCES_EACH]))))
    if not sections:
        return Reply(kind, NOTHING_TOLD)
    text = "\n\n".join(sections)
    judgement = await asyncio.to_thread(judge, text, [hit.passage for hit in cited.values()], services.grounder)
    claims = tuple(claim for claim in judgement.claims() if claim["citations"])
    return Reply(kind, text, tuple(cited.values()), claims)


def _cited(turn: AnsweredTurn) -> list[str]:
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
