"""The audit of an answer: every claim checked against what it cites, and where that fails against all there is."""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from docmind.domain.documents import Document, Passage, Span
from docmind.domain.verdicts import Audit, AuditedClaim, Claim, ClaimStatus, Exemption, Grounding, ResolvedCitation
from docmind.quality.citations import resolve
from docmind.quality.claims import claims, places
from docmind.quality.grounding import Check, Grounder
from docmind.quality.grounding.evidence import written
from docmind.quality.grounding.worked_out import stated_result
from docmind.quality.quantities import Computed

_FABRICATED = 0.5
"""What a claim is trusted at most that cites what does not exist, whatever the evidence says of it."""
_FURTHER_CLAIMS = 0.25
"""How much a claim counts beside the weakest: what is wrong with one claim of an answer tends to be wrong with others
too, so that their probabilities must not be multiplied as if each stood alone."""


def confidence(claims: Sequence[AuditedClaim]) -> float:
    """The probability that no claim is wrong, each being right with the probability of its grounding."""
    return combined([probability(claim) for claim in claims])


def combined(probabilities: Sequence[float]) -> float:
    """Of several claims the probability that all are right; an answer that claims nothing cannot be wrong."""
    weakest, *others = sorted(probabilities) or [1.0]
    return weakest * math.prod(others) ** _FURTHER_CLAIMS


def probability(audited: AuditedClaim) -> float:
    """That a claim is right: what its grounding gives it, less where it cites what does not exist."""
    if audited.status is ClaimStatus.FABRICATED:
        return min(_FABRICATED, audited.grounding.probability)
    return audited.grounding.probability


WORDED_BY_CODE = Grounding(ClaimStatus.SUPPORTED, 0.95, certain=True)
"""What a sentence is given that code made of the cells it cites."""
ASSERT_NOTHING = frozenset((Exemption.HEDGE, Exemption.META))


def audit(
    answer: str,
    passages: Sequence[Passage],
    grounder: Grounder,
    *,
    documents: Iterable[Document] = (),
    asked: str = "",
    computed: Sequence[Computed] = (),
    vouched_for: Collection[str] = (),
) -> Audit:
    """What becomes of each claim, given the passages in the order they were shown to whoever wrote the answer.

    `documents` are those the passages come from, for citations by title and page. `asked` is the question, the words of
    which may be said again without evidence. `computed` are numbers that were worked out, which are evidence because
    their operands are. `vouched_for` are sentences, as `written`, that code made of the cells they cite: the reader is
    not asked about them.
    """
    found = claims(answer)
    resolved = iter(resolve([marker for claim in found for marker in claim.citations], passages, documents))
    cited = [_Cited(claim, tuple(next(resolved) for _ in claim.citations)) for claim in found]
    open_to_doubt = [one for one in cited if written(one.claim.text) not in vouched_for]
    judged = {one.claim.span: one for one in _Auditor(passages, grounder, asked, computed).check(open_to_doubt)}
    checked = [judged.get(one.claim.span) or _audited(one, WORDED_BY_CODE) for one in cited]
    audited = tuple(replace(one, unsupported=_in_answer(answer, one)) for one in checked)
    return Audit(audited, confidence(audited))


def _in_answer(answer: str, audited: AuditedClaim) -> tuple[Span, ...]:
    """The unsupported words of a claim as places in the answer."""
    if not audited.grounding.unsupported:
        return ()
    at = places(answer, audited.claim)
    last = len(at) - 1
    return tuple(Span(at[min(s.start, last)], at[min(s.end - 1, last)] + 1) for s in audited.grounding.unsupported)


@dataclass(frozen=True, slots=True)
class _Cited:
    claim: Claim
    citations: tuple[ResolvedCitation, ...]

    @property
    def problems(self) -> str:
        """Why its citations lead nowhere, where they do."""
        return " ".join(dict.fromkeys(cited.reason for cited in self.citations if cited.problem))

    @property
    def passages(self) -> tuple[Passage, ...]:
        return tuple(dict.fromkeys(passage for one in self.citations for passage in one.passages))


