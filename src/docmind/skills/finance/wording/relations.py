"""Whether a sentence says which way round: rose or fell, higher or lower than, held against the numbers it rests on."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations

from docmind.quality.quantities import Agreement, Computed, Operand, Quantity, read_quantities
from docmind.quality.quantities.computed import exact_value
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.wording.sources import Sources, steps_of

_ROSE = re.compile(
    r"\b(?:rose|risen|grew|grown|increased?|climbed|gained|improved|up by|went up|an increase)\b", re.IGNORECASE
)
_FELL = re.compile(
    r"\b(?:fell|fallen|declined?|decreased?|dropped|shrank|shrunk|lost|worsened|down by|went down|a decrease)\b",
    re.IGNORECASE,
)
_ABOVE = re.compile(
    r"\b(?:exceed(?:s|ed)?|surpass(?:es|ed)?|outperform(?:s|ed)?|above|(?:higher|greater|larger|bigger|more) than)\b",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"\b(?:trail(?:s|ed)?|below|behind|under|(?:lower|less|smaller|fewer) than|fell short of)\b", re.IGNORECASE
)
_DENIED = re.compile(r"\b(?:not|never|no)\b|n't\b", re.IGNORECASE)


def wrong_way_round(claim: str, analysis: Analysis, sources: Sources) -> str:
    """Why a claim has a relation the wrong way round, as a sentence; nothing where it has none, or has it right."""
    if _DENIED.search(claim):
        return ""
    return next(chain(_moved(claim, analysis, sources), _compared(claim, analysis, sources)), "")


def _moved(claim: str, analysis: Analysis, sources: Sources) -> Iterator[str]:
    """A number that was computed as a fall and is told as a rise, or the other way."""
    said = read_quantities(claim)
    for step in _steps(analysis):
        over_time = len(step.operands) == 2 and sources.thing(step.operands[0]) == sources.thing(step.operands[-1])
        told = any(
            step.confirms(one) is Agreement.AGREE or step.confirms(_turned(one)) is Agreement.AGREE for one in said
        )
        if not over_time or not told or step.quantity.unit == "times":
            continue
        rose, fell = _ROSE.search(claim) is not None, _FELL.search(claim) is not None
        if rose != fell and ((rose and step.exact < 0) or (fell and step.exact > 0)):
            yield f"{step.label} comes to {step.quantity.text}: it {'fell' if rose else 'rose'}."


def _turned(quantity: Quantity) -> Quantity:
    """A fall is said without its sign."""
    return replace(quantity, value=-quantity.value)


def _compared(claim: str, analysis: Analysis, sources: Sources) -> Iterator[str]:
    """One thing said to be above another that is below it."""
    for one, other in combinations(_things(analysis), 2):
        if one.quantity.unit != other.quantity.unit or one.period != other.period:
            continue
        first, second = ((claim.find(name), operand) for name, operand in _named(one, other, sources))
        (start, left), (end, right) = sorted((first, second), key=lambda place: place[0])
        between = claim[max(start, 0) : max(end, 0)]
        above, below = _ABOVE.search(between) is not None, _BELOW.search(between) is not None
        if start < 0 or above == below:
            continue
        gap = exact_value(left) - exact_value(right)
        if (above and gap < 0) or (below and gap > 0):
            yield f"{left.label} is {left.quantity.text} and {right.label} is {right.quantity.text}."


def _named(one: Operand, other: Operand, sources: Sources) -> Sequence[tuple[str, Operand]]:
    """Each by its company where the companies differ, else by its label."""
    owners = sources.whose(one), sources.whose(other)
    apart = owners[0] != owners[1] and all(owners)
    names = owners if apart else (sources.label(one), sources.label(other))
    return tuple(zip(names, (one, other), strict=True))


def _steps(analysis: Analysis) -> list[Computed]:
    return [step for result in analysis.results if isinstance(result, Computed) for step in steps_of(result)]


def _things(analysis: Analysis) -> list[Operand]:
    """What was computed with, and what stands beside each other without a calculation."""
    operands = [operand for step in _steps(analysis) for operand in step.operands]
    return list(dict.fromkeys((*operands, *(one for one in analysis.results if not isinstance(one, Computed)))))
