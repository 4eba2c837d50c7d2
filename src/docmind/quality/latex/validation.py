"""The door to checking formulas: every problem of every formula in an answer, at its exact characters."""

from docmind.domain.documents import Span
from docmind.quality.latex.formulas import Formula, find_formulas
from docmind.quality.latex.lost import lost_backslashes
from docmind.quality.latex.parsing import parse
from docmind.quality.latex.problem import Fault, LatexProblem
from docmind.quality.latex.statements import false_statements


def validate_latex(answer: str) -> list[LatexProblem]:
    """What is wrong with the formulas of an answer, in order. Never raises; takes time linear in the answer."""
    return [problem for formula in find_formulas(answer) for problem in _validate(answer, formula)]


def validate_formula(latex: str) -> list[LatexProblem]:
    """The same for one formula without delimiters, such as a computed result carries."""
    body = Span(0, len(latex))
    return _validate(latex, Formula(body, body, display=True))


def _validate(text: str, formula: Formula) -> list[LatexProblem]:
    if formula.fault:
        return [LatexProblem(Fault.BROKEN, formula.span, formula.fault)]
    nodes, problems = parse(text, formula.body, display=formula.display)
    if not nodes and not problems:
        return [LatexProblem(Fault.BROKEN, formula.span, "The formula is empty.")]
    problems += lost_backslashes(text, formula.body) + false_statements(text, nodes)
    return sorted(problems, key=lambda problem: problem.span)
