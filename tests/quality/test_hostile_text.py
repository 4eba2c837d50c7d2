"""Whatever a text holds, it is read in time linear in its length, and every sentence stays where it was."""

import importlib
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.documents import Document, Metadata, Passage, Span
from docmind.domain.scope import Scope
from docmind.domain.verdicts import CitationForm, CitationMarker
from docmind.quality.citations import find, resolve
from docmind.quality.claims import claims
from docmind.quality.kinds import kind_of
from docmind.quality.sentences import split

parser = importlib.import_module("re._parser")

Steps = Callable[[Callable[[], object]], int]
SEEDS = (
    "A. ", "1. ", "a.", ". [1] ", ".\n[1] x", "[", "(See ", "(See (", "[1, ", "[1]", "[1-20]", "((", "()", "(a) ", "`",
    "``` ", "```", "```\n", "~~~\n```\n", "```\n- a. B\n```\n", "```md\nx\n```\n", "- ```\n", "| ", "|", "a | b\n",
    "|---|\n", "- ", "- a\n", "  - a\n    - b\n", "> ", ">", "# \n", "#", "x\n---\n", "**", "**a**\n", ".\"')]", ". ((",
    "“a.” ", '"', "U.S. ", "e.g. ", "1.1.1.1 ", ".", "...", ". ", ".\n", "5 ", "1) x ", "1) 2) ", ": 1) ", "a:\n",
    "may not be ", "require ", "does not provide ", "not provided, ", "and ", "and it was ", "no information, ", ", ",
    "here is ", "based on ", "two ways ", " \n", "\n", " ", "\t", "\0", "\r", "\ud800", "\ud800. A", "e\u0301\u0301",
    "שלום. ", "؟ ", "売。", "\u2028", "\xa0", "a", "1", "No. ", "Sales\nCosts\n", " " * 80 + "x\n",
)  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_twice_the_text_is_at_most_twice_the_work(steps: Steps, seed: str) -> None:
    def work(size: int) -> int:
        return steps(lambda: claims(seed * (size // len(seed))))

    once, twice = work(1500), work(3000)
    assert twice <= 2.2 * once + 400


def test_following_twice_the_citations_to_twice_the_passages_is_at_most_twice_the_work(steps: Steps) -> None:
    def work(size: int) -> int:
        document = Document(
            id="d", scope=Scope("default"), source="/d", name="Report.pdf", content_hash="", media_type="", pages=9,
            metadata=Metadata(), characters=9, passages=size, ingested_at="",
        )  # fmt: skip
        passages = [Passage(f"p{n}", "d", n, Span(0, 5), "Sales", page=n % 9) for n in range(size)]
        markers = [CitationMarker(CitationForm.PAGE, "Report", Span(0, 1), page=n % 9) for n in range(size)]
        return steps(lambda: resolve(markers, passages, [document]))

    assert work(400) <= 2.2 * work(200) + 400


def test_a_megabyte_of_hostile_text_is_split() -> None:
    text = "".join(seed * (1_000_000 // len(SEEDS) // len(seed) + 1) for seed in SEEDS)
    assert len(text) > 1_000_000
    assert sum(len(sentence.text) for sentence in split(text)) <= len(text)


_FENCE_LINE = re.compile(r"(?m)^[>\s]*+(?:```|~~~).*+$")
_MARKUP = re.compile(r"[>#*+•‣◦–|:=`~_-]++|\(?+(?:[0-9]{1,3}+|[A-Za-z]|[ivx]{1,4}+)\)|[0-9]{1,3}+\.")


def _check(text: str) -> None:
    """Every law that holds for any text at all."""
    found = split(text)
    position = 0
    for sentence in found:
        assert position <= sentence.span.start < sentence.span.end <= len(text)
        assert sentence.text == sentence.span.of(text) == sentence.text.strip()
        assert all(sentence.span.start <= marker.span.start < sentence.span.end for marker in sentence.citations)
        _check_gap(text[position : sentence.span.start])
        position = sentence.span.end
    _check_gap(text[position:])
    assert [marker for sentence in found for marker in sentence.citations] == find(text)
    places = {sentence.span for sentence in found}
    for claim in claims(text):
        assert claim.span in places
        assert claim.text
        assert claim.kind is kind_of(claim.text)


def _check_gap(gap: str) -> None:
    assert all(_MARKUP.sub("", word) == "" for word in _FENCE_LINE.sub(" ", gap).split()), gap


_PIECES = (
    ".", ". ", "\n", "\n\n", "| ", " | ", "|---|", "```", "# ", "- ", "1. ", "> ", "**", "[", "]", "(", ")", "[1]", "`",
    "(See A, page 2)", "Dr", "No", "A", "a", "5", "U.S", "…", "?", " ", "---", "\r\n", "\u2028", "é", "。", ":", "~~~",
    "1) ", "2) ", "Sales rose", "not provided", ", but ", "here is", "\n  - ", "\ud800",
)  # fmt: skip
_pieces = st.lists(st.sampled_from(_PIECES), max_size=60).map("".join)


@given(st.one_of(_pieces, st.text(max_size=300), st.binary(max_size=300).map(lambda data: data.decode("latin-1"))))
def test_sentences_are_exact_ordered_and_disjoint_and_leave_out_only_markup(text: str) -> None:
    _check(text)


@pytest.mark.parametrize(("encoding", "errors"), [("utf-8", "replace"), ("latin-1", "strict")])
def test_five_thousand_random_byte_strings_upset_nothing(encoding: str, errors: str) -> None:
    chance = random.Random(20)
    for _ in range(5_000):
        _check(chance.randbytes(chance.randrange(120)).decode(encoding, errors))


@pytest.mark.parametrize(
    "module",
    [
        "docmind.quality.exemptions",
        "docmind.quality.citations",
        "docmind.quality.claims",
        "docmind.quality.kinds",
        "docmind.quality.markdown",
        "docmind.quality.sentences",
    ],
)
def test_no_pattern_can_go_back_over_what_it_has_read(module: str) -> None:
    found = vars(importlib.import_module(module)).values()
    patterns = [value for value in found if isinstance(value, re.Pattern)]
    assert patterns
    for pattern in patterns:
        assert not list(_retried(parser.parse(pattern.pattern, pattern.flags))), pattern.pattern


def _retried(parsed: Any) -> Iterator[Any]:
    """Repetitions of variable length that are not possessive, wherever they stand in a parsed pattern."""
    if isinstance(parsed, list | tuple | parser.SubPattern):
        if len(parsed) == 2 and str(parsed[0]) in ("MAX_REPEAT", "MIN_REPEAT") and parsed[1][0] != parsed[1][1]:
            yield parsed
        for part in parsed:
            yield from _retried(part)
