"""Goes over the tokens of a formula, past text and raw arguments, and keeps what is found wrong on the way."""

from docmind.domain.documents import Span
from docmind.quality.latex.commands import ARGUMENTS, REFUSED
from docmind.quality.latex.problem import Fault, LatexProblem
from docmind.quality.latex.tokens import Token, cut
from docmind.quality.latex.tree import Node, NodeKind, Nodes

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
