"""Every problem of every formula in an answer: backslashes lost, what cannot be drawn, equations that do not hold."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction

from docmind.domain.documents import Span
from docmind.quality.latex.arithmetic import SPACES, Reading, Units, Value, evaluate
from docmind.quality.latex.formulas import Formula, find_formulas
from docmind.quality.latex.parser import Fault, LatexProblem, Node, NodeKind, Nodes, parse
from docmind.quality.latex.tokens import ARGUMENTS
from docmind.quality.quantities.quantity import WORKING_DIGITS, write_number
from docmind.quality.quantities.tokens import vocabulary

_ESCAPED = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r"}
_REMAINDER = re.compile(r"[\a\b\t\n\v\f\r]([A-Za-z]{3,16}+)")
_STRUCTURAL = frozenset({"begin", "right"})


def lost_backslashes(text: str, body: Span) -> list[LatexProblem]:
    """The places of a formula where a control character and letters would be a command with its backslash."""
    problems = []
    for match in _REMAINDER.finditer(text, body.start, body.end):
        name = _ESCAPED[match[0][0]] + match[1]
        if name in ARGUMENTS or name in _STRUCTURAL:
            reason = f"The backslash of \\{name} was lost and a control character stands in its place."
            problems.append(LatexProblem(Fault.BROKEN, Span(*match.span()), reason))
    return problems


_EQUALS = frozenset("=")
_ABOUT = vocabulary(r"\approx \approxeq \simeq \doteq \cong \sim ≈ ≃ ≅")
_BREAKS = vocabulary(
    r", ; < > ≤ ≥ ≠ \\ \cr \quad \qquad \le \leq \ge \geq \lt \gt \ne \neq \ll \gg \implies \Rightarrow "
    r"\Longrightarrow \rightarrow \to \iff \therefore \because \equiv \propto"
)
_ROWS = frozenset({"\\\\", "\\cr"})
_ALIGNED = vocabulary(
    "align align* aligned alignat alignat* alignedat split gather gather* gathered equation equation*"
)
_PERCENT = frozenset({"\\%", "%"})
_READINGS = [Reading(percent, words) for percent in (True, False) for words in (True, False)]
_NEARLY = Fraction(99, 100)
"""About 6 is not said of 7."""
_WRITTEN_OUT = Fraction(10) ** 24
"""Larger numbers are shown by their first digits."""


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of an equation, and whether it is only said to be about the one before it."""

    nodes: Nodes
    about: bool

    @property
    def span(self) -> Span:
        return Span(self.nodes[0].span.start, self.nodes[-1].span.end)

    @property
    def literal(self) -> Node | None:
        """Its number, where it is one number with its sign and unit."""
        numbers = [node for node in self.nodes if node.kind is NodeKind.NUMBER]
        others = [node for node in self.nodes if node.kind not in (NodeKind.NUMBER, NodeKind.SYMBOL)]
        plain = all(node.text.startswith(("\\text", "\\mbox", "\\mathrm", "\\pounds", "\\euro")) for node in others)
        return numbers[0] if len(numbers) == 1 and plain else None


def false_statements(text: str, nodes: Sequence[Node]) -> list[LatexProblem]:
    """The equations that do not hold to the precision they are written with, at the side that is wrong."""
    problems: list[LatexProblem] = []
    for chain in _chains(_flat(nodes)):
        problems += _check(text, chain)
    return problems


def _check(text: str, chain: list[_Side]) -> Iterator[LatexProblem]:
    """Each side against the first that can be worked out: the later ones are made from it, and are often rounded."""
    first: _Side | None = None
    about = False
    for side in chain:
        if first is None:
            first = side if _value(side, _READINGS[0], Units(), first=True) is not None else None
            about = False
            continue
        about = about or side.about
        wrong = _wrong(text, first, replace(side, about=about))
        if wrong:
            yield LatexProblem(Fault.FALSE, side.span, wrong)


