"""Which companies a text names: by their whole names, by how people shorten them, in any spelling."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from docmind.domain.companies import LEGAL_FORMS, POSSESSIVE, name_key, word_key
from docmind.skills.question.names import Name

_WORD = re.compile(r"[^\W_]{2,}+(?:['’][^\W_]*+)?+")
_BESIDE = re.compile(
    r"(?:,? (?:and|or|versus|vs\.?|than|with|to)|,) (?:(?:in|at|of|for|by) )?(?:both )?", re.IGNORECASE
)


class Mention(NamedTuple):
    """A company in a text, and where it stands there."""

    company: str
    start: int
    end: int


def named(text: str, companies: Sequence[str]) -> list[str]:
    """Those of the companies that a text names, in its order."""
    return list(dict.fromkeys(mention.company for mention in mentions(text, companies)))


def mentions(text: str, companies: Sequence[str]) -> Iterator[Mention]:
    """Where a text names companies; the longest name that fits a place counts."""
    words = list(_WORD.finditer(text))
    keys = [word_key(word[0]) for word in words]
    aliases = _aliases(companies)
    longest = max(map(len, aliases), default=0)
    at = 0
    while at < len(words):
        lengths = range(min(longest, len(words) - at), 0, -1)
        length = next((n for n in lengths if _fits(text, words[at : at + n], aliases.get(tuple(keys[at : at + n])))), 0)
        if length:
            company = aliases[tuple(keys[at : at + length])]
            yield Mention(company, words[at].start(), words[at + length - 1].end())
        at += length or 1


def without_names(text: str, companies: Sequence[str]) -> str:
    """The text without the companies it names: they would be looked for in the rows of tables."""
    after: Mention | None = None
    for mention in reversed(list(mentions(text, companies))):
        # What joins two names goes with them.
        joined = after is not None and _BESIDE.fullmatch(f"{text[mention.end : after.start]}") is not None
        text = f"{text[: mention.start]} {text[after.start if joined and after else mention.end :]}"
        after = mention
    return " ".join(text.split())


def listed_with(companies: Sequence[str], text: str, names: Iterable[Name]) -> list[Mention]:
    """The other names that stand in one list with a company's, and where with what joins them: eBay and Netflix."""
    known = list(mentions(text, companies))
    found = []
    for name in names:
        start, end = name.span.start, name.span.end
        if any(start < mention.end and mention.start < end for mention in known):
            continue
        before = [one.end for one in known if one.end <= start and _BESIDE.fullmatch(text[one.end : start])]
        behind = [one.start for one in known if end <= one.start and _BESIDE.fullmatch(text[end : one.start])]
        if before or behind:
            found.append(Mention(name.text, *((before[0], end) if before else (start, behind[0]))))
    return found


def asked_of(company: str, text: str, companies: Sequence[str]) -> str:
    """A question on several companies as one on this company alone: names side by side become its name, once."""
    name = short_name(company, companies)
    found = list(mentions(text, companies))
    for at in range(len(found) - 1, -1, -1):
        mention = found[at]
        said, after = text[mention.start : mention.end], text[mention.end :]
        owns = POSSESSIVE.search(said) is not None and POSSESSIVE.search(name) is None
        beside = _BESIDE.match(after) if at + 1 < len(found) else None
        follows = beside is not None and mention.end + beside.end() == found[at + 1].start
        # The name that comes next stands there already, as this company's.
        text = text[: mention.start] + (
            after[beside.end() :] if follows and beside else name + ("'s" if owns else "") + after
        )
    return text


def short_name(company: str, companies: Iterable[str]) -> str:
    """Ellandor for Ellandor Instruments N.V.: the fewest words that tell it from the others."""
    words = [word for word in _WORD.findall(company) if word.lower() not in LEGAL_FORMS]
    key, others = name_key(company), [name_key(other) for other in companies if other != company]
    for length in range(1, len(words)):
        if not any(other[:length] == key[:length] for other in others):
            return " ".join(words[:length])
    return " ".join(words) or company


def _aliases(companies: Sequence[str]) -> dict[tuple[str, ...], str]:
    """What each company may be called: its name, and its first words where no other company begins so."""
    whole = {name_key(company): company for company in companies}
    begin = Counter(key[:length] for key in whole for length in range(1, len(key) + 1))
    starts = ((key[:length], company) for key, company in whole.items() for length in range(1, len(key)))
    return {start: company for start, company in starts if begin[start] == 1} | whole


def _fits(text: str, words: Sequence[re.Match[str]], company: str | None) -> bool:
    """Whether words that are a company's name by their letters are meant as one.

    A name that is cut short may be an ordinary word (“general expenses”): it has to be written as a name.
    """
    if company is None:
        return False
    if len(words) == len(name_key(company)):
        return True
    first = words[0]
    as_written = first[0][:1].isupper() or POSSESSIVE.sub("", first[0]) in company.split()
    return as_written or POSSESSIVE.search(words[-1][0]) is not None or text == text.lower()
