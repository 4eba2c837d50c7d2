"""What introduces an item or a table row, without which a fragment such as `$5 for members` says nothing."""

from dataclasses import dataclass

from docmind.domain.verdicts import CitationMarker
from docmind.quality.sentences import Sentence
from docmind.quality.units import UnitKind

_LONGEST = 300
"""What is longer introduces nothing, and would be read again with each of its items."""
_ANNOUNCED = (":", " as follows.", " below.", " include", " includes", " are", " is")


@dataclass(frozen=True, slots=True)
class Lead:
    text: str = ""
    citations: tuple[CitationMarker, ...] = ()

    def then(self, other: "Lead") -> "Lead":
        text = f"{self.text} {other.text}".strip()
        return Lead(text if len(text) <= _LONGEST else other.text, other.citations or self.citations)


_NONE = Lead()


class Leads:
    """Follows the sentences of an answer in order and knows what introduces the next one."""

    def __init__(self) -> None:
        self._intro = self._head = _NONE
        self._parents: list[tuple[int, Lead]] = []
        """The items that are still open, outermost first, each with its indentation and what it leads its own with."""

    def of(self, sentence: Sentence, text: str) -> Lead:
        """What introduces this sentence, whose text without its markers is `text`."""
        said = Lead(text, sentence.citations) if len(text) <= _LONGEST else _NONE
        match sentence.kind:
            case UnitKind.ITEM:
                return self._item(sentence.indent, said)
            case UnitKind.ROW:
                return self._intro.then(self._head)
            case UnitKind.HEADING if "|" in text:
                self._head = said
            case UnitKind.HEADING:
                self._intro, self._head = said, _NONE
            case UnitKind.PROSE if text.rstrip("*_ ").endswith(_ANNOUNCED):
                self._intro, self._head = said, _NONE
            case _:
                self._intro = self._head = _NONE
        self._parents.clear()
        return _NONE

    def _item(self, indent: int, said: Lead) -> Lead:
        while self._parents and self._parents[-1][0] >= indent:
            self._parents.pop()
        lead = self._intro.then(self._parents[-1][1]) if self._parents else self._intro
        self._parents.append((indent, said))
        return lead
