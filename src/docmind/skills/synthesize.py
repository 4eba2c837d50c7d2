"""Writes a strategic answer from many passages: by a chat model if there is one, in the documents' own words if not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docmind.domain.errors import BudgetExhausted, ModelError
from docmind.domain.limits import StrategyLimits
from docmind.domain.search import Hit
from docmind.models.chat.meter import MeteredChat
from docmind.models.chat.model import Message
from docmind.quality.grounding import Grounder
from docmind.skills.disputes import Settlement, heeds, rejected, told
from docmind.skills.drafting import (
    Listener,
    answers_something_else,
    cut_short,
    probability_right,
    whole_sentences,
    write_reply,
)
from docmind.skills.extract.briefing import brief, cite_by_id, tell_all
from docmind.skills.extract.statement_scorer import StatementScorer
from docmind.skills.extract.statements import Statement, read_statements
from docmind.skills.prompts import instructions, room
from docmind.skills.survey import surveys, topic
from docmind.skills.vetting import vetted


@dataclass(frozen=True, slots=True)
class Context:
    """What a writer is shown."""

    passages: tuple[tuple[Hit, str], ...]
    """Each with what is left of its text."""
    ratio: float
    """The share of the text that is left."""


def compress(question: str, hits: Sequence[Hit], scorer: StatementScorer, *, most_chars: int, whole: int) -> Context:
    """The evidence within `most_chars`, or the `whole` best passages where these alone are longer."""
    total = sum(len(hit.passage.text) for hit in hits)
    if total <= most_chars:
        return Context(tuple((hit, hit.passage.text) for hit in hits), 1.0)
    ranked = sorted(hits, key=lambda hit: -hit.relevance_score)
    kept = {hit.passage.id for hit in ranked[:whole]}
    left = most_chars - sum(len(hit.passage.text) for hit in ranked[:whole])
    excerpts = _excerpts(question, [hit for hit in hits if hit.passage.id not in kept], scorer, left)
    texts = ((hit, hit.passage.text if hit.passage.id in kept else excerpts.get(hit.passage.id, "")) for hit in hits)
    passages = tuple((hit, text) for hit, text in texts if text)
    return Context(passages, round(sum(len(text) for _, text in passages) / total, 4))


def _excerpts(question: str, hits: Sequence[Hit], scorer: StatementScorer, left: int) -> dict[str, str]:
    """The statements most likely to answer that fit into what is left, by passage, in the order they were written."""
    statements = read_statements(hits)
    scores = scorer.read(question, statements).scores
    chosen: set[Statement] = set()
    for statement in sorted(statements, key=lambda one: -scores[one]):
        if len(statement.text) < left:
            chosen.add(statement)
            left -= len(statement.text) + 1
    found: dict[str, list[str]] = {}
    for statement in statements:
        if statement in chosen:
            found.setdefault(statement.hit.passage.id, []).append(statement.text)
    return {passage: "\n".join(texts) for passage, texts in found.items()}


_MOST_TOLD = 8
"""Faults of an earlier draft that a writer is told of."""


@dataclass(frozen=True, slots=True)
class Synthesis:
    """A draft, and what the trace should say of how it came about."""

    text: str
    ratio: float = 1.0
    """The share of the evidence's text that the writer was shown."""
    note: str = ""
    confidence: float | None = None
    """That it is right, where it is quoted; what a model wrote is as sure as its claims are supported, unless it
    answers something else."""


async def synthesize(
    question: str,
    parts: Sequence[str],
    hits: Sequence[Hit],
    grounder: Grounder,
    scorer: StatementScorer,
    limits: StrategyLimits,
    chat: MeteredChat | None = None,
    *,
    critique: Mapping[str, Any] | None = None,
    settlements: Sequence[Settlement] = (),
    tell: Listener,
) -> Synthesis:
    """Answer from the hits. `critique` is what was wrong with an earlier draft, `settlements` what a person decided."""
    note = ""
    if chat is not None:
        context = compress(question, hits, scorer, most_chars=limits.context_chars, whole=limits.whole_passages)
        try:
            reply = await write_reply(
                chat.answering(), prompt(question, context, critique, settlements), tell, room("board_answer")
            )
        except (ModelError, BudgetExhausted) as error:
            note = f"The answer is quoted from the documents. {error}"
        else:
            whole = whole_sentences(reply.text, truncated=reply.truncated)
            text = vetted(whole, (hit.passage.indexed_text for hit in hits), asked=question)
            if text and heeds(text, settlements):
                text = cite_by_id(text, hits)
                beside = answers_something_else(question, text, hits, scorer)
                likely = probability_right(question, text, hits, scorer) if beside else None
                return Synthesis(text, context.ratio, cut_short(reply, chat.name), likely)
            did = "stated what a person decided against" if text else "said nothing"
            note = f"The answer is quoted from the documents. {chat.name} {did}."
    if surveys(question):
        quoted = tell_all(question, topic(question), hits, grounder, scorer, rejected(settlements))
    else:
        quoted = brief(parts, hits, grounder, scorer, rejected(settlements))
    tell(quoted.text, fresh=True)
    return Synthesis(quoted.text, note=note, confidence=quoted.confidence)


def prompt(
    question: str,
    context: Context,
    critique: Mapping[str, Any] | None = None,
    settlements: Sequence[Settlement] = (),
) -> list[Message]:
    """What a chat model is told."""
    listed = "\n\n".join(
        f"[{hit.passage.id}] {hit.document.title}{_below(hit)}\n{text}" for hit, text in context.passages
    )
    example = context.passages[0][0].passage.id if context.passages else "id"
    shown, asked = (
        f"Passages, each to be cited by its id in square brackets, like [{example}].\n\n{listed}",
        [f"Question: {question}"],
    )
    if critique:
        asked.append(_corrections(critique))
    asked += [f"{told(settled)} State only what was preferred." for settled in settlements]
    return [Message("system", instructions("board_answer")), Message.user(shown, "\n\n".join(asked))]


def _below(hit: Hit) -> str:
    return f" > {' > '.join(hit.passage.heading[1:])}" if hit.passage.heading[1:] else ""


def _corrections(critique: Mapping[str, Any]) -> str:
    faults = {
        "Unsupported claims": critique["unsupported_claims"],
        "Logical gaps": critique["logical_gaps"],
        "Citations that lead nowhere": critique["invalid_citations"],
        "Sentences without a citation": critique["uncited_sentences"],
    }
    lines = [f"- {name}: {'; '.join(found[:_MOST_TOLD])}" for name, found in faults.items() if found]
    return "\n".join((f"Correct these issues:\n- Hallucination: {critique['hallucination_detected']}", *lines))
