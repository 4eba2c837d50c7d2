"""Figures and calculations as sentences, each with the markers of the passages it rests on."""

from calendar import month_name
from collections.abc import Callable

from docmind.quality.quantities import Computed, Operand, Period, write
from docmind.quality.quantities.computed import exact_value
from docmind.skills.finance.catalogue import metrics_in
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.terms import terms
from docmind.skills.finance.wording.sources import Sources, figures_of

_SINGULAR = ("ss", "us", "is")
_JOINTS = (" at ", " of ", " in ", " per ", " for ", " from ", " by ", " (")


def sentence(result: Operand, sources: Sources) -> str:
    """What a figure or a result is, in one sentence that can be checked."""
    marks = f" {sources.marks(result)}".rstrip()
    if not isinstance(result, Computed):
        thing = subject(result, sources)
        return f"{_opening(thing)} {_was(thing)} {value(result)}{_in(result)}{marks}."
    if result.named:
        thing = subject(result, sources)
        return f"{_opening(thing)} {_was(thing)} {value(result)}{_in(result)}{marks}."
    return f"{_opening(_TOLD[calculation_of(result)](result, sources))}{marks}."


def value(result: Operand) -> str:
    """With its unit, currency and scale."""
    return result.quantity.text if isinstance(result, Computed) else write(result.quantity, result.scale)


def when(period: Period | None) -> str:
    """A period for the label of a point or the end of a sentence; empty where it is not known."""
    if period is None or period.year is None:
        return ""
    if period.quarter is not None:
        return f"Q{period.quarter} {period.year}"
    if period.half is not None:
        return f"H{period.half} {period.year}"
    if period.month is not None and period.months not in (None, 12):
        return f"{period.months} months to {month_name[period.month]} {period.year}"
    return str(period.year)


def subject(result: Operand, sources: Sources) -> str:
    """Whose and what it is: Ellandor's revenue."""
    thing, owner = sources.thing(result), sources.whose(result)
    if not owner:
        return thing
    # Initials and names stay as they are: EBIT, Process Measurement, Europe.
    common = thing[1:].islower() and (" " in thing.partition(" (")[0] or metrics_in(terms(thing.partition(" (")[0])))
    lowered = thing[:1].lower() + thing[1:] if common else thing
    return f"{_possessive(owner)} {lowered}"


def _possessive(owner: str) -> str:
    """Ellandor's, Bellows'; McDonald's stays as it is."""
    if owner.lower().endswith(("'s", "’s")):
        return owner
    return f"{owner}'" if owner.endswith("s") else f"{owner}'s"


def _opening(text: str) -> str:
    return text[:1].upper() + text[1:]


def calculation_of(result: Computed) -> Operation:
    """What was calculated, told by what it comes to: a measure is asked for by its name, whatever it takes."""
    if len(result.operands) == 1:
        return Operation.COMPOSED
    values = [exact_value(operand) for operand in result.operands]
    first, last = values[0], values[-1]
    if result.exact == sum(values):
        return Operation.SUM
    if result.exact == sum(values) / len(values):
        return Operation.AVERAGE
    if result.exact == first - last:
        return Operation.DIFFERENCE
    if not last:
        return Operation.CAGR
    ratio = first / last
    of_two = {ratio: Operation.RATIO, ratio * 100: Operation.SHARE, (ratio - 1) * 100: Operation.GROWTH}
    return of_two.get(result.exact, Operation.CAGR)


def _growth(result: Computed, sources: Sources) -> str:
    return f"{subject(result.operands[0], sources)} {_moved(result, 'grew')}{_between(result)}"


def _yearly(result: Computed, sources: Sources) -> str:
    return f"{subject(result.operands[0], sources)} {_moved(result, 'grew')} a year{_between(result)}"


def _share(result: Computed, sources: Sources) -> str:
    part, whole = (subject(operand, sources) for operand in result.operands)
    return f"{part} {_was(part)} {value(result)} of {_beside(whole, result, sources)}{_between(result)}"


def _ratio(result: Computed, sources: Sources) -> str:
    top, bottom = (subject(operand, sources) for operand in result.operands)
    against = "" if result.quantity.per else f" {_beside(bottom, result, sources)}"
    return f"{top} {_was(top)} {value(result)}{against}{_between(result)}"


def _sum(result: Computed, sources: Sources) -> str:
    things = list(dict.fromkeys(subject(operand, sources) for operand in result.operands))
    was = _was(things[0]) if len(things) == 1 else "were"
    return f"{' and '.join(things)}{_between(result)} {was} {value(result)} in total"


def _average(result: Computed, sources: Sources) -> str:
    thing = subject(result.operands[0], sources)
    return f"{thing}{_between(result)} {_was(thing)} {value(result)} on average"


def _difference(result: Computed, sources: Sources) -> str:
    one, other = (subject(operand, sources) for operand in (result.operands[0], result.operands[-1]))
    if one == other:
        return f"{one} {_moved(result, 'rose')}{_between(result)}"
    if result.exact > 0:
        return f"{one} exceeded {other} by {value(result)}{_between(result)}"
    return f"{one} less {other} {_was(one)} {value(result)}{_between(result)}"


def _worked(result: Computed, sources: Sources) -> str:
    return f"{subject(result.operands[0], sources)} comes to {value(result)} so{_between(result)}"


_TOLD: dict[Operation, Callable[[Computed, Sources], str]] = {
    Operation.GROWTH: _growth,
    Operation.CAGR: _yearly,
    Operation.SHARE: _share,
    Operation.RATIO: _ratio,
    Operation.SUM: _sum,
    Operation.AVERAGE: _average,
    Operation.DIFFERENCE: _difference,
    Operation.COMPOSED: _worked,
}


def _moved(result: Computed, upwards: str) -> str:
    """A fall keeps its sign: the number is then the one that was computed."""
    return f"{upwards if result.exact > 0 else 'changed'} by {value(result)}"


def _beside(thing: str, result: Computed, sources: Sources) -> str:
    """The second of two things, without saying again whose it is."""
    owner = sources.whose(result)
    return thing.partition(" ")[2] if owner and thing.startswith(f"{owner}'") else thing


def _was(thing: str) -> str:
    """By the noun that it is about: employees at year end were, cash at the end of the year was."""
    head = thing
    for joint in _JOINTS:
        head = head.split(joint)[0]
    return "were" if head.endswith("s") and not head.endswith(_SINGULAR) else "was"


def _in(result: Operand) -> str:
    told = when(result.period)
    return f" in {told}" if told else ""


def _between(result: Computed) -> str:
    """From the first period to the last where there are several, in the one where there is one."""
    told = {figure.period.key for figure in figures_of(result) if figure.period is not None and figure.period.year}
    periods = sorted(told, key=lambda period: (period.year or 0, period.month or 3 * (period.quarter or 0)))
    if not periods:
        return ""
    first, last = when(periods[0]), when(periods[-1])
    return f" in {first}" if first == last else f" from {first} to {last}"
