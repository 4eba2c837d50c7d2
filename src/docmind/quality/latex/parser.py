"""Reads a formula into its tree, and says of everything in it that cannot be drawn what is wrong."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from docmind.domain.documents import Span
from docmind.quality.latex.tokens import (
    ARGUMENTS,
    BRACELESS,
    CELLS_AND_ROWS,
    DELIMITERS,
    DISPLAY_ONLY,
    ENVIRONMENTS,
    REFUSED,
    ROWS,
    WITH_COLUMNS,
    Numeral,
    Token,
    cut,
    read_numeral,
)


class Fault(StrEnum):
    """What is wrong: how it is written, a command, or what it says."""

    BROKEN = "broken"
    """It cannot be set, or not as it was meant."""
    UNKNOWN = "unknown"
    """A command or environment that the page cannot draw."""
    UNSAFE = "unsafe"
    """A command that does something else than draw mathematics."""
    FALSE = "false"
    """An equation of plain numbers that does not hold."""


@dataclass(frozen=True, slots=True)
class LatexProblem:
    """One thing wrong with a formula, at its characters in the answer."""

    fault: Fault
    span: Span
    reason: str
    """As a sentence, for whoever has to repair it."""


class NodeKind(StrEnum):
    """What a node of a formula is."""

    SYMBOL = "symbol"
    NUMBER = "number"
    COMMAND = "command"
    """With its arguments as parts."""
    GROUP = "group"
    """What stands in braces."""
    FENCE = "fence"
    """What stands between \\left and \\right; its text are the two delimiters."""
    ENVIRONMENT = "environment"
    SCRIPTED = "scripted"
    """Its parts are the base, the subscript and the superscript, each empty where there is none."""


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of a formula; the text of a number is its digits and decimal point alone."""

    kind: NodeKind
    text: str
    span: Span
    parts: "tuple[tuple[Node, ...], ...]" = ()


Nodes = tuple[Node, ...]


BARE = {
    "%": "A bare % begins a comment that hides the rest of the line; write \\%.",
    "#": "A bare # has no meaning in a formula; write \\#.",
    "$": "A bare $ cannot stand inside a formula; write \\$.",
}
_IN_TEXT = {**BARE, **{mark: f"A bare {mark} cannot stand in text; write \\{mark}." for mark in "_^&"}}
_IN_TEXT["^"] = "A bare ^ cannot stand in text; close the text before it."


