"""Asks questions end to end: of the product, and of the least that could be built on the same search."""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docmind.bench.retrieval import path_of
from docmind.bench.workbench import SCOPE
from docmind.domain.answers import Status
from docmind.quality.sentences import split
from docmind.quality.words import words
from docmind.runtime.engine import DocMind

_YES_OR_NO = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)
_DENIAL = re.compile(r"\b(?:not|no|never|cannot)\b|n't\b", re.IGNORECASE)
_MARKER = re.compile(r"\s?\[\d++\]")


@dataclass(frozen=True, slots=True)
class Reply:
    """What a system said to a question."""

    text: str
    """Without the marks of citations."""
    yes: bool | None
    """Whether that is a yes or a no, if it is either."""
    cited: frozenset[str]
    """Paths of the documents it rests on, as in the labels."""
    refused: bool = False
    milliseconds: float = 0.0


Ask = Callable[[str], Reply]
WARM_UP = "What has to be loaded first?"


def docmind(engine: DocMind) -> Ask:
    """The docs workflow as shipped."""
    paths = {document.id: path_of(document) for document in engine.documents(SCOPE)}

    def ask(question: str) -> Reply:
        begun = time.perf_counter()
        result = engine.run(question, SCOPE)
        milliseconds = (time.perf_counter() - begun) * 1000
        if result.status is Status.REFUSED:
            return Reply("", None, frozenset(), refused=True, milliseconds=milliseconds)
        opening = _YES_OR_NO.match(result.answer)
        return Reply(
            _MARKER.sub("", result.answer),
            opening[1].lower() == "yes" if opening else None,
            frozenset(paths[citation.document] for citation in result.citations),
            milliseconds=milliseconds,
        )

    return ask


def top_sentence(engine: DocMind) -> Ask:
    """The sentence of the first passage that has most words of the question; a yes unless it denies. Never refuses."""

    def ask(question: str) -> Reply:
        begun = time.perf_counter()
        [hit] = engine.search(question, SCOPE, limit=1)
        asked = {word.key for word in words(question)}
        said = max(
            (sentence.text for sentence in split(hit.passage.text)),
            key=lambda text: len(asked.intersection(word.key for word in words(text))),
        )
        milliseconds = (time.perf_counter() - begun) * 1000
        return Reply(said, _DENIAL.search(said) is None, frozenset({path_of(hit.document)}), milliseconds=milliseconds)

    return ask


SYSTEMS: dict[str, Callable[[DocMind], Ask]] = {"docmind": docmind, "top-sentence": top_sentence}


def ask_all(ask: Ask, questions: Sequence[str], done: Callable[[int], None]) -> list[Reply]:
    """The replies in order, after one that loads what has to be loaded."""
    ask(WARM_UP)
    replies = []
    for number, question in enumerate(questions, start=1):
        replies.append(ask(question))
        done(number)
    return replies
