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
    operation = analysis.question.operation
    paragraphs = []
    if analysis.quotes and operation in _NAMED:
        paragraphs.append(_answer(analysis))
        paragraphs.append(_listed(analysis.results, sources))
    else:
        for result in analysis.results:
            paragraphs += _told(result, sources)
    return "\n\n".join(filter(None, paragraphs))


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