def _wrong(text: str, first: _Side, side: _Side) -> str:
    """Why the side is not what the first side makes, or nothing where it is, in any way of reading the two."""
    shown = ""
    for reading in _READINGS:
        units = Units()
        left = _value(first, reading, units, first=True)
        right = _value(side, reading, units, first=False)
        if left is None or right is None or units.clash:
            return ""
        if not reading.percent and left.terms is None and not left.hundredfold:
            continue
        if left.overlaps(right):
            return ""
        shown = shown or _sentence(text, left, right, side)
    return shown


def _value(side: _Side, reading: Reading, units: Units, *, first: bool) -> Value | None:
    """A number alone is known to its last digit; the operands of the first side are exact, those of later ones not."""
    if side.literal is not None:
        return evaluate(side.nodes, reading, units, _cut if side.about else _rounded)
    return evaluate(side.nodes, reading, units, _exact if first else _intermediate)


def _exact(_: str) -> Fraction:
    return Fraction(0)


def _rounded(digits: str) -> Fraction:
    return _step(digits) / 2


def _intermediate(digits: str) -> Fraction:
    """Decimals on the way may have been rounded; whole numbers such as 100 are meant as they stand."""
    return _rounded(digits) if "." in digits else Fraction(0)


def _cut(digits: str) -> Fraction:
    """What is said to be about something may have lost its last digits: 3,700 is about 3,762, and 6 about 6.9."""
    zeros = 0 if "." in digits or not digits.strip("0") else len(digits) - len(digits.rstrip("0"))
    return _step(digits) * Fraction(10) ** zeros * _NEARLY


def _step(digits: str) -> Fraction:
    """Worth of the last digit of a number."""
    return Fraction(1, 10 ** len(digits.partition(".")[2]))


def _is_percent(side: _Side) -> bool:
    return any(node.text in _PERCENT for node in side.nodes)


def _sentence(text: str, left: Value, right: Value, side: _Side) -> str:
    percent = _is_percent(side) and not left.hundredfold
    factor = 100 if percent else 1
    literal = side.literal
    step = _step(literal.text) / 100 if literal is not None else Fraction(1, 10**6)
    made = _written(left.middle * factor, step) + ("%" if _is_percent(side) else "")
    stated = side.span.of(text) if literal is not None else _written(right.middle * factor, step)
    return f"The numbers put in make {made}, not {stated}."


def _written(value: Fraction, step: Fraction) -> str:
    if abs(value) >= _WRITTEN_OUT:
        return f"{float(value):.6g}"
    with localcontext(prec=WORKING_DIGITS):
        number = Decimal(value.numerator) / Decimal(value.denominator)
        digits = write_number(number, max(Decimal(step.numerator) / Decimal(step.denominator), Decimal("1e-12")))
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def _flat(nodes: Sequence[Node]) -> list[Node]:
    """The nodes without what only arranges them: boxes round the whole, lines that are aligned."""
    flat: list[Node] = []
    for node in nodes:
        arranged = node.kind is NodeKind.ENVIRONMENT and node.text in _ALIGNED
        boxed = len(nodes) == 1 and (node.kind is NodeKind.GROUP or node.text == "\\boxed")
        if (arranged or boxed) and node.parts:
            flat += _flat(node.parts[0])
        else:
            flat.append(node)
    return flat


def _chains(nodes: Sequence[Node]) -> Iterator[list[_Side]]:
    """Runs of sides joined by equals signs; a line that begins with one goes on from the line before it."""
    visible = [node for node in nodes if node.text not in SPACES]
    chain: list[_Side] = []
    side: list[Node] = []
    about = False
    for index, node in enumerate(visible):
        following = visible[index + 1].text if index + 1 < len(visible) else ""
        if node.text in _ROWS and (following in _EQUALS or following in _ABOUT):
            continue
        if node.text in _EQUALS or node.text in _ABOUT or node.text in _BREAKS:
            if side:
                chain.append(_Side(tuple(side), about))
            side = []
            about = node.text in _ABOUT
            if node.text in _BREAKS:
                yield chain
                chain = []
        else:
            side.append(node)
    if side and side[-1].text == ".":
        side.pop()
    if side:
        chain.append(_Side(tuple(side), about))
    yield chain


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
