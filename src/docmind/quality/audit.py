"""The audit of an answer: every claim checked against what it cites, and where that fails against all there is."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from docmind.domain.documents import Document, Passage, Span
from docmind.domain.verdicts import Audit, AuditedClaim, Claim, ClaimStatus, Exemption, Grounding, ResolvedCitation
from docmind.quality.citations import resolve
from docmind.quality.claims import claims, places
from docmind.quality.confidence import confidence
from docmind.quality.grounding import Grounder
from docmind.quality.quantities import Computed

ASSERT_NOTHING = frozenset((Exemption.HEDGE, Exemption.META))


def audit(
    answer: str,
    passages: Sequence[Passage],
    grounder: Grounder,
    *,
    documents: Iterable[Document] = (),
    asked: str = "",
    computed: Sequence[Computed] = (),
) -> Audit:
    """What becomes of each claim, given the passages in the order they were shown to whoever wrote the answer.

    `documents` are those the passages come from, for citations by title and page. `asked` is the question, the words of
    which may be said again without evidence. `computed` are numbers that were worked out, which are evidence because
    their operands are.
    """
    found = claims(answer)
    resolved = iter(resolve([marker for claim in found for marker in claim.citations], passages, documents))
    auditor = _Auditor(passages, grounder, asked, computed)
    checked = (auditor.check(claim, tuple(next(resolved) for _ in claim.citations)) for claim in found)
    audited = tuple(replace(one, unsupported=_in_answer(answer, one)) for one in checked)
    return Audit(audited, confidence(audited))


def _in_answer(answer: str, audited: AuditedClaim) -> tuple[Span, ...]:
    """The unsupported words of a claim as places in the answer."""
    if not audited.grounding.unsupported:
        return ()
    at = places(answer, audited.claim)
    last = len(at) - 1
    return tuple(Span(at[min(s.start, last)], at[min(s.end - 1, last)] + 1) for s in audited.grounding.unsupported)


class _Auditor:
    def __init__(
        self, passages: Sequence[Passage], grounder: Grounder, asked: str, computed: Sequence[Computed]
    ) -> None:
        self._passages = tuple(passages)
        self._grounder = grounder
        self._asked = asked
        self._computed = computed

    def check(self, claim: Claim, citations: tuple[ResolvedCitation, ...]) -> AuditedClaim:
        if claim.exemption in ASSERT_NOTHING:
            reason = "It asserts nothing that evidence could be asked for."
            return AuditedClaim(claim, ClaimStatus.SUPPORTED, reason, Grounding(ClaimStatus.SUPPORTED, 1.0), citations)
        if any(cited.problem for cited in citations):
            reason = " ".join(dict.fromkeys(cited.reason for cited in citations if cited.problem))
            return AuditedClaim(claim, ClaimStatus.FABRICATED, reason, self._ground(claim, self._passages), citations)
        if not citations:
            return self._uncited(claim)
        return self._cited(claim, citations)

    def _uncited(self, claim: Claim) -> AuditedClaim:
        grounding = self._ground(claim, self._passages)
        if claim.exemption is not None:
            return AuditedClaim(claim, grounding.status, _reason(grounding), grounding)
        return AuditedClaim(claim, ClaimStatus.UNCITED, "It cites nothing.", grounding)

    def _cited(self, claim: Claim, citations: tuple[ResolvedCitation, ...]) -> AuditedClaim:
        cited = dict.fromkeys(passage for one in citations for passage in one.passages)
        grounding = self._ground(claim, tuple(cited))
        if grounding.status is not ClaimStatus.UNSUPPORTED:
            return AuditedClaim(claim, grounding.status, _reason(grounding), grounding, citations)
        elsewhere = self._ground(claim, tuple(passage for passage in self._passages if passage not in cited))
        if elsewhere.status is ClaimStatus.SUPPORTED:
            reason = "The passage it cites does not say so; another one does."
            found = tuple(dict.fromkeys(quote.passage for quote in elsewhere.quotes))
            return AuditedClaim(claim, ClaimStatus.MISATTRIBUTED, reason, grounding, citations, found)
        return AuditedClaim(claim, ClaimStatus.UNSUPPORTED, _reason(grounding), grounding, citations)

    def _ground(self, claim: Claim, passages: tuple[Passage, ...]) -> Grounding:
        evidence = self._grounder.evidence(passages)
        return self._grounder.ground(
            claim.text, evidence, asked=f"{self._asked} {claim.lead}".strip(), computed=self._computed
        )


def _reason(grounding: Grounding) -> str:
    """The status of a grounding, as a sentence."""
    if grounding.status is ClaimStatus.CONTRADICTED:
        return " ".join(one.reason for one in grounding.disagreements)
    if grounding.status is ClaimStatus.STITCHED:
        return "Its words stand in the evidence, but in different places that do not speak of one fact."
    if grounding.status is ClaimStatus.UNSUPPORTED:
        return "The evidence does not say so."
    return "The evidence says so."
