"""Works out a formula of plain numbers; whatever holds a variable, a function or a doubt is left alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from docmind.quality.latex.tree import Node, NodeKind
from docmind.quality.latex.values import NotArithmetic, Value
from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.quantities.units import CODES, CURRENCY_WORDS, LETTER_SCALES, SCALES, SYMBOLS

MAX_BRACKETS = 32
LONGEST = 40
"""Digits of a number."""
SPACES = vocabulary(r"\, \; \: \! ~ & \displaystyle \textstyle \thinspace \space") | {"\\ ", "\\\n"}
_TIMES = vocabulary(r"\times \cdot \ast * × · ⋅")
_OVER = vocabulary(r"/ \div ÷")
_MINUS = vocabulary("- − –")
_PERCENT = vocabulary(r"\% %")
_FRACTIONS = vocabulary(r"\frac \dfrac \tfrac \cfrac")
_TEXT = vocabulary(r"\text \textrm \mbox \textnormal \mathrm \operatorname")
_SET_ALIKE = vocabulary(r"\mathbf \boldsymbol \boxed \bm")
_CURRENCIES = {"\\$": "USD", "\\textdollar": "USD", "\\euro": "EUR", "\\pounds": "GBP", "\\yen": "JPY", **SYMBOLS}
_CLOSING = {"(": ")", "[": "]", "\\{": "\\}"}
_FENCES = frozenset({"()", "[]", "\\{\\}"})
_PERCENT_WORDS = vocabulary("percent percentage points point pp")
_OTHER_SCALES = vocabulary("basis bp bps mille ‰")
_PER_CENT = Fraction(1, 100)


@dataclass(frozen=True, slots=True)
class Reading:
    """How to take what is written beside numbers; authors differ, and some name a unit at the last number alone."""

    percent: bool
    """Whether 9% is 0.09, and not 9 with a name."""
    words: bool
    """Whether 5 million is 5,000,000, and not 5 with a name."""


@dataclass(slots=True)
class Units:
    """What was met beside the numbers: amounts in different units are not compared."""

    currencies: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)

    @property
    def clash(self) -> bool:
        return len(self.currencies) > 1 or len(self.names) > 1


Slack = Callable[[str], Fraction]
"""How far what is meant may lie from a number, by its digits."""


def evaluate(nodes: Sequence[Node], reading: Reading, units: Units, slack: Slack) -> Value | None:
    """The value of a side of an equation, or none where it is no plain arithmetic."""
    try:
        return _Evaluator(nodes, reading, units, slack, 0).whole()
    except NotArithmetic:
        return None


class _Evaluator:
    """Descends through sums, products and powers."""

    def __init__(self, nodes: Sequence[Node], reading: Reading, units: Units, slack: Slack, depth: int) -> None:
        self._nodes = [node for node in nodes if node.text not in SPACES]
        self._reading = reading
        self._units = units
        self._slack = slack
        self._depth = depth
        self._at = 0

    def whole(self) -> Value:
        value = self._sum()
        if self._at < len(self._nodes):
            raise NotArithmetic
        return value

    def _sum(self) -> Value:
        value = self._product()
        while (sign := self._text()) in _MINUS or sign == "+":
            self._at += 1
            term = self._product()
            value = value.plus(term.negated() if sign in _MINUS else term)
        return value

    def _product(self) -> Value:
        value = self._factor()
        while True:
            if self._take(_TIMES) or self._opens_bracket():
                value = value.times(self._factor())
            elif self._take(_OVER):
                value = value.over(self._factor())
            else:
                return value

    def _factor(self) -> Value:
        negative = False
        while (sign := self._text()) in _MINUS or sign == "+":
            negative ^= sign in _MINUS
            self._at += 1
        self._currency_before()
        value = self._with_units(self._primary())
        return value.negated() if negative else value

    def _primary(self) -> Value:
        node = self._next()
        self._at += 1
        if node is None:
            raise NotArithmetic
        if node.kind is NodeKind.SYMBOL and node.text in _CLOSING:
            return self._bracketed(_CLOSING[node.text])
        return self._powered(self._inner(node.parts[0]), node) if node.kind is NodeKind.SCRIPTED else self._value(node)

    def _bracketed(self, closer: str) -> Value:
        """Up to a closing bracket, which may carry an exponent."""
        self._depth += 1
        if self._depth > MAX_BRACKETS:
            raise NotArithmetic
        value = self._sum()
        self._depth -= 1
        node = self._next()
        self._at += 1
        if node is not None and node.kind is NodeKind.SCRIPTED and [base.text for base in node.parts[0]] == [closer]:
            return self._powered(value, node)
        if node is None or node.text != closer:
            raise NotArithmetic
        return value

    def _value(self, node: Node) -> Value:
        if node.kind is NodeKind.NUMBER:
            return self._number(node.text)
        if node.kind is NodeKind.GROUP or (node.kind is NodeKind.FENCE and node.text in _FENCES):
            return self._inner(node.parts[0])
        if node.kind is NodeKind.COMMAND and node.text in _FRACTIONS:
            top, bottom = node.parts[-2:]
            return self._inner(top).over(self._inner(bottom))
        if node.kind is NodeKind.COMMAND and node.text == "\\sqrt":
            degree = self._inner(node.parts[0]) if node.parts[0] else Value(Fraction(2), Fraction(2))
            if not degree.is_exact or degree.low.denominator != 1:
                raise NotArithmetic
            return self._inner(node.parts[1]).root(int(degree.low))
        if node.kind is NodeKind.COMMAND and node.text in _SET_ALIKE:
            return self._inner(node.parts[0])
        raise NotArithmetic

    def _number(self, digits: str) -> Value:
        if len(digits) > LONGEST:
            raise NotArithmetic
        value = Fraction(Decimal(digits))
        slack = self._slack(digits)
        return Value(value - slack, value + slack, terms=1)

    def _inner(self, nodes: Sequence[Node]) -> Value:
        if self._depth >= MAX_BRACKETS:
            raise NotArithmetic
        return _Evaluator(nodes, self._reading, self._units, self._slack, self._depth + 1).whole()

    def _powered(self, base: Value, node: Node) -> Value:
        _, below, above = node.parts
        if below or not above:
            raise NotArithmetic
        return base.power(self._inner(above))

    def _currency_before(self) -> None:
        node = self._next()
        if node is None:
            return
        words = _words(node)
        name = _CURRENCIES.get(node.text) or (words[0] if len(words) == 1 and words[0] in CODES else None)
        if name is not None:
            self._units.currencies.add(name)
            self._at += 1

    def _with_units(self, value: Value) -> Value:
        """The value with what follows it: a percent sign, a currency, words."""
        while (node := self._next()) is not None:
            if node.text in _PERCENT:
                value = value.scaled(_PER_CENT) if self._reading.percent else value
            elif node.text in _CURRENCIES:
                self._units.currencies.add(_CURRENCIES[node.text])
            elif words := _words(node):
                value = self._with_words(value, words)
            else:
                break
            self._at += 1
        return value

    def _with_words(self, value: Value, words: list[str]) -> Value:
        others = []
        for word in words:
            lower = word.lower()
            scale = SCALES.get(lower) or LETTER_SCALES.get(word)
            if scale is not None:
                value = value.scaled(Fraction(scale)) if self._reading.words else value
            elif lower in _OTHER_SCALES:
                raise NotArithmetic
            elif word in CODES or lower in CURRENCY_WORDS:
                self._units.currencies.add(CURRENCY_WORDS.get(lower, word))
            elif lower not in _PERCENT_WORDS:
                others.append(lower)
        if others:
            self._units.names.add(" ".join(others))
        points = any(word.lower() in _PERCENT_WORDS for word in words)
        return value.scaled(_PER_CENT) if points and self._reading.percent else value

    def _opens_bracket(self) -> bool:
        node = self._next()
        inner = node.parts[0][0] if node is not None and node.kind is NodeKind.SCRIPTED and node.parts[0] else node
        return inner is not None and (inner.kind is NodeKind.FENCE or inner.text in _CLOSING)

    def _take(self, texts: frozenset[str]) -> bool:
        taken = self._text() in texts
        self._at += taken
        return taken

    def _text(self) -> str:
        node = self._next()
        return node.text if node is not None else ""

    def _next(self) -> Node | None:
        return self._nodes[self._at] if self._at < len(self._nodes) else None


def _words(node: Node) -> list[str]:
    """The words of a piece of text in a formula."""
    if node.kind is not NodeKind.COMMAND or node.text not in _TEXT or not node.parts or not node.parts[0]:
        return []
    content = "".join(part.text for part in node.parts[0])
    return [word for piece in content.replace("\\", " ").split() if (word := piece.strip(".,;:()[]{}"))]
