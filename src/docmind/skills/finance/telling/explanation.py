"""An analysis in Markdown, told by code: what was found, the formula with its numbers put in, and where they stand."""

from collections.abc import Sequence

from docmind.quality.quantities import Computed, Operand
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.telling.sentences import sentence
from docmind.skills.finance.telling.sources import Sources, figures_of

_NAMED = (Operation.RANK, Operation.SELECT, Operation.COUNT, Operation.PERIODS, Operation.PARTS)


def explain(analysis: Analysis, sources: Sources) -> str:
    """Every result in a sentence, each calculation with its formula and the figures that went into it."""
    results = analysis.results
    if analysis.quotes and analysis.question.operation in _NAMED:
        return f"{_answer(analysis)}\n\n{_listed(results, sources)}".strip()
    if len(results) > 1 and not any(isinstance(result, Computed) for result in results):
        return _listed(results, sources)
    return "\n\n".join(paragraph for result in results for paragraph in _told(result, sources))


def formulas(analysis: Analysis) -> list[str]:
    """Each calculation with the numbers put in, as LaTeX that stands by itself."""
    return [_formula(result) for result in analysis.results if isinstance(result, Computed)]


def _formula(result: Computed) -> str:
    return f"$$\n{result.latex}\n$$"


def _answer(analysis: Analysis) -> str:
    """What is named, in bold: it asserts nothing by itself, the figures below it do."""
    named = ", ".join(dict.fromkeys(quote.text for quote in analysis.quotes))
    count = f"{analysis.count}: " if analysis.question.operation is Operation.COUNT else ""
    return f"**{count}{named}**"


def _listed(results: Sequence[Operand], sources: Sources) -> str:
    return "\n".join(f"- {sentence(result, sources)}" for result in results)


def _told(result: Operand, sources: Sources) -> list[str]:
    said = sentence(result, sources)
    if not isinstance(result, Computed):
        return [said]
    return [said, _formula(result), _listed(list(dict.fromkeys(figures_of(result))), sources)]
