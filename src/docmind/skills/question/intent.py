"""What kind of answer a question wants, told from how it begins and from a few words; yes or no by a fitted model."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Literal

from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.question.comparison import COMPARING, WEIGHING
from docmind.skills.question.parts import clauses
from docmind.skills.question.words import ASKING, AUXILIARIES, COPULAS, POLITE, PREPOSITIONS, REQUESTS, read_words

YES_NO_FROM = 0.5
"""The probability from which on yes or no is taken as asked for."""
_TOKEN = re.compile(r"\w+(?:['’]\w+)?|[.,;:?!–—]")
_MARKS = frozenset(".,;:?!–—")


def asks_yes_or_no(question: str) -> bool:
    weights = _yes_no_weights()
    weighed = weights[""] + sum(weights.get(name, 0.0) for name in yes_no_features(question))
    return 1 / (1 + math.exp(-weighed)) >= YES_NO_FROM


def yes_no_features(question: str) -> frozenset[str]:
    """Words and pairs of words, those that begin a clause told apart, and how the first and last clause begin."""
    tokens = [token.lower().replace("’", "'") for token in _TOKEN.findall(question)]
    begins = [word for before, word in pairwise([".", *tokens]) if before in _MARKS and word not in _MARKS]
    return frozenset(
        (*_yes_no_words(tokens), *(f"first {word}" for word in begins[:1]), *(f"last {word}" for word in begins[-1:]))
    )


def _yes_no_words(tokens: list[str]) -> Iterator[str]:
    for before, word, following in zip([".", *tokens], tokens, [*tokens[1:], "end"], strict=False):
        if word in _MARKS:
            continue
        yield word
        yield f"{word} {following}"
        if before in _MARKS:
            yield f"begins {word}"
            yield f"begins {word} {following}"


@cache
def _yes_no_weights() -> Mapping[str, float]:
    """The weight of each feature; the empty name is the intercept."""
    fitted: dict[str, float] = json.loads(files(__package__).joinpath("yes_no.json").read_text(encoding="utf-8"))
    return fitted


Intent = Literal[
    "configuration",
    "definition",
    "procedure",
    "comparison",
    "quantity",
    "date",
    "yes_no",
    "list",
    "cause",
    "lookup",
]
_SETTING_UP = vocabulary(
    "configure configuring configuration setup set setting install installing installation enable enabling disable "
    "disabling activate activating deactivate provision"
)
_MEASURES = vocabulary(
    "number amount rate percentage percent proportion share maximum minimum max min total size limit price cost fee "
    "fees length duration revenue sales income profit margin ratio average sum count volume quantity value budget "
    "headcount threshold latency throughput salary allowance turnover earnings ebitda expense expenses expenditure "
    "growth change increase decrease balance debt dividend revenues costs values rates amounts limits prices margins "
    "percentages dividends"
)
_HOW_MEASURED = vocabulary("much many long far often large big high low old fast heavy deep wide tall big quickly soon")
_DATES = vocabulary("date dates year years day month quarter deadline")
_CAUSES = vocabulary("reason reasons cause causes caused driver drivers led drove factor factors")
_LISTING = vocabulary("list enumerate name")
_SUMMARY_OF_STEPS = vocabulary("steps procedure process instructions way ways")


@lru_cache(maxsize=256)
def intent(question: str) -> Intent:
    """The kind of the first thing asked. Remembered, because each step of a run wants to know it."""
    asked = clauses(question)
    said = [word.lower for word in read_words(asked[0].text)] if asked else []
    lower = _asked(said)
    if not lower:
        return "lookup"
    if asks_yes_or_no(question if lower == said else " ".join(lower)):
        return "yes_no"
    if not COMPARING.isdisjoint(lower) and not _compares_with_a_norm(lower):
        return "comparison"
    if lower[0] in ("which", "who") and "or" in lower and not WEIGHING.isdisjoint(lower):
        return "comparison"
    return _by_opening(lower) or _by_request(lower) or _by_topic(lower)


def _asked(lower: list[str]) -> list[str]:
    """The question without the courtesy around it: could you please tell me, do you know, I would like to know."""
    start = 0
    while start < len(lower) and lower[start] in POLITE:
        start += 1
    if lower[start : start + 2] in (["can", "you"], ["could", "you"], ["would", "you"], ["will", "you"]):
        after = start + 2 + (lower[start + 2 : start + 3] == ["please"])
        start = after if after < len(lower) and lower[after] in REQUESTS else start
    inner = next((at for at, word in enumerate(lower[start : start + 8], start) if word in ASKING), None)
    if inner is not None and inner > start:
        before = lower[start:inner]
        told = before[0] in REQUESTS - _LISTING and len(before) <= 2
        if told or before[-1] in ("know", "understand", "wonder", "meant"):
            start = inner
    return lower[start:]


def _compares_with_a_norm(lower: Sequence[str]) -> bool:
    """Why costs rose compared to last year asks why."""
    return lower[0] == "why" or (lower[0] == "what" and not _CAUSES.isdisjoint(lower[:8]))


def _by_opening(lower: Sequence[str]) -> Intent | None:
    first, second = lower[0], lower[1] if len(lower) > 1 else ""
    asked_by = second if first in PREPOSITIONS else first
    after = lower[2:] if first in PREPOSITIONS else lower[1:]
    if asked_by == "why" or lower[:2] == ["how", "come"]:
        return "cause"
    if asked_by == "when":
        return "date"
    if asked_by == "how":
        return _how(after)
    if asked_by in ("what", "which"):
        return _what(asked_by, after)
    if asked_by in ("what's", "who's"):
        return _what("what", ["is", *after])
    return None


def _how(after: Sequence[str]) -> Intent:
    if after and after[0] in _HOW_MEASURED:
        return "quantity"
    if not _SETTING_UP.isdisjoint(after[:6]):
        return "configuration"
    acting = len(after) > 1 and after[1] in ("i", "we", "you", "one")
    return "procedure" if acting or after[:1] == ["to"] else "lookup"


def _what(word: str, after: Sequence[str]) -> Intent:
    if after and after[0] in _DATES:
        return "date"
    if any(said in _CAUSES and before != "risk" for before, said in pairwise(["", *after[:6]])):
        return "cause"
    head = _head(after)
    if _is_measured(head):
        return "quantity"
    if len(after) > 1 and after[0] in COPULAS:
        return _what_is(after)
    if "mean" in after[-2:] or after[-2:] == ["stand", "for"]:
        return "definition"
    # "Which TLS version is": the noun stands before the verb; "which benefits apply": before another.
    inverted = len(after) > len(head) and after[len(head)] in AUXILIARIES
    return "list" if word == "which" and _is_plural(head if inverted else head[:1]) else "lookup"


def _what_is(after: Sequence[str]) -> Intent:
    head = _head(after[1:])
    if not _DATES.isdisjoint(head):
        return "date"
    if not _SUMMARY_OF_STEPS.isdisjoint(head):
        return "procedure"
    if _is_measured(head):
        return "quantity"
    if after[0] in ("are", "were") and _is_plural(head):
        return "list"
    short = len(after) <= 6 or (after[1] in ("a", "an") and len(head) <= 6)
    return "definition" if head and short and after[1] not in ("the", "my", "our", "your") else "lookup"


def _head(words: Sequence[str]) -> list[str]:
    """The words before the first preposition: what is asked for, without of what."""
    head: list[str] = []
    for word in words:
        if word in PREPOSITIONS or word in AUXILIARIES or word in ("of", "that", "which", "who", "and"):
            break
        head.append(word)
    return head


def _is_measured(head: Sequence[str]) -> bool:
    return not _MEASURES.isdisjoint(head)


def _is_plural(head: Sequence[str]) -> bool:
    return bool(head) and head[-1].endswith("s") and not head[-1].endswith(("ss", "us"))


def _by_request(lower: Sequence[str]) -> Intent | None:
    if lower[0] in _LISTING:
        return "list"
    if lower[0] == "define":
        return "definition"
    return "quantity" if lower[0] in REQUESTS and _is_measured(_head(lower[1:])) else None


def _by_topic(lower: Sequence[str]) -> Intent:
    if not _SETTING_UP.isdisjoint(lower):
        return "configuration"
    return "procedure" if not _SUMMARY_OF_STEPS.isdisjoint(lower) else "lookup"