class Cursor:
    """A place among the tokens, which only moves on."""

    def __init__(self, text: str, body: Span) -> None:
        self.problems: list[LatexProblem] = []
        self.text = text
        self.tokens = cut(text, body)
        self.at = 0

    def next(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def since(self, token: Token) -> Span:
        return Span(token.start, self.tokens[self.at - 1].end)

    def report(self, token: Token, reason: str, fault: Fault = Fault.BROKEN) -> None:
        self.problems.append(LatexProblem(fault, token.span, reason))

    def words(self, opening: Token) -> Nodes:
        """Text within a formula: its letters are not looked at, but marks of mathematics are out of place."""
        start = self.at
        content = self.raw(opening)
        for token in self.tokens[start : self.at]:
            if token.text in _IN_TEXT:
                self.report(token, _IN_TEXT[token.text])
            elif token.is_command and token.text[1:] in REFUSED:
                self.report(token, f"{token.text} is refused, because it {REFUSED[token.text[1:]]}.", Fault.UNSAFE)
            elif token.is_command and token.text[1:] not in ARGUMENTS:
                self.report(token, f"{token.text[:40]} is no command that can be drawn.", Fault.UNKNOWN)
        return content

    def raw(self, opening: Token) -> Nodes:
        """Everything up to the brace that closes `opening`, as one piece of text."""
        depth = 1
        while (token := self.next()) is not None:
            self.at += 1
            depth += {"{": 1, "}": -1}.get(token.text, 0)
            if depth == 0:
                return (Node(NodeKind.SYMBOL, self.text[opening.end : token.start], Span(opening.end, token.start)),)
        self.report(opening, "{ is never closed by }.")
        return ()


def symbol(token: Token) -> Node:
    return Node(NodeKind.SYMBOL, token.text, token.span)


MAX_DEPTH = 32
"""Brackets, commands and environments within each other; no formula that people read comes near."""
_NONE: frozenset[str] = frozenset()
_CLOSERS = frozenset({"}", "\\right", "\\end"})
_NO_ARGUMENT = _CLOSERS | CELLS_AND_ROWS | {"^", "_"}


def parse(text: str, body: Span, *, display: bool) -> tuple[Nodes, list[LatexProblem]]:
    """The tree of the formula at `body`, as far as it can be read, and its problems in order. Linear in its length."""
    parser = _Parser(text, body, display=display)
    nodes = parser.sequence("", _NONE)
    return nodes, sorted(parser.problems, key=lambda problem: problem.span)


class _Parser(Cursor):
    """Goes through the tokens once. What cannot be read is reported and passed over, so that the rest is read too."""

    def __init__(self, text: str, body: Span, *, display: bool) -> None:
        super().__init__(text, body)
        self._display = display
        self._depth = 0
        self._given_up = False
        self._awaited: Counter[str] = Counter()
        """How many open brackets wait for each closing mark."""

    def sequence(self, closer: str, marks: frozenset[str]) -> Nodes:
        """Nodes up to `closer`, or up to a mark that closes something further out; neither is consumed."""
        nodes: list[Node] = []
        while (token := self.next()) is not None and token.text != closer:
            if token.text in _CLOSERS:
                if self._awaited[token.text]:
                    break
                self.report(token, f"{token.text} closes nothing here.")
                self.at += 1
            else:
                nodes.append(self._scripted(marks))
        return tuple(nodes)

    def _scripted(self, marks: frozenset[str]) -> Node:
        """One thing with its sub- and superscript."""
        first = self.tokens[self.at]
        base: Nodes = () if first.text in ("^", "_") else (self._single(marks),)
        scripts: dict[str, Nodes] = {}
        primed = False
        while (mark := self.next()) is not None and mark.text in ("^", "_", "'"):
            self.at += 1
            place = "_" if mark.text == "_" else "^"
            # Primes may be followed by a superscript, x'^2, but not the other way round.
            if place in scripts and not (primed and place == "^"):
                name = "subscripts" if place == "_" else "superscripts"
                self.report(mark, f"Two {name} follow on one another; put braces round what belongs together.")
            kept = scripts[place][:1] if primed and place == "^" else ()
            primed = mark.text == "'" or (primed and place == "_")
            scripts[place] = (symbol(mark),) if mark.text == "'" else kept + self._argument(mark, "m")
        if not scripts:
            return base[0]
        span = Span(first.start, self.tokens[self.at - 1].end)
        return Node(NodeKind.SCRIPTED, "", span, (base, scripts.get("_", ()), scripts.get("^", ())))

    def _single(self, marks: frozenset[str]) -> Node:
        """One token with all that belongs to it."""
        token = self.tokens[self.at]
        if token.is_digits or token.text == ".":
            numeral = read_numeral(self.tokens, self.at)
            if numeral is not None:
                return self._number(numeral)
        self.at += 1
        if token.text == "{":
            content = self._enclosed(token, "}", _NONE)
            return Node(NodeKind.GROUP, "{}", self.since(token), (content,))
        if token.text in CELLS_AND_ROWS:
            if token.text not in marks:
                self.report(token, f"{token.text} parts cells or rows and can only stand in an environment.")
        elif token.text in BARE:
            self.report(token, BARE[token.text])
        elif token.text == "\\":
            self.report(token, "The formula ends with a backslash.")
        elif token.is_command:
            return self._command(token)
        return symbol(token)

    def _number(self, numeral: Numeral) -> Node:
        span = Span(self.tokens[self.at].start, self.tokens[numeral.end - 1].end)
        self.at = numeral.end
        return Node(NodeKind.NUMBER, numeral.digits, span)

    def _command(self, token: Token) -> Node:
        name = token.text[1:]
        if name == "left":
            return self._fence(token)
        if name == "begin":
            return self._environment(token)
        if name in REFUSED:
            self.report(token, f"{token.text} is refused, because it {REFUSED[name]}.", Fault.UNSAFE)
            while (following := self.next()) is not None and following.text == "{":
                self.at += 1
                self.raw(following)
        elif name not in ARGUMENTS:
            self.report(token, f"{token.text[:40]} is no command that can be drawn.", Fault.UNKNOWN)
        if name == "middle" and not self._awaited["\\right"]:
            self.report(token, "\\middle can only stand between \\left and \\right.")
        parts = tuple(self._argument(token, kind) for kind in ARGUMENTS.get(name, ""))
        return Node(NodeKind.COMMAND, token.text, self.since(token), parts)

    def _argument(self, owner: Token, kind: str) -> Nodes:
        token = self.next()
        if kind == "?":
            return self._optional()
        if kind == "d":
            return (symbol(self._delimiter(owner)),)
        if token is None or token.text in _NO_ARGUMENT:
            self.report(owner, f"{owner.text} lacks what it stands for or applies to.")
            return ()
        if token.text != "{":
            return self._without_braces(owner, token, kind)
        self.at += 1
        if kind in ("t", "r"):
            return self.words(token) if kind == "t" else self.raw(token)
        return self._enclosed(token, "}", ROWS if kind == "l" else _NONE)

    def _optional(self) -> Nodes:
        token = self.next()
        if token is None or token.text != "[":
            return ()
        self.at += 1
        return self._enclosed(token, "]", _NONE)

    def _without_braces(self, owner: Token, token: Token, kind: str) -> Nodes:
        if kind in ("t", "r"):
            self.report(owner, f"{owner.text} needs braces round what follows it.")
            return ()
        if token.is_command and ARGUMENTS.get(token.text[1:]) and token.text[1:] not in BRACELESS:
            self.report(owner, f"{owner.text} needs braces round {token.text}.")
        if token.is_digits and len(token.text) > 1:
            if ARGUMENTS.get(owner.text[1:]) != "mm":
                self.report(owner, f"{owner.text} takes the first digit of {token.text[:20]} alone; use braces.")
            # \frac12 is one half: each argument takes a digit.
            self.tokens[self.at] = Token(token.text[1:], token.start + 1, token.end)
            return (Node(NodeKind.NUMBER, token.text[0], Span(token.start, token.start + 1)),)
        self._enter(owner)
        nodes = (self._single(_NONE),) if not self._given_up else ()
        self._depth -= 1
        return nodes

    def _enclosed(self, opening: Token, closer: str, marks: frozenset[str]) -> Nodes:
        """What stands up to `closer`, which is consumed."""
        self._enter(opening)
        self._awaited[closer] += 1
        nodes = self.sequence(closer, marks)
        self._awaited[closer] -= 1
        self._depth -= 1
        token = self.next()
        if token is not None and token.text == closer:
            self.at += 1
        elif not self._given_up:
            self.report(opening, f"{opening.text} is never closed by {closer}.")
        return nodes

    def _enter(self, opening: Token) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH and not self._given_up:
            self.report(opening, f"The formula is nested more than {MAX_DEPTH} deep.")
            self._given_up = True
        if self._given_up:
            self.at = len(self.tokens)

    def _fence(self, token: Token) -> Node:
        left = self._delimiter(token)
        content = self._enclosed(token, "\\right", _NONE)
        closing = self.tokens[self.at - 1]
        right = self._delimiter(closing) if closing.text == "\\right" and not self._given_up else closing
        return Node(NodeKind.FENCE, left.text + right.text, self.since(token), (content,))

    def _delimiter(self, owner: Token) -> Token:
        token = self.next()
        if token is not None and token.text in DELIMITERS:
            self.at += 1
            return token
        self.report(owner, f"{owner.text} has to be followed by a bracket, or by a full stop for none.")
        return owner

    def _environment(self, token: Token) -> Node:
        name = self._name(token)
        if name not in ENVIRONMENTS:
            self.report(token, f"{name[:20] or 'A nameless one'} is no environment that can be drawn.", Fault.UNKNOWN)
        elif name in DISPLAY_ONLY and not self._display:
            self.report(token, f"{name} stands on a line of its own and cannot be set within a sentence.")
        columns = self.next()
        if name in WITH_COLUMNS and columns is not None and columns.text == "{":
            self.at += 1
            self.raw(columns)
        elif name in WITH_COLUMNS:
            self.report(token, f"{name} has to be told its columns, in braces.")
        content = self._enclosed(token, "\\end", ENVIRONMENTS.get(name, CELLS_AND_ROWS))
        closing = self.tokens[self.at - 1]
        if closing.text == "\\end" and not self._given_up:
            ended = self._name(closing)
            if ended != name:
                self.report(closing, f"\\end{{{ended[:20]}}} stands where \\begin{{{name[:20]}}} has to be ended.")
        return Node(NodeKind.ENVIRONMENT, name, self.since(token), (content,))

    def _name(self, owner: Token) -> str:
        """The name in the braces after \\begin or \\end."""
        opening = self.next()
        if opening is None or opening.text != "{":
            self.report(owner, f"{owner.text} has to be followed by a name in braces.")
            return ""
        self.at += 1
        self.raw(opening)
        return self.text[opening.end : self.tokens[self.at - 1].start].strip()
