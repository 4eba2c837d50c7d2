"""Scores a draft for the people who read it. Hard clamps keep the scores from being kinder than the citation audit."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple, TypedDict

from pydantic import BaseModel, ConfigDict, Field

from docmind.domain.limits import StrategyLimits
from docmind.models.chat.model import ChatModel, Message
from docmind.models.structured import Failure, ask
from docmind.quality.audit import CitationAudit
from docmind.skills.prompts import instructions, room

_LONGEST_PASSAGE = 2_000

Score = Annotated[float, Field(ge=0, le=1)]


class Scores(BaseModel):
    """Four scores of an answer."""

    model_config = ConfigDict(frozen=True)

    faithfulness: Score
    relevance: Score
    completeness: Score
    reasoning_quality: Score


class Evaluation(TypedDict):
    """`metrics["evaluation"]`."""

    faithfulness: float
    relevance: float
    completeness: float
    reasoning_quality: float
    overall: float
    clamps: list[str]
    """Which scores were held down and why, as sentences."""
    scored_by: str
    """The judging model, or `code`."""


class Evaluated(NamedTuple):
    evaluation: Evaluation
    note: str = ""


async def evaluate(
    question: str,
    answer: str,
    evidence: Sequence[str],
    local: Scores,
    audit: CitationAudit,
    limits: StrategyLimits,
    chat: ChatModel | None = None,
    *,
    hallucinated: bool = False,
) -> Evaluated:
    """The scores of a judging model, or the `local` ones without it, clamped by what the audit found."""
    scores, scored_by, note = local, "code", ""
    if chat is not None:
        said = await ask(chat, prompt(question, answer, evidence, audit), Scores, room=room("evaluate"))
        if isinstance(said, Failure):
            note = f"The scores are those of the local checks. {said.reason}"
        else:
            scores, scored_by = said, chat.name
    faithfulness, clamps = _clamped(scores.faithfulness, audit, limits, hallucinated=hallucinated)
    overall = (
        limits.faithfulness_weight * faithfulness
        + limits.relevance_weight * scores.relevance
        + limits.completeness_weight * scores.completeness
        + limits.reasoning_weight * scores.reasoning_quality
    )
    evaluation: Evaluation = {
        "faithfulness": round(faithfulness, 4),
        "relevance": round(scores.relevance, 4),
        "completeness": round(scores.completeness, 4),
        "reasoning_quality": round(scores.reasoning_quality, 4),
        "overall": round(overall, 4),
        "clamps": clamps,
        "scored_by": scored_by,
    }
    return Evaluated(evaluation, note)


def local_scores(
    audit: CitationAudit, support: Sequence[float], bearings: Sequence[float], *, parts: int, gaps: int
) -> Scores:
    """The embedded way: by how well claims are borne out, how much their sources bear on the question, what is open."""
    claims = max(1, audit["total_claims"])
    return Scores(
        faithfulness=_mean(support),
        relevance=_mean(bearings),
        completeness=max(0.0, 1 - gaps / max(1, parts)) if support else 0.0,
        reasoning_quality=audit["supported_claims"] / claims if support else 0.0,
    )


def prompt(question: str, answer: str, evidence: Sequence[str], audit: CitationAudit) -> list[Message]:
    """What a judging model is told."""
    passages = "\n\n".join(text[:_LONGEST_PASSAGE] for text in evidence)
    found = (
        f"{audit['supported_claims']} of {audit['total_claims']} claims are borne out by what they cite, "
        f"{len(audit['uncited_sentences'])} cite nothing, {len(audit['invalid_citations'])} citations lead nowhere."
    )
    asked = f"Question: {question}\n\nAnswer:\n{answer}\n\nAudit of its citations: {found}"
    return [Message("system", instructions("evaluate")), Message.user(f"Evidence:\n\n{passages}", asked)]


def _clamped(
    faithfulness: float, audit: CitationAudit, limits: StrategyLimits, *, hallucinated: bool
) -> tuple[float, list[str]]:
    """Faithfulness held down where the audit knows better, and why."""
    uncited = len(audit["uncited_sentences"])
    if hallucinated or audit["hallucination"] or audit["invalid_citations"]:
        most = limits.invented_clamp
        why = "something is said that the evidence does not bear out"
        if not (hallucinated or audit["hallucination"]):
            why = "a citation leads nowhere"
    elif uncited >= limits.mostly_uncited_clamp_from:
        most, why = limits.mostly_uncited_clamp, f"{uncited} sentences cite nothing"
    elif uncited >= limits.uncited_clamp_from:
        most, why = limits.uncited_clamp, f"{uncited} sentences cite nothing"
    else:
        return faithfulness, []
    if faithfulness <= most:
        return faithfulness, []
    return most, [f"Faithfulness was held at {most:.2f} instead of {faithfulness:.2f}, because {why}."]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
