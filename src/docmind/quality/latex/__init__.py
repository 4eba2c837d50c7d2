"""Formulas in an answer: found among dollars that are money, held against what can be drawn, and worked out."""

from docmind.quality.latex.formulas import Formula, find_formulas
from docmind.quality.latex.parser import Fault, LatexProblem
from docmind.quality.latex.validation import validate_formula, validate_latex

__all__ = ["Fault", "Formula", "LatexProblem", "find_formulas", "validate_formula", "validate_latex"]
