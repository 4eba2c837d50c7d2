"""The kinds, services and names that a request has in common with the facility table."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from docmind.corpus.facilities.directory import Directory
from docmind.corpus.facilities.spelling import bags, closest, fold, term
from docmind.skills.request.sentence import Sentence

LONGEST_TERM = 5
LONGEST_NAME = 8
_STEM = 6
"""Letters that words of one family share: vaccination, vaccinated, vaccine."""
_SHORTEST_MISSPELT = 6
_OFFERING = frozenset(
    {"with", "offering", "offers", "offer", "providing", "provides", "for", "get", "have", "has", "do"}
)

# How people say what tables call otherwise; each counts only where the table has one of the terms on its right.
_SAYINGS: dict[str, tuple[str, ...]] = {
    "chemist": ("pharmacy",),
    "drugstore": ("pharmacy",),
    "drug store": ("pharmacy",),
    "dentist": ("dental practice", "dental", "dentistry"),
    "dental clinic": ("dental practice",),
    "doctor": ("clinic", "general practice", "surgery"),
    "gp": ("general practice", "clinic"),
    "physician": ("clinic", "general practice"),
    "lab": ("laboratory",),
    "physio": ("physiotherapy",),
    "jab": ("vaccination", "flu jab"),
    "shot": ("vaccination",),
    "flu shot": ("flu jab",),
    "flu vaccine": ("flu jab",),
    "flu vaccination": ("flu jab",),
    "immunisation": ("vaccination",),
    "immunization": ("vaccination",),
    "a&e": ("emergency",),
    "er": ("emergency",),
    "emergency room": ("emergency",),
    "emergency department": ("emergency",),
    "x-ray": ("imaging", "radiology"),
    "mri": ("imaging", "radiology"),
    "scan": ("imaging",),
    "blood work": ("blood test",),
    "pediatrics": ("paediatrics",),
    "pediatrician": ("paediatrics",),
    "children's doctor": ("paediatrics",),
    "checkup": ("check-up",),
}


class Terms(NamedTuple):
    kind: str
    services: tuple[str, ...]


def read_name(sentence: Sentence, directory: Directory) -> str:
    """The name of one facility of the table, said in full."""
    names = {fold(name): name for name in directory.names}
    for start, end in sentence.windows(LONGEST_NAME):
        name = names.get(fold(sentence.phrase(start, end)))
        # A name of one word is too easily a word.
        if name and end - start > 1:
            sentence.take(start, end)
            return name
    return ""


def read_terms(sentence: Sentence, directory: Directory) -> Terms:
    """What kind of facility is wanted and which services; the longest words in common count first."""
    kinds, services = _vocabulary(directory.kinds), _vocabulary(directory.services)
    kind, wanted = "", dict[int, str]()
    for start, end in list(sentence.windows(LONGEST_TERM)):
        if not all(map(sentence.is_free, range(start, end))):
            continue
        for said in _ways_to_say(sentence.phrase(start, end)):
            as_kind, as_service = _match(said, kinds), _match(said, services)
            offered = sentence.lower[start - 1] in _OFFERING if start else False
            if as_kind and not kind and not (offered and as_service):
                kind = as_kind
            elif as_service:
                wanted[start] = as_service
            else:
                continue
            sentence.take(start, end)
            break
    return Terms(kind, tuple(dict.fromkeys(wanted[start] for start in sorted(wanted))))


def _vocabulary(values: Iterable[str]) -> dict[tuple[str, ...], str]:
    return {term(value): value for value in reversed(tuple(values))}


def _ways_to_say(phrase: str) -> Iterator[tuple[str, ...]]:
    yield term(phrase)
    lower = phrase.lower()
    for saying in (lower, lower.removesuffix("s")):
        yield from map(term, _SAYINGS.get(saying, ()))


def _match(said: tuple[str, ...], vocabulary: dict[tuple[str, ...], str]) -> str:
    if said in vocabulary:
        return vocabulary[said]
    for known, value in vocabulary.items():
        if len(known) == len(said) and all(map(_alike, known, said)):
            return value
    joined = " ".join(said)
    if len(joined) >= _SHORTEST_MISSPELT:
        names = [" ".join(known) for known in vocabulary]
        meant, _ = closest(joined, names, bags(names))
        if meant:
            return vocabulary[tuple(meant[0].split())]
    return ""


def _alike(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) >= _STEM and one[:_STEM] == other[:_STEM])
