"""Judges a draft by the passages it was written from: the checking core, with no chat model in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from docmind.domain.documents import Passage
from docmind.domain.verdicts import Audit, AuditedClaim, ClaimStatus
from docmind.quality.audit import ASSERT_NOTHING, audit
from docmind.quality.confidence import probability
from docmind.quality.grounding import Grounder

UNLIKELY = 0.2
"""An answer that is less likely right does not go out. Of the answers of a small chat model to tuning questions that
had passed every check, this leaves out hardly a right one and most of the wrong ones (`scripts/fit_drafts.py`)."""
_INVENTED = frozenset({
    ClaimStatus.UNSUPPORTED, ClaimStatus.CONTRADICTED, ClaimStatus.FABRICATED, ClaimStatus.MISATTRIBUTED,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of a draft."""

    audit: Audit
    hallucinated: tuple[AuditedClaim, ...]
    """The claims that the passages do not bear out, or not where they are cited."""
    reasoning: str

    @property
    def useful(self) -> frozenset[str]:
        """Ids of the passages that speak of some claim, whether they bear it out or say otherwise."""
        return frozenset(quote.passage.id for one in self.audit.claims for quote in one.grounding.quotes)

    def claims(self) -> list[dict[str, object]]:
        """The claims as plain data."""
        return [_plain(one) for one in self.audit.claims if one.claim.exemption not in ASSERT_NOTHING]


def judge(draft: str, passages: Sequence[Passage], grounder: Grounder, *, asked: str = "") -> Judgement:
    return judgement_of(audit(draft, passages, grounder, asked=asked))


def judgement_of(found: Audit) -> Judgement:
    wrong = tuple(one for one in found.claims if is_invented(one))
    return Judgement(found, wrong, _reasoning(found, wrong))


def answer_confidence(draft: float | None, judgement: Judgement) -> float:
    """That an answer is right: as its draft says of itself, or else as far as its claims are supported."""
    return judgement.audit.confidence if draft is None else draft


def is_invented(one: AuditedClaim) -> bool:
    """Whether a claim is not borne out, or not where it is cited."""
    if one.claim.exemption in ASSERT_NOTHING:
        return False
    # A claim that cites nothing is judged by all passages; that it does not cite is no invention.
    return (one.grounding.status if one.status is ClaimStatus.UNCITED else one.status) in _INVENTED


def _reasoning(found: Audit, wrong: Sequence[AuditedClaim]) -> str:
    if not found.claims:
        return "The draft asserts nothing."
    if not wrong:
        return f"Every claim is supported by its passages ({len(found.claims)} checked)."
    told = " ".join(f"“{one.claim.text}” {one.reason}" for one in wrong[:3])
    return f"{len(wrong)} of {len(found.claims)} claims are not supported: {told}"


def _plain(one: AuditedClaim) -> dict[str, object]:
    quote = one.grounding.quotes[0] if one.grounding.quotes else None
    return {
        "text": one.claim.text,
        "start": one.claim.span.start,
        "end": one.claim.span.end,
        "kind": one.claim.kind.value,
        "status": _status(one),
        "finding": one.status.value,
        "reason": one.reason,
        "citations": [marker.target for marker in one.claim.citations],
        "confidence_score": round(probability(one), 4),
        "quote": quote.text if quote else None,
        "quote_start": quote.span.start if quote else None,
        "quote_end": quote.span.end if quote else None,
        "passage_id": quote.passage.id if quote else None,
    }


def _status(one: AuditedClaim) -> str:
    """Supported, unsupported or contradicted; the finding says in what way."""
    if not is_invented(one):
        return ClaimStatus.SUPPORTED.value
    contradicted = ClaimStatus.CONTRADICTED in (one.status, one.grounding.status)
    return ClaimStatus.CONTRADICTED.value if contradicted else ClaimStatus.UNSUPPORTED.value
