"""Which company a document is of: the registrant on the cover of a filing, else the one name on its title page."""

import re
from collections import Counter
from collections.abc import Sequence

from docmind.domain.companies import name_key
from docmind.domain.documents import Block

LONGEST_LINE = 200
"""Characters of a line of a title page."""
TITLE_BLOCKS = 12
# A name in capitals on the cover is written out soon after, if it ever is.
SPELLING_CHARACTERS = 100_000

_REGISTRANT = re.compile(
    r"([^\n(]{2,200})[\s(]*exact name of (?:the )?(?:registrants?|company) as specified in (?:its|their|the) charters?",
    re.IGNORECASE,
)
_AFTER_FILE_NUMBER = re.compile(
    r"commission\s+file\s+(?:number|no\.?):?\s*[\d-]{5,}\s*\n([^\n]{2,100})\n", re.IGNORECASE
)
_FILER = re.compile(r"securities\s+exchange\s+act\s+of\s+1934", re.IGNORECASE)
_MOSTLY = 0.9
_FORM = (
    r"(?:Inc|Incorporated|Corp|Corporation|Ltd|Limited|LLC|PLC|plc|AG|GmbH|SE|S\.A|N\.V|L\.P|Limited Partnership"
    r"|Holdings)\b\.?"
)
_COMPANY_NAME = re.compile(
    rf"(?<![\w&.'’-])([a-z]?[A-Z][\w&.'’-]*,?\s+(?:(?:[A-Z][\w&.'’-]*,?|of|and|&)\s+){{0,5}}?{_FORM})"
)
_FIRST_OF_SEVERAL = re.compile(rf"^(.{{2,100}}?\b{_FORM}(?:,? {_FORM})*)\s+(?!of\b|and\b|&).*\b{_FORM}", re.IGNORECASE)
_LISTED = re.compile(
    r"((?:[a-z]?[A-Z][\w&.'’-]*,? ){0,5}[a-z]?[A-Z][\w&.'’-]*,?)"
    r"\s*\((?i:nasdaq|nyse|lse|xetra)\s*:\s*[A-Z]{1,5}(?:\.[A-Z])?\s*\)"
)
_WORK = re.compile(
    r"^.*\b(?:report|paper|statements?|strategy|policy|minutes|plan|agreement|figures)\s+(?:of|for|by|on)?\s*", re.I
)


def registrant_on(opening: str) -> str | None:
    """The company on the cover of a filing; no other document has that line and the law's name together."""
    if not _FILER.search(opening):
        return None
    match = _REGISTRANT.search(opening) or _AFTER_FILE_NUMBER.search(opening)
    return match[1].strip() if match else None


def company_in(opening: str, text: str, blocks: Sequence[Block]) -> str | None:
    if registrant := registrant_on(opening):
        # A company and its partnership file together; the first is the one that people speak of.
        several = _FIRST_OF_SEVERAL.match(registrant)
        return _as_written(several[1] if several else registrant, text)
    lines = (block.span.of(text) for block in blocks[:TITLE_BLOCKS] if len(block.span) <= LONGEST_LINE)
    found = (match[1] for line in lines for match in _COMPANY_NAME.finditer(line))
    names = {name_key(name): name for name in (_as_written(_WORK.sub("", one), text) for one in found)}
    if len(names) == 1:
        return next(iter(names.values()))
    # Two names on a title page are two parties; a release gives the symbol of the one it is about.
    listed = {name_key(match[1]): match[1] for match in _LISTED.finditer(opening)}
    return next(iter(listed.values())).strip() if len(listed) == 1 else None


def _as_written(name: str, text: str) -> str:
    """A name in capitals as the document writes it elsewhere; failing that, with capital initials."""
    name = re.sub(r"\s+", " ", name).strip(" *#|")
    if not _is_in_capitals(name):
        return name
    spelt = re.finditer(re.escape(name), text[:SPELLING_CHARACTERS], re.IGNORECASE)
    written = Counter(match[0] for match in spelt if not _is_in_capitals(match[0]))
    if written:
        return written.most_common(1)[0][0]
    return " ".join(
        word.capitalize() if len(word) > 3 or word.strip(".,") in ("INC", "CO") else word for word in name.split()
    )


def _is_in_capitals(name: str) -> bool:
    """All of it but a letter or two: McDONALD'S CORPORATION."""
    letters = [letter for letter in name if letter.isalpha()]
    return sum(map(str.isupper, letters)) >= _MOSTLY * len(letters)
