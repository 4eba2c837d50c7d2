"""Works out the little programs that ConvFinQA gives its answers as: x0 = 60.94 - 25.14; ans = x0 / 25.14."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from operator import add, mul, sub, truediv

from docmind.domain.errors import BenchError

_STEP = re.compile(r"^\s*+(\w{1,20}+)\s?=\s?(\S{1,40}+)(?:\s([-+*/^>])\s(\S{1,40}+))?+\s*+$")
_OPERATORS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {"+": add, "-": sub, "*": mul, "/": truediv}


def outcome(program: str) -> Fraction:
    """The value that the last step gives."""
    known: dict[str, Fraction] = {}
    name = ""
    for step in program.split(";"):
        found = _STEP.match(step)
        if found is None:
            raise BenchError(f"The step {step.strip()!r} of a ConvFinQA program is not understood.")
        name, left, sign, right = found.groups()
        value = _value(left, known)
        known[name] = _applied(value, sign, _value(right, known)) if sign else value
    return known[name]


def _applied(left: Fraction, sign: str, right: Fraction) -> Fraction:
    if sign == "^":
        return Fraction(float(left) ** float(right))
    if sign == ">":
        return Fraction(left > right)
    return _OPERATORS[sign](left, right)


def _value(text: str, known: Mapping[str, Fraction]) -> Fraction:
    if text in known:
        return known[text]
    number = Fraction(text.strip("%").replace(",", ""))
    return number / 100 if text.endswith("%") else number
