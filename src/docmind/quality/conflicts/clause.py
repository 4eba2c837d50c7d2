"""The words of a sentence that say what one of its figures or dates is about."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docmind.domain.documents import Span
from docmind.quality.conflicts.words import keys
from docmind.quality.quantities import Mention, Period, read
from docmind.quality.quantities.tokens import Token, Tokens, vocabulary
from docmind.quality.quantities.words import SMALL

_BREAKS = frozenset(";:")
_TURNS = vocabulary("while whereas but although though")
"""They begin a clause with a subject of its own."""
_JOINS = frozenset({"and", "or"})
_STOPS = _TURNS | _JOINS | vocabulary(
    "which who compared versus vs driven due because reflecting reflects primarily mainly mostly partly largely "
    "thanks owing amid following back helped supported offset representing up down including attributable "
    "when if unless"
)  # fmt: skip
"""Behind a figure these begin what explains it."""
LONGEST = 90
"""Tokens of a sentence that is looked at; what is longer was not split as its writer meant it."""


@dataclass(frozen=True, slots=True)
class Place:
    """A token of a sentence, and whether it stands in brackets or belongs to a figure or date."""

    token: Token
    aside: bool
    mention: int | None


class Clauses:
    """A sentence read once, so that each of its mentions can be asked what it is about."""

    def __init__(self, text: str) -> None:
        tokens = Tokens(text if _may_hold_numbers(text) else "")
        self.mentions: Sequence[Mention] = read(text) if 0 < len(tokens) <= LONGEST else []
        self._places = list(_places(tokens, self.mentions)) if self.mentions else []
        self._starts = [place.token.start for place in self._places]
        self._plain = [mention for mention in self.mentions if not self.in_brackets(mention.span)]

    def index(self, span: Span) -> int:
        return bisect_left(self._starts, span.start)

    def before(self, span: Span, count: int) -> list[str]:
        """The words just before a mention, the nearest first."""
        index = self.index(span)
        return [self._places[at].token.lower for at in range(index - 1, max(index - 1 - count, -1), -1)]

    def in_brackets(self, span: Span) -> bool:
        return self._places[self.index(span)].aside

    def periods(self) -> frozenset[Period]:
        """Those that the sentence names outside brackets."""
        return frozenset(mention.key for mention in self._plain if isinstance(mention, Period))

    def periods_beside(self, span: Span) -> tuple[Period | None, Period | None]:
        """The period told next after a figure and the one told just before it, with no other figure between."""
        at = bisect_left([mention.span.start for mention in self._plain], span.start)
        beside = (self._plain[index] if 0 <= index < len(self._plain) else None for index in (at + 1, at - 1))
        following, preceding = (mention.key if isinstance(mention, Period) else None for mention in beside)
        return following, preceding

    def listed(self) -> dict[Span, Period]:
        """The periods of figures that are told in one list as their periods are: "$5m and $4m in 2023 and 2022"."""
        figures = [mention for mention in self._plain if not isinstance(mention, Period)]
        periods = [mention for mention in self._plain if isinstance(mention, Period)]
        alike = len({(figure.unit, figure.currency, figure.counted) for figure in figures}) == 1
        joined = len(figures) > 1 and all(self.in_list(figure.span) for figure in figures)
        if not (alike and joined and len(figures) == len(periods)):
            return {}
        return {figure.span: period.key for figure, period in zip(figures, periods, strict=True)}

    def in_list(self, span: Span) -> bool:
        """Whether "and" joins a figure to another one: which of them is of which time is told elsewhere."""
        own = self._places[self.index(span)].mention
        after = self._past(own) if own is not None else len(self._places)
        before = self.index(span) - 1
        return self._joined(before, before - 1) or self._joined(after, after + 1)

    def _past(self, mention: int) -> int:
        return self.index(Span(self.mentions[mention].span.end, self.mentions[mention].span.end))

    def _joined(self, joint: int, beyond: int) -> bool:
        inside = 0 <= joint < len(self._places) and 0 <= beyond < len(self._places)
        return inside and self._places[joint].token.lower in ("and", "or", ",") and self._is_quantity(beyond)

    def _is_quantity(self, index: int) -> bool:
        mention = self._places[index].mention
        return mention is not None and not isinstance(self.mentions[mention], Period)

    def around(self, span: Span) -> list[Token]:
        """The words of the clause of a mention, without asides, figures and dates, up to what explains it."""
        index = self.index(span)
        words = [place.token for place in self._places[self._begin(index) : index] if _tells(place)]
        for at, place in enumerate(self._places[index:], start=index):
            other = self._is_quantity(at) and place.token.start >= span.end
            if other or (place.mention is None and _closes(place)):
                break
            if _tells(place):
                words.append(place.token)
        return words

    def _begin(self, index: int) -> int:
        """Where the clause of the token at `index` begins: after a break, or where a new subject follows a figure."""
        named = False
        for at in range(index - 1, -1, -1):
            place = self._places[at]
            if place.aside:
                continue
            if place.token.text in _BREAKS or place.token.lower in _TURNS:
                return at + 1
            if named and place.token.lower in _JOINS and self._follows_quantity(at):
                return at + 1
            named = named or (place.mention is None and any(keys([place.token])))
        return 0

    def _follows_quantity(self, index: int) -> bool:
        return any(self._is_quantity(at) for at in range(index))


def _may_hold_numbers(text: str) -> bool:
    """Told by a look at its characters and words, since most sentences hold none."""
    return any(map(str.isdigit, text)) or not SMALL.keys().isdisjoint(text.lower().split())


def _places(tokens: Tokens, mentions: Sequence[Mention]) -> Iterator[Place]:
    depth = number = 0
    for index in range(len(tokens)):
        token = tokens.at(index)
        depth += token.text == "("
        while number < len(mentions) and mentions[number].span.end <= token.start:
            number += 1
        held = number < len(mentions) and mentions[number].span.start <= token.start
        yield Place(token, depth > 0, number if held else None)
        depth = max(depth - (token.text == ")"), 0)


def _closes(place: Place) -> bool:
    return not place.aside and (place.token.text in ",;:" or place.token.lower in _STOPS)


def _tells(place: Place) -> bool:
    return not place.aside and place.mention is None
