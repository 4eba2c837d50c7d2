"""What a run goes by: the passages in its state, the scope they are searched in, and the conversation before."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langgraph.config import get_config

from docmind.domain.documents import dump_facts, load_facts
from docmind.domain.scope import Scope
from docmind.domain.search import Hit
from docmind.memory.recollections import Recollection
from docmind.skills.dialogue import History, Turn
from docmind.skills.dialogue.history import MOST_MESSAGES, NEWEST_TURNS, recap
from docmind.skills.finance.evidence.evidence import Answers
from docmind.skills.finance.follow_up import leaves_open
from docmind.skills.finance.search.ranking import owners_of
from docmind.skills.finance.wording.sentences import Sources
from docmind.workflows.finance.state import FinanceState, RetrievedChunk
from docmind.workflows.sections import hit_of, section_of
from docmind.workflows.services import Services


def scope_of(state: FinanceState, services: Services) -> Scope:
    """The workspace of the run, seen by the user that the state names."""
    return Scope(services.scope.workspace, state.get("user_id") or services.scope.user)


def chunk_of(hit: Hit) -> RetrievedChunk:
    passage = hit.passage
    return {
        **section_of(hit),
        "ordinal": passage.ordinal,
        "company": hit.document.metadata.company,
        "facts": dump_facts(passage.facts),
    }


def hits_in(state: FinanceState, services: Services) -> list[Hit]:
    """The hits that the retrieved chunks were made of."""
    return hits_of(state["retrieved_context"], scope_of(state, services))


def hits_of(chunks: Sequence[RetrievedChunk], scope: Scope) -> list[Hit]:
    """The hits that chunks were made of, as far as analysing and checking need them."""
    return [_hit_of(chunk, scope) for chunk in chunks]


def sources_in(state: FinanceState, services: Services) -> Sources:
    return sources_of(hits_in(state, services), services.scorer.answers)


def sources_of(hits: Sequence[Hit], answers: Answers | None = None) -> Sources:
    titles = {hit.document.id: hit.document.title for hit in hits}
    return Sources(tuple(hit.passage for hit in hits), owners_of(hits), titles, answers)


def _hit_of(chunk: RetrievedChunk, scope: Scope) -> Hit:
    # A run that an older version began has chunks without facts.
    facts = load_facts(chunk.get("facts", ()))
    hit = hit_of(chunk, scope)
    metadata = replace(hit.document.metadata, company=chunk["company"])
    return replace(
        hit,
        passage=replace(hit.passage, ordinal=chunk["ordinal"], facts=facts),
        document=replace(hit.document, metadata=metadata),
    )


NEAREST = 3
"""Turns of other sessions that are recalled by what they are about."""
_SUMMARY = "summary"


def session_of(state: FinanceState) -> str:
    """The session that the state names; else the thread that the graph runs in."""
    return state.get("session_id") or str(get_config()["configurable"].get("thread_id", ""))


async def recall(state: FinanceState, services: Services) -> tuple[list[Recollection], str]:
    """The turns of this session, oldest first, and the summary of those before.

    What was said in another session is recalled only by a message that says nothing itself (“and the year before?”),
    which can only mean that. Who names no user has no memory beyond the session: it would be everybody's.
    """
    messages = state.get("messages") or []
    scope = scope_of(state, services)
    if messages or services.memory is None or scope.user is None or not leaves_open(state["current_query"]):
        return turns_of(messages), _summary(messages)
    return await services.memory.arecall(state["current_query"], scope, limit=NEAREST), ""


def history_of(turns: Sequence[Recollection], summary: str) -> History:
    return History(tuple(Turn(turn.question, turn.answer, turn.query) for turn in turns), summary)


def turns_of(messages: Sequence[dict[str, Any]]) -> list[Recollection]:
    """Questions with their answers, as far as they are not summarised."""
    said = [message for message in messages if message["role"] != _SUMMARY]
    return [
        Recollection(asked["content"], asked["question"], answered["content"], tuple(asked["companies"]))
        for asked, answered in zip(said[::2], said[1::2], strict=True)
    ]


def with_turn(messages: Sequence[dict[str, Any]], turn: Recollection) -> list[dict[str, Any]]:
    """The messages with one more turn; once they are many, a summary and the newest of them."""
    asked = {"role": "user", "content": turn.query, "question": turn.question, "companies": list(turn.companies)}
    grown = [*messages, asked, {"role": "assistant", "content": turn.answer}]
    if len(grown) <= MOST_MESSAGES:
        return grown
    old, newest = grown[: -2 * NEWEST_TURNS], grown[-2 * NEWEST_TURNS :]
    history = history_of(turns_of(old), _summary(old))
    return [{"role": _SUMMARY, "content": recap(history.earlier, history.turns)}, *newest]


def _summary(messages: Sequence[dict[str, Any]]) -> str:
    return "\n".join(message["content"] for message in messages if message["role"] == _SUMMARY)
