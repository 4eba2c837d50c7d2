"""Works out a formula of plain numbers; whatever holds a variable, a function or a doubt is left alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from docmind.quality.latex.parser import Node, NodeKind
from docmind.quality.quantities.computed import root
from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.quantities.units import CODES, CURRENCY_WORDS, LETTER_SCALES, SCALES, SYMBOLS

MAX_BITS = 1000
"""Longest numerator or denominator; beyond it nobody means the arithmetic, and the time it takes stays bounded."""
MAX_DEGREE = 400
_ROOT_ERROR = Fraction(1, 10**36)
"""Share by which a root that was cut after its digits may be off."""


class NotArithmetic(Exception):
    """What stands there is no plain arithmetic, or more of it than is worth doing."""


@dataclass(frozen=True, slots=True)
class Value:
    """Everything from `low` to `high`, which are the same where the value is exact."""

    low: Fraction
    high: Fraction
    terms: int | None = None
    """How many numbers were added up, where the value is a sum or mean of them and so has their unit."""
    hundredfold: bool = False
    """Whether it was multiplied by 100 last, as a percentage is."""

    def __post_init__(self) -> None:
        for end in (self.low, self.high):
            if max(end.numerator.bit_length(), end.denominator.bit_length()) > MAX_BITS:
                raise NotArithmetic

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    @property
    def middle(self) -> Fraction:
        return (self.low + self.high) / 2

    def plus(self, other: "Value") -> "Value":
        terms = None if self.terms is None or other.terms is None else self.terms + other.terms
        return Value(self.low + other.low, self.high + other.high, terms)

    def negated(self) -> "Value":
        return Value(-self.high, -self.low, self.terms, self.hundredfold)

    def times(self, other: "Value") -> "Value":
        corners = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Value(min(corners), max(corners), hundredfold=self._is(100) or other._is(100))

    def over(self, other: "Value") -> "Value":
        if other.low <= 0 <= other.high:
            raise NotArithmetic
        inverse = Value(1 / other.high, 1 / other.low)
        mean = self.terms is not None and other._is(self.terms)
        result = self.times(inverse)
        return Value(result.low, result.high, self.terms if mean else None)

    def scaled(self, factor: Fraction) -> "Value":
        """The same in another unit."""
        ends = sorted((self.low * factor, self.high * factor))
        return Value(ends[0], ends[1], self.terms, self.hundredfold)

    def power(self, exponent: "Value") -> "Value":
        """To a whole power, or a root, or a root of a power."""
        if not exponent.is_exact:
            raise NotArithmetic
        whole, degree = exponent.low.numerator, exponent.low.denominator
        return Value(*self._raised(whole)).root(degree) if degree > 1 else Value(*self._raised(whole))

    def root(self, degree: int) -> "Value":
        if self.low < 0 or not 1 <= degree <= MAX_DEGREE:
            raise NotArithmetic
        low, low_exact = root(self.low, degree)
        high, high_exact = root(self.high, degree)
        return Value(
            low if low_exact else low * (1 - _ROOT_ERROR),
            high if high_exact else high * (1 + _ROOT_ERROR),
        )

    def overlaps(self, other: "Value") -> bool:
        return self.low <= other.high and other.low <= self.high

    def _is(self, number: int) -> bool:
        return self.low == self.high == number

    def _raised(self, exponent: int) -> tuple[Fraction, Fraction]:
        bits = max(part.bit_length() for end in (self.low, self.high) for part in (end.numerator, end.denominator))
        if bits * abs(exponent) > MAX_BITS or (exponent < 0 and self.low <= 0 <= self.high):
            raise NotArithmetic
        if self.low < 0 and not self.is_exact:
            raise NotArithmetic
        ends = sorted((self.low**exponent, self.high**exponent))
        return ends[0], ends[1]


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