class _Auditor:
    """Grounds the claims of an answer together: first by what each cites, then by the rest those that this leaves."""

    def __init__(
        self, passages: Sequence[Passage], grounder: Grounder, asked: str, computed: Sequence[Computed]
    ) -> None:
        self._passages = tuple(passages)
        self._grounder = grounder
        self._asked = asked
        self._computed = computed

    def check(self, claims: Sequence[_Cited]) -> list[AuditedClaim]:
        asserting = [one for one in claims if one.claim.exemption not in ASSERT_NOTHING]
        groundings = _with_results(asserting, self._ground([(one.claim, self._named(one)) for one in asserting]))
        found = {one.claim.span: _audited(one, grounding) for one, grounding in zip(asserting, groundings, strict=True)}
        failed = [one for one in asserting if one.citations and found[one.claim.span].status is ClaimStatus.UNSUPPORTED]
        elsewhere = self._ground([(one.claim, self._others(one)) for one in failed])
        for one, grounding in zip(failed, elsewhere, strict=True):
            found[one.claim.span] = _attributed(found[one.claim.span], grounding)
        return [found.get(one.claim.span) or _asserting_nothing(one) for one in claims]

    def _named(self, one: _Cited) -> tuple[Passage, ...]:
        """What the claim is to be borne out by: the passages it cites, or all where it cites none that exists."""
        return one.passages if one.citations and not one.problems else self._passages

    def _others(self, one: _Cited) -> tuple[Passage, ...]:
        cited = frozenset(one.passages)
        return tuple(passage for passage in self._passages if passage not in cited)

    def _ground(self, claims: Sequence[tuple[Claim, tuple[Passage, ...]]]) -> list[Grounding]:
        checks = [
            Check(claim.text, self._grounder.evidence(passages), f"{self._asked} {claim.lead}".strip())
            for claim, passages in claims
        ]
        return self._grounder.ground(checks, computed=self._computed)


def _with_results(claims: Sequence[_Cited], groundings: Sequence[Grounding]) -> list[Grounding]:
    """The groundings, where a bare result that another claim works out rests on what that one does."""
    results = {
        stated_result(one.claim.text): grounding
        for one, grounding in zip(claims, groundings, strict=True)
        if grounding.computed and grounding.status is ClaimStatus.SUPPORTED
    }
    return [
        grounding if one.citations else results.get(one.claim.text.strip("*_ "), grounding)
        for one, grounding in zip(claims, groundings, strict=True)
    ]


def _asserting_nothing(one: _Cited) -> AuditedClaim:
    reason = "It asserts nothing that evidence could be asked for."
    grounding = Grounding(ClaimStatus.SUPPORTED, 1.0)
    return AuditedClaim(one.claim, ClaimStatus.SUPPORTED, reason, grounding, one.citations)


def _audited(one: _Cited, grounding: Grounding) -> AuditedClaim:
    """What becomes of a claim, given what its evidence says of it."""
    if one.problems:
        return AuditedClaim(one.claim, ClaimStatus.FABRICATED, one.problems, grounding, one.citations)
    if not one.citations and one.claim.exemption is None:
        return AuditedClaim(one.claim, ClaimStatus.UNCITED, "It cites nothing.", grounding)
    return AuditedClaim(one.claim, grounding.status, _reason(grounding), grounding, one.citations)


def _attributed(audited: AuditedClaim, elsewhere: Grounding) -> AuditedClaim:
    """A claim that what it cites does not support, given what the other passages say of it."""
    if elsewhere.status is not ClaimStatus.SUPPORTED:
        return audited
    reason = "The passage it cites does not say so; another one does."
    found = tuple(dict.fromkeys(quote.passage for quote in elsewhere.quotes))
    return replace(audited, status=ClaimStatus.MISATTRIBUTED, reason=reason, found_in=found)


def _reason(grounding: Grounding) -> str:
    """The status of a grounding, as a sentence."""
    if grounding.status is ClaimStatus.CONTRADICTED:
        return f"The evidence says otherwise: “{grounding.quotes[0].text}”"
    if grounding.status is ClaimStatus.UNSUPPORTED:
        return "The evidence does not say so."
    return "The evidence says so."


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
