"""The seam that everything which checks text against passages fits, and what it found of a whole set."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docmind.bench.groundedness.sets import Response, Source
from docmind.bench.workbench import Workbench
from docmind.domain.documents import Passage, Span


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A stretch of a text that asserts something, and how far the passages support it."""

    span: Span
    support: float
    """Probability in 0..1, or whatever orders claims as one would."""
    unsupported: tuple[Span, ...] = ()
    """The words of the text that nothing supports; where none are named, the claim as a whole is meant."""
    evidence: tuple[Span, ...] = ()
    """What speaks for it, in the text of the document that the passages are taken from."""


Checker = Callable[[Sequence[Passage], str], list[CheckedClaim]]
"""Of the passages of one document and a text, the claims of the text in order; they do not overlap."""


@dataclass(frozen=True, slots=True)
class CheckedResponse:
    response: Response
    claims: tuple[CheckedClaim, ...]

    @property
    def support(self) -> float:
        return weakest(self.claims)


CheckedSource = tuple[CheckedResponse, ...]
"""The responses to one source."""


def weakest(claims: Sequence[CheckedClaim]) -> float:
    """A text is as well supported as its weakest claim; one that claims nothing cannot be wrong."""
    return min((claim.support for claim in claims), default=1.0)


def overlap(one: Span, other: Span) -> int:
    """Characters that two stretches share."""
    return max(0, min(one.end, other.end) - max(one.start, other.start))


def check_sources(bench: Workbench, title: str, checker: Checker, sources: Sequence[Source]) -> list[CheckedSource]:
    checked = []
    with bench.steps(title, len(sources)) as done:
        for number, source in enumerate(sources):
            checked.append(
                tuple(
                    CheckedResponse(response, tuple(checker(source.passages, response.text)))
                    for response in source.responses
                )
            )
            done(number + 1)
    return checked
