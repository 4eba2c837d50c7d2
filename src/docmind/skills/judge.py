"""The skill that judges a draft by its passages: by the checking core, and a chat model's opinion if there is one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Annotated, NamedTuple

from pydantic import BaseModel, Field

from docmind.domain.documents import Passage
from docmind.domain.verdicts import Audit, AuditedClaim, ClaimStatus
from docmind.models.chat.model import ChatModel, Message
from docmind.models.structured import Failure, ask
from docmind.quality.audit import ASSERT_NOTHING, audit, confidence, probability
from docmind.quality.grounding import Grounder
from docmind.quality.grounding.evidence import written
from docmind.quality.sentences import split
from docmind.skills.prompts import instructions, room

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


LONGEST_PASSAGE = 2_000
"""Characters of a passage that a judging model is shown."""
_MOST_COPIED = 2
_COPIED_LENGTHS = 30, 200
"""Characters of such a sentence, least and most."""


class Copied(NamedTuple):
    text: str
    passage: Passage


def copied_sentences(passages: Sequence[Passage], claims: Sequence[AuditedClaim]) -> list[Copied]:
    """Sentences that the passages have and the claims do not."""
    known = {written(one.claim.text) for one in claims}
    sentences = (Copied(one.text, passage) for passage in passages for one in split(passage.text[:LONGEST_PASSAGE]))
    plain = (
        one for one in sentences if _COPIED_LENGTHS[0] <= len(one.text) <= _COPIED_LENGTHS[1] and "\n" not in one.text
    )
    return list(islice((one for one in plain if written(one.text) not in known), _MOST_COPIED))


def not_believed(name: str) -> str:
    """What is said of a judge that called one of them wrong."""
    return f"Only the local checks judged it: {name} calls a sentence of the passages wrong."


FOR, AGAINST = 2.35, 10.0
"""By how much a chat model's word multiplies the odds of a claim, and by how much it divides them: the word of a judge
that condemns 60% of the wrong claims and 6% of the right ones (docs/decisions/second-opinion.md)."""
_SUREST = 0.97
"""What the local checks say beyond that is taken for no more: of the claims they are so sure of, one or two in
a hundred are wrong, and the word of a model that names the wrong words must be able to tell these."""
UNLIKELY_ANSWER = "The draft is not likely to answer the question."

_Listed = tuple[str, AuditedClaim | None]
"""A claim that is put to the judge, or a sentence of the passages."""


class Finding(BaseModel):
    """A claim that the passages do not bear out."""

    claim: Annotated[int, Field(description="The number of the claim.")]
    words: Annotated[str, Field(description="The words of the claim that are wrong, copied from it.")]
    reason: Annotated[str, Field(description="What the passages say instead, in one sentence.")]


class Findings(BaseModel):
    """What a check of claims found."""

    not_borne_out: Annotated[list[Finding], Field(description="The claims that are wrong; empty if none is.")]


class Opinion(NamedTuple):
    """The judgement after a second opinion; why there was none, where the model gave none that can be used."""

    judgement: Judgement
    note: str = ""
    approved: bool = False
    """Whether a model was heard, and found nothing wrong."""

    def confidence(self, draft: float | None) -> float:
        """That the answer is right; `draft` is what its draft said of that."""
        likely = answer_confidence(draft, self.judgement)
        return likely if draft is None or not self.approved else _times(FOR, likely)

    def refusal(self, draft: float | None) -> str:
        """Why an answer that is borne out does not go out all the same, where it does not."""
        return UNLIKELY_ANSWER if self.confidence(draft) < UNLIKELY and not self.judgement.hallucinated else ""


async def judge_by_both(
    draft: str, passages: Sequence[Passage], grounder: Grounder, chat: ChatModel | None, *, asked: str = ""
) -> Opinion:
    """The judgement of the local checks, and of a chat model where there is one."""
    local = judge(draft, passages, grounder, asked=asked)
    return Opinion(local) if chat is None else await second_opinion(local, passages, chat)


async def second_opinion(first: Judgement, passages: Sequence[Passage], chat: ChatModel) -> Opinion:
    """The judgement of the local checks, with what the chat model says of every claim that code is not certain of."""
    asked = open_claims(first)
    if not asked:
        return Opinion(first)
    shown = _shown(asked, passages)
    listed = _listed(asked, copied_sentences(shown, asked))
    said = await ask(chat, prompt([text for text, _ in listed], shown), Findings, room=room("check_claims"))
    if isinstance(said, Failure):
        return Opinion(first, f"Only the local checks judged it. {said.reason}")
    wrong = {}
    for finding in said.not_borne_out:
        about = _about(finding, listed)
        if about is None:
            continue
        if about[1] is None:
            return Opinion(first, not_believed(chat.name))
        wrong[about[1]] = f"“{finding.words.strip()}” is not borne out: {finding.reason.strip()}"
    return Opinion(weighed(first, wrong, chat.name), approved=not wrong)


def open_claims(judgement: Judgement) -> list[AuditedClaim]:
    """The claims that a second opinion is of use for: those that assert something, and that code did not decide."""
    return [
        one
        for one in judgement.audit.claims
        if one.claim.exemption not in ASSERT_NOTHING
        and not one.grounding.certain
        and one.status is not ClaimStatus.FABRICATED
    ]


def weighed(first: Judgement, wrong: Mapping[AuditedClaim, str], name: str) -> Judgement:
    """A judgement with the word of a chat model on its open claims: `wrong` says what is not borne out and why."""
    asked = frozenset(open_claims(first))
    claims = tuple(_weighed(one, wrong.get(one), name) if one in asked else one for one in first.audit.claims)
    return judgement_of(Audit(claims, confidence(claims)))


def _listed(claims: Sequence[AuditedClaim], copied: Sequence[Copied]) -> list[_Listed]:
    """What is put to the judge, in order. The first is copied: small models condemn that, whatever it says."""
    own: list[_Listed] = [(one.claim.text, one) for one in claims]
    known: list[_Listed] = [(one.text, None) for one in copied]
    return [*known[:1], *own, *known[1:]]


def _about(finding: Finding, listed: Sequence[_Listed]) -> _Listed | None:
    """What a finding speaks of, by the words that it copied, where the number misleads; None where by neither."""
    words = written(finding.words)
    having = [one for one in listed if words and words in written(one[0])]
    numbered = listed[finding.claim - 1] if 1 <= finding.claim <= len(listed) else None
    claims = [one for one in having if one[1] is not None]
    return numbered if numbered in having else claims[0] if len(claims) == 1 else None


def prompt(claims: Sequence[str], passages: Sequence[Passage]) -> list[Message]:
    """What a chat model is told."""
    evidence = "\n\n".join(passage.text[:LONGEST_PASSAGE] for passage in passages)
    listed = "\n".join(f"{number}. {claim}" for number, claim in enumerate(claims, start=1))
    return [
        Message("system", instructions("check_claims")),
        Message.user(f"Passages:\n\n{evidence}", f"Claims:\n{listed}"),
    ]


def _shown(claims: Sequence[AuditedClaim], passages: Sequence[Passage]) -> list[Passage]:
    """The passages the claims rest on: those they cite, or that were found to speak of them."""
    cited = {passage.id for one in claims for citation in one.citations for passage in citation.passages}
    found = {quote.passage.id for one in claims for quote in one.grounding.quotes}
    return [passage for passage in passages if passage.id in cited | found]


def _weighed(one: AuditedClaim, wrong: str | None, name: str) -> AuditedClaim:
    local = one.grounding
    likely = min(local.probability, _SUREST)
    grounding = replace(local, probability=_times(FOR if wrong is None else 1 / AGAINST, likely))
    if grounding.probability > local.needed:
        found = replace(grounding, status=ClaimStatus.SUPPORTED, unsupported=())
        is_news = local.status is not found.status or one.status is ClaimStatus.MISATTRIBUTED
        reason = f"{name} finds that the evidence says so." if is_news else one.reason
        return replace(one, status=_unless_uncited(one, found.status), reason=reason, grounding=found, unsupported=())
    reason = one.reason if wrong is None else f"{name}: {wrong}"
    if local.status is not ClaimStatus.SUPPORTED:
        return replace(one, reason=reason, grounding=grounding)
    found = replace(grounding, status=ClaimStatus.UNSUPPORTED)
    return replace(one, status=_unless_uncited(one, found.status), reason=reason, grounding=found)


def _times(factor: float, probability: float) -> float:
    """A probability whose odds are multiplied."""
    return factor * probability / (factor * probability + 1 - probability)


def _unless_uncited(one: AuditedClaim, status: ClaimStatus) -> ClaimStatus:
    return one.status if one.status is ClaimStatus.UNCITED else status
