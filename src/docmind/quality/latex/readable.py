"""Formulas as plain text can show them: fractions on one line, signs instead of commands."""

import re

from docmind.quality.latex.formulas import find_formulas

_SIGNS = {
    "{,}": ",", r"\times": "×", r"\approx": "≈", r"\left": "", r"\right": "", r"\,": "", r"\%": "%", r"\ ": " ",
    r"\cdot": "·", " - ": " − ",
}  # fmt: skip
_TEXT = re.compile(r"\\text\{([^{}]{0,200}+)\}")
_POWER = re.compile(r"\^\{([^{}]{0,40}+)\}")
_FRACTION = r"\frac{"
_COMPOUND = re.compile(r" [+−×·/] ")


def readable(answer: str) -> str:
    """The answer with every formula written out."""
    kept, position = [], 0
    for formula in find_formulas(answer):
        kept += [answer[position : formula.span.start], plain(formula.body.of(answer))]
        position = formula.span.end
    return "".join((*kept, answer[position:]))


def plain(latex: str) -> str:
    r"""`\frac{601{,}020 - 579{,}520}{579{,}520}` on one line, as people type it."""
    for sign, written in _SIGNS.items():
        latex = latex.replace(sign, written)
    latex = _POWER.sub(r"^(\1)", _TEXT.sub(r"\1", latex))
    while (at := latex.rfind(_FRACTION)) >= 0:
        top, between = _braced(latex, at + len(_FRACTION) - 1)
        bottom, end = _braced(latex, between)
        latex = f"{latex[:at]}{_grouped(top)} / {_grouped(bottom)}{latex[end:]}"
    return " ".join(latex.split())


def _braced(text: str, start: int) -> tuple[str, int]:
    """What stands in the braces that open at `start`, and where they have closed; innermost fractions come first."""
    end = text.find("}", start)
    return (text[start + 1 : end], end + 1) if end >= 0 else (text[start + 1 :], len(text))


def _grouped(part: str) -> str:
    return f"({part})" if _COMPOUND.search(part) else part
