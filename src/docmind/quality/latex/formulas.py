"""Finds the mathematics of an answer, tells its dollar signs from those of money, and writes it as plain text."""

import re
from collections import defaultdict
from dataclasses import dataclass

from docmind.domain.documents import Span
from docmind.quality.latex.tokens import ENVIRONMENTS
from docmind.quality.markdown import UnitKind, units


@dataclass(frozen=True, slots=True)
class Formula:
    """A stretch of mathematics; without its delimiters it is `body`."""

    span: Span
    body: Span
    display: bool
    fault: str = ""
    """Why its delimiters do not pair, as a sentence; it then spans the delimiter alone."""


# A backslash and what it escapes are one mark, so that neither `\$` nor the second half of `\\(` is a delimiter.
_MARK = re.compile(r"\\(begin|end)\{([A-Za-z]{1,20}+\*?+)\}|\\[\s\S]|\$++|`++")
_PAIRS = {"\\(": "\\)", "\\[": "\\]"}
_BLANK_LINE = re.compile(r"\n[ \t\r]*+\n")
_TICKS_OR_BLANK_LINE = re.compile(r"`++|\n[ \t\r]*+\n")
_COMMAND = re.compile(r"\\[A-Za-z]")
_MATHS = re.compile(r"\\[A-Za-z]|[\^=_]")
_WORD = re.compile(r"[A-Za-z]{2}")
_DOLLAR_OF = re.compile(r"(?<![A-Za-z])(?:US|AU|CA|HK|NZ|[ACSR])\Z")
_AMOUNT = re.compile(r"[-+(]?+\.?+[0-9]")
LOOK_AHEAD = 200
"""Characters after a delimiter that nothing closes which tell whether mathematics was meant."""


def find_formulas(text: str) -> list[Formula]:
    """The formulas of a text in order; what stands in code is none. Takes time linear in the text."""
    return _Finder(text).find()


class _Finder:
    def __init__(self, text: str) -> None:
        self._text = text
        self._marks = _marks_outside_code(text)
        self._partners = _partners(self._marks)

    def find(self) -> list[Formula]:
        found: list[Formula] = []
        index = 0
        while index < len(self._marks):
            mark = self._marks[index]
            close = self._partners.get(index)
            formula = self._formula(mark, None if close is None else self._marks[close])
            if formula is not None:
                found.append(formula)
            index = close + 1 if formula is not None and not formula.fault and close is not None else index + 1
        return found

    def _formula(self, mark: re.Match[str], close: re.Match[str] | None) -> Formula | None:
        if mark[1] == "begin":
            return self._environment(mark, close)
        if mark[1] == "end":
            return _unpaired(mark, f"{mark[0]} ends an environment that nothing began.") if _is_known(mark) else None
        if mark[0] == "$":
            return self._inline(mark, close)
        if mark[0] not in ("\\(", "\\[", "$$"):
            return None
        if close is None:
            return self._unclosed(mark)
        return _between(mark, close, display=mark[0] != "\\(")

    def _environment(self, mark: re.Match[str], close: re.Match[str] | None) -> Formula | None:
        if not _is_known(mark):
            return None
        if close is None:
            return _unpaired(mark, f"{mark[0]} has no \\end{{{mark[2]}}}.")
        span = Span(mark.start(), close.end())
        return Formula(span, span, display=True)

    def _inline(self, mark: re.Match[str], close: re.Match[str] | None) -> Formula | None:
        """Between single dollars: nothing blank just inside them, no digit just after, and not an amount."""
        body = "" if close is None else self._text[mark.end() : close.start()]
        # An amount of money is followed by its digits, and has no partner or one that is an amount too.
        if close is not None and self._closes(body, close) and not _is_money(body):
            return _between(mark, close, display=False)
        return self._unclosed(mark) if _COMMAND.match(self._text, mark.end()) else None

    def _closes(self, body: str, close: re.Match[str]) -> bool:
        blank_inside = body[:1].isspace() or body[-1:].isspace() or _BLANK_LINE.search(body)
        return close[0] == "$" and not blank_inside and not self._text[close.end() : close.end() + 1].isdigit()

    def _unclosed(self, mark: re.Match[str]) -> Formula | None:
        """A fault where mathematics follows; else the mark is money or a bracket escaped for Markdown."""
        following = _BLANK_LINE.split(self._text[mark.end() : mark.end() + LOOK_AHEAD])[0]
        if not _MATHS.search(following):
            return None
        return _unpaired(mark, f"The formula that {mark[0]} opens is never closed by {_PAIRS.get(mark[0], mark[0])}.")


def _marks_outside_code(text: str) -> list[re.Match[str]]:
    blocks = [unit.span for unit in units(text) if unit.kind is UnitKind.CODE]
    marks: list[re.Match[str]] = []
    code_until = block = 0
    ticks = _closing_ticks(text)
    for mark in _MARK.finditer(text):
        while block < len(blocks) and blocks[block].end <= mark.start():
            block += 1
        if mark.start() < code_until or (block < len(blocks) and blocks[block].start <= mark.start()):
            continue
        if mark[0][0] == "`":
            code_until = ticks.get(mark.start(), mark.end())
        else:
            marks.append(mark)
    return marks


def _closing_ticks(text: str) -> dict[int, int]:
    """For each run of back ticks, where the code that it opens ends: after the next run as long, in its paragraph."""
    closing: dict[int, int] = {}
    ahead: dict[int, int] = {}
    for run in reversed(list(_TICKS_OR_BLANK_LINE.finditer(text))):
        if run[0][0] != "`":
            ahead.clear()
            continue
        length = len(run[0])
        if length in ahead:
            closing[run.start()] = ahead[length]
        ahead[length] = run.end()
    return closing


def _partners(marks: list[re.Match[str]]) -> dict[int, int]:
    """The place of the mark that would close each opening one."""
    partners: dict[int, int] = {}
    begun: defaultdict[str, list[int]] = defaultdict(list)
    # The last mark of each sort that waits for a partner; a second opening takes the place of the first.
    waiting: dict[str, int] = {}
    for index, mark in enumerate(marks):
        piece = mark[0]
        if mark[1] == "begin":
            begun[mark[2]].append(index)
        elif mark[1] == "end":
            if begun[mark[2]]:
                partners[begun[mark[2]].pop()] = index
        elif piece in _PAIRS:
            waiting[_PAIRS[piece]] = index
        elif piece in ("\\)", "\\]"):
            if piece in waiting:
                partners[waiting.pop(piece)] = index
        elif piece[0] == "$":
            if piece == "$$":
                if "$$" in waiting:
                    partners[waiting["$$"]] = index
                waiting["$$"] = index
            if "$" in waiting:
                partners[waiting.pop("$")] = index
            if piece == "$":
                waiting["$"] = index
    return partners


def _is_known(mark: re.Match[str]) -> bool:
    return mark[2] in ENVIRONMENTS


def _is_money(body: str) -> bool:
    """`5 and 10` after a dollar, or `5 or US` before one, are amounts in a sentence."""
    if not _AMOUNT.match(body):
        return False
    return bool(_DOLLAR_OF.search(body) or (_WORD.search(body) and not _MATHS.search(body)))


def _between(mark: re.Match[str], close: re.Match[str], *, display: bool) -> Formula:
    return Formula(Span(mark.start(), close.end()), Span(mark.end(), close.start()), display)


def _unpaired(mark: re.Match[str], reason: str) -> Formula:
    span = Span(mark.start(), mark.end())
    return Formula(span, span, display=False, fault=reason)


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
