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
    why: str = ""
    """What made it look so well or so badly supported, for a reader."""


def weakest(claims: Sequence[CheckedClaim]) -> float:
    """A text is as well supported as its weakest claim; one that claims nothing cannot be wrong."""
    return min((claim.support for claim in claims), default=1.0)


@dataclass(frozen=True, slots=True)
class Checker:
    """A system that is measured."""

    check: Callable[[Sequence[Passage], str, str], list[CheckedClaim]]
    """Of the passages of one document, a text and what was asked, the text's claims in order; they do not overlap."""
    overall: Callable[[Sequence[CheckedClaim]], float] = weakest
    """How far a whole text is supported."""


@dataclass(frozen=True, slots=True)
class CheckedResponse:
    response: Response
    claims: tuple[CheckedClaim, ...]
    support: float


CheckedSource = tuple[CheckedResponse, ...]
"""The responses to one source."""


def overlap(one: Span, other: Span) -> int:
    """Characters that two stretches share."""
    return max(0, min(one.end, other.end) - max(one.start, other.start))


def check_sources(bench: Workbench, title: str, checker: Checker, sources: Sequence[Source]) -> list[CheckedSource]:
    checked = []
    with bench.steps(title, len(sources)) as done:
        for number, source in enumerate(sources):
            checked.append(tuple(_checked(checker, source, response) for response in source.responses))
            done(number + 1)
    return checked


def _checked(checker: Checker, source: Source, response: Response) -> CheckedResponse:
    claims = tuple(checker.check(source.passages, response.text, source.question))
    return CheckedResponse(response, claims, checker.overall(claims))
