"""Requests for a whole, "summarise the case for the plant" or "what are the main risks?": what they are about."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace

from docmind.domain.search import Filters, Hit
from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.words import words
from docmind.skills.question import clean
from docmind.skills.question.words import ASKING, AUXILIARIES, COPULAS, DETERMINERS, read_words

Search = Callable[[str, Filters, int], Awaitable[list[Hit]]]

MOST_DOCUMENTS = 8
"""Documents that are told of for themselves."""
_WIDE = 60
"""Passages among which documents are looked for."""
_OF_THEM = 12
_OF_EACH = 3
"""Passages of documents that are told of for themselves: so many of them all, but at least a few of each."""
_SPEAKING = 2
"""Passages of a document that speaks of the topic."""
_ON_IT = 0.1
"""The least relevance of a passage to a topic that it has all words of: eight in ten bear on it."""
_UPSHOT = "recommendation conclusion decision result"
"""Words of the sections in which a document says what it comes to."""
_LONGEST_MATTER = 14

_SUMMING_UP = vocabulary("summarise summarize outline review recap")
_SUMMARIES = vocabulary("summary overview outline brief briefing synopsis")
_WEIGHTY = vocabulary("main key biggest top principal major important critical greatest")
_DOCUMENTS = vocabulary("document documents paper papers file files report reports source sources text texts material")
_FILLING = AUXILIARIES | DETERMINERS | _SUMMING_UP | _SUMMARIES | _WEIGHTY | _DOCUMENTS | vocabulary(
    "please can could would you me us give write prepare provide show tell what which say says said know about of on "
    "for from in across case most executive short brief overall together points findings everything whole and i need "
    "want to one two three four five few sentences words bullets"
)  # fmt: skip
"""Words that ask for a whole without saying of what."""
_OPENING = 6
"""Words within which a request says what it wants."""


def surveys(request: str) -> bool:
    """Whether it asks for all there is to say, of something or of the documents themselves."""
    lower = [word.lower for word in read_words(clean(request))]
    if not lower:
        return False
    if lower[0] in ASKING:
        asks_said = not _DOCUMENTS.isdisjoint(lower[:5]) and "about" in lower
        return lower[0] in ("what", "which", "who") and (asks_said or _asks_main(lower))
    return not (_SUMMING_UP | _SUMMARIES).isdisjoint(lower[:_OPENING])


def _asks_main(lower: Sequence[str]) -> bool:
    """What are the main risks? Which key dates are there?"""
    weighty = next((at for at, word in enumerate(lower[:_OPENING]) if word in _WEIGHTY), None)
    return weighty is not None and any(word.endswith("s") for word in lower[weighty + 1 : weighty + 3])


def topic(request: str) -> str:
    """What a survey is of, in the words of the request; empty where it is of the documents as such."""
    said = read_words(clean(request))
    kept = [at for at, word in enumerate(said) if word.lower not in _FILLING]
    return " ".join(word.text for word in said[kept[0] : kept[-1] + 1]) if kept else ""


async def sought(request: str, search: Search, *, limit: int) -> list[Hit]:
    """The passages that a survey is made of: those about its topic, and what whole documents on it come to."""
    subject = topic(request)
    wide = await search(subject or request, Filters(), _WIDE)
    on_it = {hit.document.id: hit.document.title for hit in wide if _is_on(hit.document.title, subject)}
    documents = list(on_it.items())[:MOST_DOCUMENTS]
    each = max(_OF_EACH, _OF_THEM // max(1, len(documents)))
    own = await asyncio.gather(
        *(search(whole(title), Filters(document_id=(document,)), each) for document, title in documents)
    )
    found = [*(wide[:limit] if subject else ()), *_speaking(subject, wide), *(hit for hits in own for hit in hits)]
    best: dict[str, Hit] = {}
    for hit in sorted(found, key=lambda one: (-one.relevance_score, one.passage.id)):
        best.setdefault(hit.passage.id, hit)
    return list(best.values())


def _speaking(subject: str, hits: Sequence[Hit]) -> list[Hit]:
    """A few passages of each document that have all words of the subject: they are on it, whatever else they say."""
    asked = {word.key for word in words(subject)}
    by_document: dict[str, list[Hit]] = {}
    for hit in hits if asked else ():
        others = by_document.setdefault(hit.document.id, [])
        if len(others) < _SPEAKING and asked <= {word.key for word in words(hit.passage.indexed_text)}:
            others.append(replace(hit, relevance_score=max(hit.relevance_score, _ON_IT)))
    return [hit for few in list(by_document.values())[:MOST_DOCUMENTS] for hit in few]


def whole(title: str) -> str:
    """What is looked for in a document that is told of for itself."""
    return f"{title} {_UPSHOT}"


def matters(claims: Iterable[str]) -> list[str]:
    """What the claims of a survey are about, each as a phrase: documents that give it other values disagree."""
    phrases = []
    for claim in claims:
        said = read_words(claim)
        verb = next((at for at, word in enumerate(said) if word.lower in COPULAS), 0)
        if 1 < verb <= _LONGEST_MATTER:
            phrases.append(" ".join(word.text for word in said[:verb]))
    return phrases


def _is_on(title: str, subject: str) -> bool:
    """Whether a document is by its title about all of the subject; about nothing in particular, every document is."""
    return {word.key for word in words(subject)} <= {word.key for word in words(title)}
