"""What stands around a passage and holds for all that it says: whose document, of when, and under which headings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from docmind.domain.documents import Passage
from docmind.quality.conflicts.times import without_times
from docmind.quality.conflicts.words import GENERIC, keys, modes
from docmind.quality.quantities import Period, read
from docmind.quality.quantities.tokens import Token, vocabulary

_COMPANY_FORMS = vocabulary("inc corp corporation ltd limited plc gmbh ag se llc nv sa ab oyj asa co holdings holding")
_NAME_WORDS = 4
SHORT_HEADING = 3
"""Words; a heading of so few that are not of the usual sort names a part of the whole: "Europe", "Cloud services"."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A passage with what its headings and its document's subject tell."""

    passage: Passage
    subject: frozenset[str]
    """Whom or what the document is about; empty where that is not known."""
    edition: Period | None
    """When the document is of, as its title or subject says."""
    periods: frozenset[Period]
    """When the section is of; more than one where it sets times side by side."""
    modes: frozenset[str]
    sections: frozenset[str]
    """The telling words of all headings below the title."""
    part: frozenset[str]
    """Those of the short headings."""

    @property
    def period(self) -> Period | None:
        """The one time that the section is of."""
        return _only(self.periods)

    @property
    def is_section(self) -> bool:
        """Whether headings below the title say where in the document it stands."""
        return len(self.passage.heading) > 1


def read_setting(passage: Passage, subject: str | None) -> Setting:
    title, sections = passage.heading[:1], passage.heading[1:]
    tokens = [without_times(heading) for heading in sections]
    words = [frozenset(keys(_outside_brackets(section), GENERIC)) for section in tokens]
    return Setting(
        passage=passage,
        subject=_subject(subject) if subject is not None else _company(without_times("".join(title))),
        edition=_only(_periods((subject or "", *title))),
        periods=_periods(sections),
        modes=modes(token for heading in (*title, subject or "") for token in without_times(heading))
        | modes(token for section in tokens for token in section),
        sections=frozenset().union(*words),
        part=frozenset().union(*(found for found in words if len(found) <= SHORT_HEADING)),
    )


def same_subject(a: Setting, b: Setting) -> bool:
    """Whether two passages may speak of the same; what is not known of one hinders nothing."""
    return not a.subject or not b.subject or not a.subject.isdisjoint(b.subject)


def _outside_brackets(tokens: Sequence[Token]) -> Iterator[Token]:
    """A heading without "(in millions, except per share data)"."""
    depth = 0
    for token in tokens:
        depth += token.text == "("
        if not depth:
            yield token
        depth -= token.text == ")" and depth > 0


def _subject(text: str) -> frozenset[str]:
    return frozenset(word for word in keys(without_times(text), GENERIC | _COMPANY_FORMS) if not word.isdigit())


def _company(title: tuple[Token, ...]) -> frozenset[str]:
    """The name before "Inc." or "Ltd": capital words only."""
    for index, token in enumerate(title):
        if token.lower.replace(".", "") in _COMPANY_FORMS and token.is_capital and index:
            before = [word for word in title[max(index - _NAME_WORDS, 0) : index] if word.is_capital]
            return frozenset(keys(before, GENERIC | _COMPANY_FORMS))
    return frozenset()


@lru_cache(maxsize=1024)
def _periods(headings: tuple[str, ...]) -> frozenset[Period]:
    """Those of the innermost heading that names any; many passages share their headings."""
    for heading in reversed(headings):
        found = frozenset(mention.key for mention in read(heading) if isinstance(mention, Period))
        if found:
            return found
    return frozenset()


def _only(periods: frozenset[Period]) -> Period | None:
    return next(iter(periods)) if len(periods) == 1 else None
