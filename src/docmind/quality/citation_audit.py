"""The audit as the strategy workflow hands it on: what its critic found wrong with citing, as plain data."""

from typing import TypedDict

from docmind.domain.verdicts import Audit, AuditedClaim, ClaimStatus

_UNFAITHFUL = (ClaimStatus.UNSUPPORTED, ClaimStatus.CONTRADICTED)


class CitationAudit(TypedDict):
    """`metrics["last_citation_audit"]`."""

    total_claims: int
    supported_claims: int
    invalid_citations: list[str]
    """What was cited and does not exist, as written."""
    uncited_sentences: list[str]
    misattributed: list[str]
    contradicted: list[str]
    unsupported: list[str]
    hallucination: bool
    """Whether something is said that the evidence does not bear out."""


def citation_audit(audit: Audit) -> CitationAudit:
    return {
        "total_claims": len(audit.claims),
        "supported_claims": len(audit.with_status(ClaimStatus.SUPPORTED)),
        "invalid_citations": list(dict.fromkeys(cited.marker.target for cited in audit.invalid_citations)),
        "uncited_sentences": _texts(audit.with_status(ClaimStatus.UNCITED)),
        "misattributed": _texts(audit.with_status(ClaimStatus.MISATTRIBUTED)),
        "contradicted": _texts(audit.with_status(ClaimStatus.CONTRADICTED)),
        "unsupported": _texts(audit.with_status(ClaimStatus.UNSUPPORTED)),
        "hallucination": any(claim.grounding.status in _UNFAITHFUL for claim in audit.claims),
    }


def _texts(claims: tuple[AuditedClaim, ...]) -> list[str]:
    return [audited.claim.text for audited in claims]
