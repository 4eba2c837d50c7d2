"""Which document somebody means who asks for a summary."""

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath

from docmind.domain.documents import Document
from docmind.quality.grounding.content_words import words

_APART = re.compile(r"(?<=[a-z])(?=[A-Z])|[\W_]+")
_QUOTED = re.compile(r"[“\"]([^“”\"]{2,200})[”\"]")
NAMED = 0.5
"""The least share of the words of a name, each by how rare it is, that the title of what is meant has."""
_AS_GOOD = 0.9
"""A document whose title has nearly as much of the name as the best one could be meant too."""


@cache
def asking_words() -> frozenset[str]:
    """Words that ask for a summary and do not say of what, as `scripts/fit_messages.py` learnt them."""
    return frozenset(json.loads(files("docmind.skills.messages").joinpath("asking_words.json").read_text("utf-8")))


def name_in(request: str) -> str:
    """What a request calls the document: what it has in quotes, or the words that do not only ask for a summary.

    Empty where it names none. A word that follows the name belongs to it, as `policy` in `travel policy`.
    """
    if quoted := _QUOTED.search(request):
        return quoted.group(1)
    content = words(request)
    naming = [word for word in content if word.key not in asking_words()]
    if not naming:
        return ""
    end = naming[-1].span.end
    for word in content:
        end = word.span.end if word.span.start == end + 1 and request[end] == " " else end
    return request[naming[0].span.start : end]


def named_documents(name: str, documents: Sequence[Document]) -> list[Document]:
    """The documents that a name could mean, the likeliest first; empty where none is called so.

    Words that many titles have, as `policy`, count for less, and words that no title has count against every document.
    Of two titles that have as much of the name, the one with fewer words besides is nearer.
    """
    sought = {word.key for word in words(name)}
    have = [_words_of(document) for document in documents]
    common = Counter(word for some in have for word in some)
    rarity = {word: math.log(1 + len(documents) / (common[word] or 0.5)) for word in sought | common.keys()}
    whole = sum(rarity[word] for word in sought)
    if not whole:
        return []
    scored = []
    for document, some in zip(documents, have, strict=True):
        share = sum(rarity[word] for word in sought & some) / whole
        own = {word.key for word in words(document.title)}
        besides = sum(rarity[word] for word in own - sought)
        scored.append((share, besides, document))
    best = max((share for share, _, _ in scored), default=0.0)
    if best < NAMED:
        return []
    near = sorted((one for one in scored if one[0] >= _AS_GOOD * best), key=lambda one: (-one[0], one[1]))
    exact = [one for one in near if not one[1]]
    return [document for _, _, document in (exact or near)]


def _words_of(document: Document) -> set[str]:
    """The words of the title and of the file's name."""
    stem = PurePosixPath(document.name.rpartition("!")[2]).stem
    return {word.key for word in words(f"{document.title} {_APART.sub(' ', stem)}")}
