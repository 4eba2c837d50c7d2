"""The summary of a document: which one is meant, and its key sentences, each about something else."""

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath

import numpy as np

from docmind.domain.documents import Document
from docmind.domain.search import Hit
from docmind.models.embedding import Embedder, Vectors
from docmind.quality.grounding import Grounder
from docmind.quality.markdown import UnitKind
from docmind.quality.words import words
from docmind.skills.extract.briefing import is_quotable
from docmind.skills.extract.statement_scorer import StatementScorer
from docmind.skills.extract.statements import Statement, can_answer, read_statements

_APART = re.compile(r"(?<=[a-z])(?=[A-Z])|[\W_]+")
_QUOTED_NAME = re.compile(r"[“\"]([^“”\"]{2,200})[”\"]")
NAMED = 0.5
"""The least share of the words of a name, each by how rare it is, that the title of what is meant has."""
_NEARLY_AS_GOOD = 0.9
"""A document whose title has nearly as much of the name as the best one could be meant too."""


@cache
def asking_words() -> frozenset[str]:
    """Words that ask for a summary and do not say of what, as `scripts/fit_messages.py` learnt them."""
    return frozenset(json.loads(files("docmind.skills.messages").joinpath("asking_words.json").read_text("utf-8")))


def name_in(request: str) -> str:
    """What a request calls the document: what it has in quotes, or the words that do not only ask for a summary.

    Empty where it names none. A word that follows the name belongs to it, as `policy` in `travel policy`.
    """
    if quoted := _QUOTED_NAME.search(request):
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
    have = [_title_words(document) for document in documents]
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
    near = sorted((one for one in scored if one[0] >= _NEARLY_AS_GOOD * best), key=lambda one: (-one[0], one[1]))
    exact = [one for one in near if not one[1]]
    return [document for _, _, document in (exact or near)]


def _title_words(document: Document) -> set[str]:
    """The words of the title and of the file's name."""
    stem = PurePosixPath(document.name.rpartition("!")[2]).stem
    return {word.key for word in words(f"{document.title} {_APART.sub(' ', stem)}")}


MOST_READ = 160
"""Sentences that are compared, evenly from the whole document."""
_SHORTEST, _LONGEST = 50, 320
"""Characters of a sentence that is worth quoting and quick to read."""
_QUESTION = "What is the main point of {title}?"
_READER_WEIGHT = 0.4
"""What counts for being what the reader marks in its passage as the answer to that."""
_TITLE_WEIGHT = 0.2
"""What counts for being about what the title says."""
_REPEATING = 0.5
"""How much it counts against a sentence that it is like one chosen before."""


def key_sentences(
    hits: Sequence[Hit], embedder: Embedder, scorer: StatementScorer, grounder: Grounder, most: int
) -> list[Statement]:
    """At most so many sentences of one document, from all over it, in the order in which they stand there.

    `hits` are its passages in their order.
    """
    statements = [one for one in read_statements(hits) if can_answer(one) and not one.introduces]
    # Rows of tables are details; they tell what a document says that has nothing else.
    able = _spread([one for one in statements if _tells(one)] or [one for one in statements if one.lead is None])
    if not able:
        return []
    vectors = embedder.embed_passages([one.text for one in able])
    worth = _worth(able, vectors, hits[0].document.title, embedder, scorer)
    each = math.ceil(most / len({one.number for one in able}))
    chosen: list[int] = []
    left = set(range(len(able)))
    while left and len(chosen) < most:
        likeness = (vectors @ vectors[chosen].T).max(axis=1) if chosen else np.zeros(len(able))
        best = max(left, key=lambda at: (float(worth[at] - _REPEATING * likeness[at]), -at))
        left.remove(best)
        if is_quotable(able[best], hits, grounder):
            chosen.append(best)
        if sum(able[at].number == able[best].number for at in chosen) == each:
            left = {at for at in left if able[at].number != able[best].number}
    return [able[at] for at in sorted(chosen)]


def _worth(
    able: Sequence[Statement], vectors: Vectors, title: str, embedder: Embedder, scorer: StatementScorer
) -> Vectors:
    """How much each says of the whole: by its likeness to all sentences and to the title, and by the reader."""
    centre = vectors.mean(axis=0)
    central = vectors @ (centre / max(float(np.linalg.norm(centre)), 1e-9))
    scores = scorer.read(_QUESTION.format(title=title), able).scores
    highest: dict[int, float] = {}
    for one in able:
        highest[one.number] = max(highest.get(one.number, 1e-9), scores[one])
    read = np.array([scores[one] / highest[one.number] for one in able], np.float32)
    worth: Vectors = central + _TITLE_WEIGHT * (vectors @ embedder.embed_query(title)) + _READER_WEIGHT * read
    return worth


def _tells(statement: Statement) -> bool:
    """Whether it is a sentence that says something alone and is worth quoting."""
    alone = statement.kind is not UnitKind.ROW and statement.lead is None and not statement.is_title
    return alone and _SHORTEST <= len(statement.text) <= _LONGEST and not statement.text[0].islower()


def _spread(statements: Sequence[Statement]) -> list[Statement]:
    step = max(1.0, len(statements) / MOST_READ)
    return [statements[int(at * step)] for at in range(int(len(statements) / step))]
