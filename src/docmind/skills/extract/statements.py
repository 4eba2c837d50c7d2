"""What the retrieved passages say, statement by statement, each with what it cannot be understood without."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from docmind.domain.documents import Passage
from docmind.domain.search import Hit
from docmind.quality.markdown import UnitKind
from docmind.quality.sentences import Sentence, passage_sentences
from docmind.quality.words import words

_SAYING = frozenset((UnitKind.PROSE, UnitKind.ITEM, UnitKind.ROW))
_LEANING = re.compile(
    r"(?:it|its|this|these|that|those|they|their|he|she|his|her|such|however|instead|otherwise|also|then|therefore|thus)\b",
    re.IGNORECASE,
)
_MEANT = re.compile(r"(?:it|its|they|their|he|she|his|her)\b", re.IGNORECASE)
"""Words for what was named before: a sentence before that leans itself did not name it, what that leans on did."""
_CODE_MARKS = '{}[]<>=\\"$@#_'
_MOST_MARKS = 0.06
_MOST_CHARS = 700
"""What is longer is no sentence that answers anything."""
_QUESTION_MARKS = ("?", "？", "؟")
_POINTING = re.compile(
    r"(?:(?:for|to find|to get) (?:more|additional|further|detailed)|to learn more|learn more|see)\b", re.IGNORECASE
)
"""How a sentence begins that only says where to read on."""
_ANNOUNCING = re.compile(r"\bthe following(?: [\w'-]{1,30}+){0,4}+\.$")
_CONTENTS = frozenset(("contents", "table of contents"))
_SENTENCE_ENDS = (".", "!", "…", "。", "！")
_CLOSING = "\"'”’)]*_ "
_PURPOSE_ALONE = re.compile(r"To [a-z][^,;:]*+$")
"""What a procedure is for, with nothing said of how: the title of its steps."""


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A sentence, list item or table row of a passage, exactly as it stands there."""

    number: int
    """The place of its passage among the hits, from 1: what it is cited by."""
    place: int
    """Its place in the passage."""
    hit: Hit
    sentence: Sentence
    lead: "Statement | None"
    """For an item what introduces its list, for a sentence that leans on the one before it that one."""

    @property
    def text(self) -> str:
        return self.sentence.text

    @property
    def kind(self) -> UnitKind:
        return self.sentence.kind

    @property
    def introduces(self) -> bool:
        return self.text.rstrip("*_ ").endswith(":") or self.announces

    @property
    def is_title(self) -> bool:
        """Whether it is a line of text that does not end as a sentence does: a title, or the head of a page."""
        return self.kind is UnitKind.PROSE and not self.text.rstrip(_CLOSING).endswith(_SENTENCE_ENDS)

    @property
    def announces(self) -> bool:
        """Whether it is a whole sentence that promises a list: more may be said before the list comes."""
        return _ANNOUNCING.search(self.text) is not None


def read_statements(hits: Sequence[Hit]) -> list[Statement]:
    """All statements of the hits in their order."""
    return list(_statements(tuple(hits)))


@lru_cache(maxsize=64)
def _statements(hits: tuple[Hit, ...]) -> tuple[Statement, ...]:
    """Remembered, because each step of a run asks for those of the same hits."""
    return tuple(statement for number, hit in enumerate(hits, 1) for statement in _read(number, hit))


def _read(number: int, hit: Hit) -> Iterator[Statement]:
    before: Statement | None = None
    intro: Statement | None = None
    promised: Statement | None = None
    rows = _rows_begin(hit.passage)
    for place, sentence in enumerate(passage_sentences(hit.passage.text)):
        if sentence.span.start < rows:
            continue
        if sentence.kind is UnitKind.ITEM:
            lead = intro
        elif sentence.kind is UnitKind.PROSE and before is not None and _LEANING.match(sentence.text):
            leans_on_too = before.kind is UnitKind.PROSE and _MEANT.match(sentence.text)
            lead = (before.lead if leans_on_too else None) or before
        else:
            lead = None
        statement = Statement(number, place, hit, sentence, lead)
        if sentence.kind is UnitKind.PROSE:
            promised = statement if statement.announces else promised
            intro = statement if statement.introduces else promised
        elif sentence.kind is UnitKind.ITEM:
            promised = None
        if sentence.kind in _SAYING:
            before = statement
            yield statement


def _rows_begin(passage: Passage) -> int:
    """Where a table's rows begin below its caption, which says what they are and states nothing itself."""
    caption = passage.heading[-1].casefold() if passage.kind == "table" and passage.heading else ""
    line = passage.text.partition("\n")[0]
    first = line.casefold()
    # Of a long caption the heading has the beginning, and a heading that says the same takes its place.
    return len(line) if caption and (first.startswith(caption) or first in caption) else 0


def can_answer(statement: Statement) -> bool:
    """Whether a statement asserts something in words: questions, code and pointers to elsewhere do not."""
    text = statement.text
    if _is_listed_title(statement):
        return False
    if len(text) > _MOST_CHARS or text.rstrip("\"'”’)*_ ").endswith(_QUESTION_MARKS):
        return False
    if _POINTING.match(text) or _PURPOSE_ALONE.match(text) or not any(map(str.isalnum, text)):
        return False
    marks = sum(map(text.count, _CODE_MARKS))
    return marks <= max(2, _MOST_MARKS * len(text))


def _is_listed_title(statement: Statement) -> bool:
    """Whether it stands in a table of contents: the title of something that is said elsewhere."""
    heading = statement.hit.passage.heading
    if not heading or heading[-1].casefold() not in _CONTENTS:
        return False
    return all(word.is_capitalised or word.is_number for word in words(statement.text))
