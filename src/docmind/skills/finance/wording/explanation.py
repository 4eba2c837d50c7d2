"""An analysis in Markdown, told by code: what was found, the formula with its numbers put in, and where they stand."""

from collections.abc import Iterable, Sequence

from docmind.quality.quantities import Computed, Figure, Operand
from docmind.skills.finance.analysis import Analysis, Quote
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.wording.sentences import sentence, when
from docmind.skills.finance.wording.sources import Sources, figures_of, steps_of

_NAMED = (Operation.RANK, Operation.SELECT, Operation.COUNT, Operation.PERIODS, Operation.PARTS)


def explain(analysis: Analysis, sources: Sources) -> str:
    """Every result in a sentence, each calculation with its formula and the figures that went into it."""
    results = analysis.results
    if analysis.quotes and analysis.question.operation in _NAMED:
        return f"{_answer(analysis)}\n\n{_listed(results, sources)}".strip()
    if len(results) > 1 and not any(isinstance(result, Computed) for result in results):
        return _listed(results, sources)
    expected = [_expected(quote, sources) for quote in analysis.quotes] if analysis.verdict else []
    computed = [step for result in results if isinstance(result, Computed) for step in steps_of(result)]
    told = [paragraph for step in dict.fromkeys(computed) for paragraph in (sentence(step, sources), _formula(step))]
    figures = in_time(dict.fromkeys(figure for result in results for figure in figures_of(result)))
    rest = _listed(figures, sources) if computed or len(figures) > 1 else sentence(results[0], sources)
    verdict = [f"**{analysis.verdict[:1].upper()}{analysis.verdict[1:]}**"] if analysis.verdict else []
    return "\n\n".join((*verdict, *expected, *told, rest))


def _expected(quote: Quote, sources: Sources) -> str:
    """In its own words, with the marker before its full stop."""
    number = sources.number(quote.source)
    return f"{quote.text.rstrip('.')} [{number}]."


def in_time(figures: Iterable[Figure]) -> list[Figure]:
    """Those of one thing together, oldest first."""
    given = list(figures)
    first = {figure.label: place for place, figure in reversed(list(enumerate(given)))}
    return sorted(
        given, key=lambda one: (first[one.label], one.period.year or 0 if one.period else 0, when(one.period))
    )


def formulas(analysis: Analysis) -> list[str]:
    """Each calculation with the numbers put in, as LaTeX that stands by itself."""
    computed = [result for result in analysis.results if isinstance(result, Computed)]
    return [_formula(step) for step in dict.fromkeys(step for result in computed for step in steps_of(result))]


def _formula(result: Computed) -> str:
    return f"$$\n{result.latex}\n$$"


def _answer(analysis: Analysis) -> str:
    """What is named, in bold: it asserts nothing by itself, the figures below it do."""
    named = ", ".join(dict.fromkeys(quote.text for quote in analysis.quotes))
    count = f"{analysis.count}: " if analysis.question.operation is Operation.COUNT else ""
    return f"**{count}{named}**"


def _listed(results: Sequence[Operand], sources: Sources) -> str:
    return "\n".join(f"- {sentence(result, sources)}" for result in results)
