"""Gives a written answer the citations it lacks: a model that forgets them or miscounts need not be asked again."""

from collections.abc import Sequence

from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import AuditedClaim, ClaimStatus
from docmind.quality.audit import audit
from docmind.quality.claims import places
from docmind.quality.grounding import Grounder

_ENDS = '.!?…"”’) '


def cited(answer: str, passages: Sequence[Passage], grounder: Grounder, *, asked: str = "") -> str:
    """The answer, with claims that cite nothing, nowhere or the wrong place citing the passage that bears them out.

    What no passage bears out is left as it was written: that is for the judge to see.
    """
    numbers = {passage.id: number for number, passage in enumerate(passages, start=1)}
    edits: list[tuple[Span, str]] = []
    for one in audit(answer, passages, grounder, asked=asked).claims:
        if (source := _source(one)) is not None:
            edits += [(span, "") for span in _own_markers(answer, one)]
            end = _end(answer, one)
            edits.append((Span(end, end), f" [{numbers[source.id]}]"))
    for span, text in sorted(edits, key=lambda edit: edit[0].start, reverse=True):
        answer = answer[: span.start] + text + answer[span.end :]
    return answer


def _source(one: AuditedClaim) -> Passage | None:
    """The passage a claim should have cited, where it did not and there is one."""
    if one.claim.exemption is not None:
        return None
    if one.status is ClaimStatus.MISATTRIBUTED:
        return one.found_in[0]
    lost = one.status in (ClaimStatus.UNCITED, ClaimStatus.FABRICATED)
    borne_out = one.grounding.status is ClaimStatus.SUPPORTED and one.grounding.quotes
    return one.grounding.quotes[0].passage if lost and borne_out else None


def _own_markers(answer: str, one: AuditedClaim) -> list[Span]:
    """The brackets within the claim, each with the spaces before it; markers that introduce a list are not its own."""
    claim = one.claim
    found = dict.fromkeys(marker.span for marker in claim.citations if answer[marker.span.start] in "[(")
    own = [span for span in found if claim.span.start <= span.start and span.end <= claim.span.end]
    return [Span(len(answer[: span.start].rstrip()), span.end) for span in own]


def _end(answer: str, one: AuditedClaim) -> int:
    """Where the words of the claim end and a marker goes: before its full stop."""
    words = len(one.claim.text.rstrip(_ENDS))
    return places(answer, one.claim)[max(words, 1) - 1] + 1
