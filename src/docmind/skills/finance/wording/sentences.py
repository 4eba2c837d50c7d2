"""Figures and calculations as sentences, with the passages and the cells of tables that they rest on."""

from calendar import month_name
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docmind.domain.documents import Passage
from docmind.quality.quantities import Computed, Figure, Operand, Period, write
from docmind.quality.quantities.computed import exact_value
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.catalogue import metrics_in
from docmind.skills.finance.companies import short_name
from docmind.skills.finance.evidence.evidence import Answers, Evidence
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.phrases import terms

LONGEST_CAPTION = 60
"""Characters; a longer caption is a sentence, and names nothing in another one."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Passages in the order of their numbers; `titles` names the document of each by its id."""

    passages: tuple[Passage, ...]
    owners: Mapping[str, str]
    titles: Mapping[str, str]
    answers: Answers | None = None
    """The reader, where rows are to be chosen by meaning."""

    @property
    def evidence(self) -> Evidence:
        return Evidence(self.passages, self.owners, self.answers)

    def passage(self, figure: Figure) -> Passage | None:
        return next((passage for passage in self.passages if passage.id == figure.source), None)

    def number(self, passage_id: str) -> int | None:
        return next((n for n, passage in enumerate(self.passages, 1) if passage.id == passage_id), None)

    def marks(self, *results: Operand) -> str:
        """The markers of all passages that results rest on: [1][3]."""
        figures = [figure for result in results for figure in figures_of(result)]
        numbers = dict.fromkeys(self.number(figure.source) for figure in figures)
        return "".join(f"[{number}]" for number in numbers if number is not None)

    def whose(self, result: Operand) -> str:
        """The company whose figures these are, by the words it is known by; none where they are of several."""
        passages = [self.passage(figure) for figure in figures_of(result)]
        owners = {self.owners.get(passage.document_id, "") for passage in passages if passage is not None}
        return self.short(owners.pop()) if len(owners) == 1 else ""

    def speak_of(self, names: Sequence[str], results: Sequence[Operand]) -> bool:
        """Whether the passages that results stand in have all of these names: else they may be of something else."""
        passages = [self.passage(figure) for result in results for figure in figures_of(result)]
        said = " ".join(passage.indexed_text.lower() for passage in passages if passage is not None)
        return all(word in said for name in names for word in name.lower().split())

    def short(self, owner: str) -> str:
        """Ellandor for Ellandor Instruments N.V."""
        return short_name(owner, set(self.owners.values()))

    def thing(self, result: Operand) -> str:
        """What it is: its label, and where that names no metric, what its table or the rows around it are of."""
        label = self.label(result)
        section, _, row = label.rpartition(": ")
        if section:
            return f"{row} ({_lowered(section)})"
        passage = next((one for one in map(self.passage, figures_of(result)) if one is not None), None)
        caption = passage.heading[-1].partition("(")[0].strip() if passage is not None and passage.heading else ""
        says = bool(metrics_in(terms(caption))) and len(caption) <= LONGEST_CAPTION
        untold = says and not metrics_in(terms(label)) and passage and passage.kind == "table"
        return f"{label} ({_lowered(caption)})" if untold else label

    def label(self, result: Operand) -> str:
        """The label without the company that it was put under."""
        owners = (f"{owner}: " for owner in self.owners.values() if owner)
        return next((result.label.removeprefix(one) for one in owners if result.label.startswith(one)), result.label)

    def titles_of(self, results: Sequence[Operand]) -> list[str]:
        """Where results stand, for a reader: Ellandor, Annual report 2023, page 2."""
        passages = [self.passage(figure) for result in results for figure in figures_of(result)]
        return list(dict.fromkeys(self._placed(passage) for passage in passages if passage is not None))

    def _placed(self, passage: Passage) -> str:
        title, owner = self.titles.get(passage.document_id, ""), self.short(self.owners.get(passage.document_id, ""))
        whose = [] if owner in title else [owner]
        return ", ".join((*whose, title, *([f"page {passage.page}"] if passage.page else [])))


def figures_of(result: Operand) -> tuple[Figure, ...]:
    """The figures that a result rests on; a figure rests on itself."""
    return result.sources if isinstance(result, Computed) else (result,)


def steps_of(result: Computed) -> tuple[Computed, ...]:
    """A result after the results that it was computed from, the one that answers first."""
    within = (operand for operand in result.operands if isinstance(operand, Computed))
    return (result, *(step for operand in within for step in steps_of(operand)))


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


_NAMED = ": "


def citations_of(analysis: Analysis, sources: Sources) -> list[dict[str, Any]]:
    """Each figure that a result rests on, once, under the number of its passage."""
    figures = dict.fromkeys(figure for result in analysis.results for figure in figures_of(result))
    return [cited for figure in figures if (cited := _cited(figure, sources)) is not None]


def _cited(figure: Figure, sources: Sources) -> dict[str, Any] | None:
    passage, number = sources.passage(figure), sources.number(figure.source)
    if passage is None or number is None:
        return None
    start, end = figure.span.start, figure.span.start + len(figure.quantity.text)
    # A cell is written with the name of its column, which tells a reader which one it is.
    named = f"{figure.column}{_NAMED}"
    before = passage.text[: start - passage.span.start]
    start -= len(named) if figure.column and before.endswith(named) else 0
    return {
        "marker": f"[{number}]",
        "document": passage.document_id,
        "title": sources.titles.get(passage.document_id, ""),
        "page": passage.page,
        "start": start,
        "end": end,
        "quote": passage.text[start - passage.span.start : end - passage.span.start],
        "cell": _NAMED.join(filter(None, (sources.label(figure), figure.column))),
    }


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
