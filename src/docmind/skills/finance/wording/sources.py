"""The passages that an answer is told from: their numbers in it, and the companies they are of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from docmind.domain.documents import Passage
from docmind.quality.quantities import Computed, Figure, Operand
from docmind.skills.finance.catalogue import metrics_in
from docmind.skills.finance.company_names import short_name
from docmind.skills.finance.evidence.evidence import Answers, Evidence
from docmind.skills.finance.terms import terms

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
