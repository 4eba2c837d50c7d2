"""The systems that are measured beside each other, in the order of the table."""

from collections.abc import Sequence

from docmind.bench.groundedness.baselines import Cosine, always, coverage
from docmind.bench.groundedness.checker import CheckedClaim, Checker
from docmind.domain.documents import Passage
from docmind.domain.verdicts import AuditedClaim
from docmind.models.embedding import open_embedder
from docmind.models.reader import Reader
from docmind.quality.audit import ASSERT_NOTHING, audit, combined, probability
from docmind.quality.grounding import Grounder

PRODUCT = "docmind"


def systems(embedder: str) -> dict[str, Checker]:
    """By name; failures are told of the first."""
    return {
        PRODUCT: Checker(Docmind(Grounder(Reader()).of_drafts), overall=_confidence),
        "coverage": Checker(coverage),
        f"cosine-{embedder}": Checker(Cosine(open_embedder(embedder))),
        "always": Checker(always),
    }


class Docmind:
    """The product's own audit."""

    def __init__(self, grounder: Grounder) -> None:
        self._grounder = grounder

    def __call__(self, passages: Sequence[Passage], text: str, asked: str) -> list[CheckedClaim]:
        return [
            CheckedClaim(
                one.claim.span,
                probability(one),
                one.unsupported,
                tuple(quote.span for quote in one.grounding.quotes),
                _why(text, one),
            )
            for one in audit(text, passages, self._grounder, asked=asked).claims
            if one.claim.exemption not in ASSERT_NOTHING
        ]


def _why(text: str, audited: AuditedClaim) -> str:
    """What speaks against a claim, or where nothing does, the sentence it was found in."""
    if audited.unsupported:
        return f"nothing holds {', '.join(repr(span.of(text)) for span in audited.unsupported)}"
    return "".join(f"found in {quote.text!r}" for quote in audited.grounding.quotes[:1])


def _confidence(claims: Sequence[CheckedClaim]) -> float:
    return combined([claim.support for claim in claims])
