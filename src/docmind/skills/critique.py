"""Finds what is wrong with a draft: by the checking core, then by a judging model if there is one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Annotated, Any, TypedDict

from pydantic import BaseModel, Field

from docmind.domain.documents import Passage
from docmind.domain.limits import StrategyLimits
from docmind.domain.verdicts import Audit, AuditedClaim, Exemption
from docmind.models.chat.model import ChatModel, Message
from docmind.models.structured import Failure, ask
from docmind.quality.audit import ASSERT_NOTHING, CitationAudit, citation_audit, probability
from docmind.quality.grounding import Grounder
from docmind.quality.grounding.evidence import written
from docmind.skills.judge import (
    LONGEST_PASSAGE,
    Copied,
    Judgement,
    copied_sentences,
    judge,
    not_believed,
    open_claims,
    weighed,
)
from docmind.skills.prompts import instructions, room

_OPEN = 0.5
"""What is left of the confidence where a draft answers no part of the question, however faithful it is."""
_DISBELIEVED = 0.5
"""Below this confidence a model that names no wrong claim is taken to doubt them all."""
_QUOTED = re.compile(r"“([^“”]{3,300}+)”")


class SemanticAudit(BaseModel):
    """What a judging model found."""

    confidence: Annotated[float, Field(ge=0, le=1, description="How far the answer can be relied on.")]
    hallucination_detected: Annotated[bool, Field(description="Whether it says what the passages do not.")]
    unsupported_claims: Annotated[list[str], Field(description="Sentences that are not borne out.")] = []
    logical_gaps: Annotated[list[str], Field(description="What is asked and left open.")] = []


class Critique(TypedDict):
    """`state["critique"]`."""

    confidence: float
    hallucination_detected: bool
    unsupported_claims: list[str]
    logical_gaps: list[str]
    """What the question asks and the draft leaves open."""
    invalid_citations: list[str]
    uncited_sentences: list[str]
    needs_retry: bool
    penalties: list[str]
    """What lowered the confidence, as sentences."""


@dataclass(frozen=True, slots=True)
class Criticised:
    """A critique, with what it rests on."""

    critique: Critique
    audit: CitationAudit
    claims: list[dict[str, Any]]
    note: str = ""
    only_quotes: bool = False
    """Whether code is certain that every claim is borne out."""


async def criticise(
    question: str,
    draft: str,
    passages: Sequence[Passage],
    grounder: Grounder,
    limits: StrategyLimits,
    chat: ChatModel | None = None,
    *,
    parts: Sequence[str] = (),
    ratio: float = 1.0,
    look_again: bool = True,
) -> Criticised:
    """What is wrong with the draft; `parts` are the sub-questions, `ratio` the share of the evidence its writer saw.

    `look_again` says whether a gap is worth another search: one that stayed when more was searched is told instead.
    """
    local = judge(draft, passages, grounder, asked=question)
    only_quotes = _only_quotes(local)
    asked = None if only_quotes and not limits.judge_quotes else chat
    said, note = await _second_look(question, draft, passages, local, asked)
    named, unmatched = _named(said, local)
    judged = weighed(local, _condemned(said, named, open_claims(local)), chat.name) if said and chat else local
    audit = citation_audit(judged.audit)
    asserting = [one for one in judged.audit.claims if one.claim.exemption not in ASSERT_NOTHING]
    hedged = _hedged(judged.audit)
    covered = 1 - _OPEN * sum(part in hedged for part in parts) / max(1, len(parts))
    likely = fmean(map(probability, asserting)) * covered if asserting else 0.0
    if said:
        # The critic's own word, unless claims are left that are not borne out.
        likely = min(likely, said.confidence) if judged.hallucinated or not likely else said.confidence
    confidence, penalties = _penalised(likely, audit, limits)
    if covered < 1:
        penalties.insert(0, f"Part of the question is left open: confidence lowered by {1 - covered:.0%}.")
    gaps = [*hedged, *(said.logical_gaps if said else ())]
    if lost := ratio < limits.least_kept:
        gaps.append(f"Only {ratio:.0%} of the evidence fitted into the prompt.")
    critique: Critique = {
        "confidence": round(confidence, 4),
        "hallucination_detected": audit["hallucination"] or bool(said and said.hallucination_detected and not named),
        "unsupported_claims": _each_once([*(one.claim.text for one in judged.hallucinated), *unmatched]),
        "logical_gaps": _each_once(gaps),
        "invalid_citations": audit["invalid_citations"],
        "uncited_sentences": audit["uncited_sentences"],
        "needs_retry": lost
        or not asserting
        or len(audit["uncited_sentences"]) >= limits.uncited_for_retry
        or bool(gaps and look_again),
        "penalties": penalties,
    }
    return Criticised(critique, audit, judged.claims(), note, only_quotes)


def _only_quotes(local: Judgement) -> bool:
    asserts = any(one.claim.exemption not in ASSERT_NOTHING for one in local.audit.claims)
    return asserts and not local.hallucinated and not open_claims(local)


async def _second_look(
    question: str, draft: str, passages: Sequence[Passage], local: Judgement, chat: ChatModel | None
) -> tuple[SemanticAudit | None, str]:
    """What a judging model says, if there is one and it is of use; else why it is not."""
    if chat is None:
        return None, ""
    claims = local.audit.claims
    copied = copied_sentences([one for one in passages if one.id in local.useful], claims)
    # What the draft rests on is cut last.
    shown = sorted(passages, key=lambda one: one.id not in local.useful)
    said = await ask(chat, prompt(question, draft, shown, copied), SemanticAudit, room=room("audit"))
    if isinstance(said, Failure):
        return None, f"Only the local checks judged it. {said.reason}"
    if any(_is_of(text, copied, claims) for text in said.unsupported_claims):
        return None, not_believed(chat.name)
    return said, ""


def _named(said: SemanticAudit | None, local: Judgement) -> tuple[list[AuditedClaim], list[str]]:
    """The claims of the draft that the model says are not borne out, and what it names besides."""
    texts = said.unsupported_claims if said else []
    named = [one for one in local.audit.claims if any(_same(text, one) for text in texts)]
    return named, [text for text in texts if not any(_same(text, one) for one in named)]


def _condemned(
    said: SemanticAudit, named: Sequence[AuditedClaim], claims: Sequence[AuditedClaim]
) -> dict[AuditedClaim, str]:
    """The claims that the model does not believe: those it names, or all where it names none and believes nothing."""
    doubts_all = not named and (said.hallucination_detected or said.confidence < _DISBELIEVED)
    return dict.fromkeys(claims if doubts_all else named, "the passages do not say so.")


def _same(text: str, one: AuditedClaim) -> bool:
    """Whether a sentence that a model copied from the answer, more or less, is this claim."""
    copied, claim = written(text), written(one.claim.text)
    return bool(copied) and (copied in claim or claim in copied)


def _is_of(text: str, copied: Sequence[Copied], claims: Sequence[AuditedClaim]) -> bool:
    """Whether a sentence that a model names is one that was copied from the passages, and not one of the draft."""
    named = written(text)
    forms = [written(form) for one in copied for form in (one.text, _cited(one))]
    if named in forms or not named:
        return bool(named)
    in_draft = any(_same(text, claim) for claim in claims)
    return not in_draft and any(form in named or named in form for form in forms)


def prompt(question: str, draft: str, passages: Sequence[Passage], copied: Sequence[Copied] = ()) -> list[Message]:
    """What a judging model is told. The answer begins and ends with a sentence that is copied from the passages."""
    evidence = "\n\n".join(f"[{passage.id}]\n{passage.text[:LONGEST_PASSAGE]}" for passage in passages)
    known = [_cited(one) for one in copied]
    answer = "\n".join((*known[:1], draft, *known[1:]))
    return [
        Message("system", instructions("audit")),
        Message.user(f"Passages:\n\n{evidence}", f"Question: {question}\n\nAnswer:\n{answer}"),
    ]


def _cited(one: Copied) -> str:
    return f"{one.text} [{one.passage.id}]"


def _penalised(confidence: float, audit: CitationAudit, limits: StrategyLimits) -> tuple[float, list[str]]:
    """The confidence less what careless citing takes off it, and why."""
    penalties = []
    uncited = len(audit["uncited_sentences"])
    if uncited:
        share = min(limits.most_uncited_penalty, limits.uncited_penalty * uncited)
        confidence *= 1 - share
        sentences = "1 sentence cites" if uncited == 1 else f"{uncited} sentences cite"
        penalties.append(f"{sentences} nothing: confidence lowered by {share:.0%}.")
    if invalid := audit["invalid_citations"]:
        confidence *= limits.invalid_citation_factor
        lead = "1 citation leads" if len(invalid) == 1 else f"{len(invalid)} citations lead"
        penalties.append(f"{lead} nowhere: confidence multiplied by {limits.invalid_citation_factor:g}.")
    return confidence, penalties


def _hedged(audit: Audit) -> list[str]:
    """What the draft says the evidence lacks; a question that it quotes is what can be searched for."""
    hedges = (one.claim.text for one in audit.claims if one.claim.exemption is Exemption.HEDGE)
    return [quoted[1] if (quoted := _QUOTED.search(hedge)) else hedge for hedge in hedges]


def _each_once(texts: Sequence[str]) -> list[str]:
    """Those that say something: each may be searched for, and a model may well return a blank."""
    return list(dict.fromkeys(text.strip() for text in texts if any(map(str.isalnum, text))))
