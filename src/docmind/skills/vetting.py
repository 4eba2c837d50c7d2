"""Takes out of a model's draft what no check looks at: a document may have told the model to write it."""

import re
from collections.abc import Iterable

from docmind.domain.documents import Span
from docmind.quality.audit import ASSERT_NOTHING
from docmind.quality.claims import claims
from docmind.quality.markdown import UnitKind
from docmind.quality.sentences import Sentence, split

_ADDRESS = re.compile(
    r"<?(?:(?:[a-z][a-z0-9+.-]{1,20}:)?//[^\s<>\"'`]++"
    r"|\b(?:javascript:|vbscript:|mailto:|tel:|file:|data:[a-z]{1,20}/)[^\s<>\"'`]++"
    r"|\bwww\.[^\s<>\"'`]++"
    r"|\b[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,63}+)>?",
    re.IGNORECASE,
)
_AFTER_ADDRESS = ".,;:!?)]}*_"
_LINK = re.compile(
    r"(!?)\[([^\[\]\n]{0,500}+)\]"
    r"\(\s*+[^()\s]{0,2000}+(?:\([^()\s]{0,500}+\)[^()\s]{0,500}+){0,3}(?:\s++[\"'][^\"'\n]{0,300}+[\"'])?\s*+\)"
)
_TAG = re.compile(
    r"<(?:!--|/?(?:a|img|script|style|iframe|svg|object|embed|form|input|button|video|audio|source|link|meta|base"
    r"|div|span|p|br|b|i|details|summary|table|math)\b)[^<>]{0,2000}+>",
    re.IGNORECASE,
)
_EMPTIED = re.compile(r"^(?:#{1,6}+|(```|~~~)[^\n`~]{0,40}+\s++\1)[ \t]*+$", re.MULTILINE)
_WORD = re.compile(r"[^\W\d_]{4,40}+")
_QUESTION = ("?", "？", "؟")
_CLOSING = "\"'”’)*_ "
_MOST_NESTED = 8
_SHORT_HEAD = 3
"""Words that the head of a column may have without saying anything."""
_AROUND = ".,;:!?()[]*_\"'“”‘’"


def vetted(draft: str, evidence: Iterable[str], *, asked: str) -> str:
    """The draft as plain text, less whatever would go out unchecked and is not made of the evidence's own words.

    Every claim stays as it was written: that is for the judge to see.
    """
    known = _KnownText([*evidence, asked])
    text = _plain(draft, known)
    checked = {claim.span for claim in claims(text) if claim.exemption not in ASSERT_NOTHING}
    kept, position = [], 0
    for sentence in split(text):
        if sentence.span not in checked and not known.has(sentence):
            kept.append(text[position : sentence.span.start])
            position = sentence.span.end
    return _EMPTIED.sub("", "".join((*kept, text[position:]))).strip()


def _plain(draft: str, known: "_KnownText") -> str:
    """Without links, images, markup and addresses that no passage holds: shown elsewhere, they would send something."""
    for _ in range(_MOST_NESTED):
        text = _plainer(draft, known)
        if text == draft:
            return text
        draft = text
    # Nobody means well who writes addresses within addresses within addresses.
    return ""


def _plainer(draft: str, known: "_KnownText") -> str:
    """The same looked through once; taking an address out of another may leave a third."""

    def address(found: re.Match[str]) -> str:
        bare = found[0].strip("<>").rstrip(_AFTER_ADDRESS)
        return found[0] if known.says(bare) else found[0].strip("<>")[len(bare) :]

    text = _LINK.sub(lambda link: "" if link[1] else link[2], draft)
    text = _ADDRESS.sub(address, _TAG.sub("", text))
    # What is still written like a link, because its address is written in some odd way, is none with a space in it.
    return text.replace("](", "] (")


class _KnownText:
    """What the passages and the question say."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._text = "\n".join(texts)
        self._flat = " ".join(self._text.split())
        self._words = {word.casefold() for word in _WORD.findall(self._text)}

    def says(self, words: str) -> bool:
        return bool(words) and words in self._text

    def has(self, sentence: Sentence) -> bool:
        """Whether something that is not checked is made of these words: code to the letter, a title by its words."""
        text = sentence.text
        if sentence.kind is UnitKind.CODE:
            lines = (line for line in map(_flat, text.splitlines()) if line and not line.startswith(("```", "~~~")))
            return all(line in self._flat for line in lines)
        if text.rstrip(_CLOSING).endswith(_QUESTION):
            return False
        if sentence.kind is UnitKind.HEADING and not all(map(self._names, text.split("|"))):
            return False
        outside = _outside(text, (marker.span for marker in sentence.citations), sentence.span.start)
        return all(self.says(one.strip(_AROUND)) for one in outside.split() if any(map(str.isdigit, one)))

    def _names(self, title: str) -> bool:
        """Whether a title or the head of a column says nothing new, or too little to say anything."""
        return len(title.split()) <= _SHORT_HEAD or self._words.issuperset(map(str.casefold, _WORD.findall(title)))


def _flat(line: str) -> str:
    return " ".join(line.split())


def _outside(text: str, spans: Iterable[Span], base: int) -> str:
    """The text without its citations, whose numbers say nothing."""
    kept, position = [], 0
    for span in sorted(set(spans)):
        kept.append(text[position : span.start - base])
        position = max(position, span.end - base)
    return " ".join((*kept, text[position:]))
