"""Sentences are told apart as a reader would, and every one stays where it was."""

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.quality import abbreviations, citations, claims, kinds, sentences, units
from docmind.quality.sentences import split

parser = importlib.import_module("re._parser")


def texts(text: str) -> list[str]:
    return [sentence.text for sentence in split(text)]


def kinds_and_texts(text: str) -> list[tuple[str, str]]:
    return [(sentence.kind.value, sentence.text) for sentence in split(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["Margins rose to 3.5 points.", "Costs fell."],
        ["Dr. Weber met Mrs. Lund and Prof. A. B. Stone.", "They agreed."],
        ["Some costs, e.g. Rent and power, i.e. Utilities, fell.", "Sales rose."],
        ["The U.S. Department of Energy paid.", "It was approx. 500 tonnes."],
        ["They sold it in the U.S.", "The firm grew."],
        ["Acme Inc. Chairman J. Smith spoke.", "Beta Ltd. Shareholders did not."],
        ["See Fig. 3 and No. 12 of Vol. II.", "Is it true?", "No.", "It is not."],
        ["It opened on Jan. 5 at 9 a.m. Eastern.", "It closed at 5 p.m.", "The rest is known."],
        ["Roe v. Wade was cited.", "Smith et al. (2020) agree."],
        ["The J.R.R. Tolkien estate and John F. Kennedy.", "Both are names."],
        ["Take vitamin D.", "Hiking helps."],
        ["Heat it to 300 degrees F.", "Place the tray inside."],
        ["Sales rose 5% in 2023.", "2022 was worse."],
        ["He paused... and went on.", "Then he stopped...", "Nobody spoke."],
        ["It ended…", "Nobody spoke."],
        ['He said "Stop."', "Then he left."],
        ["“It is done.”", "(She was sure.)", "They left."],
        ['"Why?" he asked.', "What now?!", "Nothing."],
        ["The site example.com and v2.0.1 of node.js work.", "It is fast."],
        ["Sales fell.", "eBay and iPhone sales did not."],
        ["**Sales rose.**", "*Costs* fell."],
        ["It cost $5.", "$3 was paid."],
        ["売上は増加した。"],
    ],
)
def test_sentences_joined_by_a_space_come_apart_again(parts: list[str]) -> None:
    assert texts(" ".join(parts)) == parts


def test_fullwidth_stops_end_sentences_without_a_space() -> None:
    assert texts("売上は増加した。費用は減少した。") == ["売上は増加した。", "費用は減少した。"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Sales rose 5%. [3] Costs fell.", ["Sales rose 5%. [3]", "Costs fell."]),
        ("Sales rose.[3] Costs fell.[4]", ["Sales rose.[3]", "Costs fell.[4]"]),
        ("Sales rose. [1] [2, 3] Costs fell [4].", ["Sales rose. [1] [2, 3]", "Costs fell [4]."]),
        ('He said "yes." [1] She left.', ['He said "yes." [1]', "She left."]),
        ("Sales rose. [Doc 2]. Costs fell.", ["Sales rose. [Doc 2].", "Costs fell."]),
        ("It grew. (See Annual Report, p. 4) It shrank.", ["It grew. (See Annual Report, p. 4)", "It shrank."]),
        (
            "It grew (See Report vol. 2. Final, page 4). So it is.",
            ["It grew (See Report vol. 2. Final, page 4).", "So it is."],
        ),
        ("Sales rose.\n[3]\nCosts fell.", ["Sales rose.\n[3]", "Costs fell."]),
        ("Sales rose.\n[3] is the source.", ["Sales rose.", "[3] is the source."]),
        ("Sales rose. [sic] is odd.", ["Sales rose. [sic] is odd."]),
    ],
)
def test_a_citation_after_the_full_stop_belongs_to_the_sentence_before_it(text: str, parts: list[str]) -> None:
    assert texts(text) == parts


def test_a_soft_line_break_does_not_end_a_sentence_and_a_blank_line_does() -> None:
    assert texts("Net sales rose\nby five percent\n\nand so on") == ["Net sales rose\nby five percent", "and so on"]


def test_list_items_are_units_and_hold_sentences() -> None:
    text = (
        "The steps are:\n1. Fold it. Press it.\n2) Turn it\n- one\n* two\n  more of two\n• three\n(a) four\n(iv) five"
    )
    assert kinds_and_texts(text) == [
        ("prose", "The steps are:"),
        ("item", "Fold it."),
        ("item", "Press it."),
        ("item", "Turn it"),
        ("item", "one"),
        ("item", "two\n  more of two"),
        ("item", "three"),
        ("item", "four"),
        ("item", "five"),
    ]


def test_numbered_steps_within_a_line_keep_their_numbers() -> None:
    assert texts("Steps: 1. Fold it. 2. Turn it. Done.") == ["Steps: 1. Fold it.", "2. Turn it.", "Done."]


def test_a_year_that_begins_a_wrapped_line_is_no_list_marker() -> None:
    assert texts("Sales rose in the year\n2023. Costs fell.") == ["Sales rose in the year\n2023.", "Costs fell."]


@pytest.mark.parametrize(
    "text", ["## Results ##\nSales rose.", "Results\n=======\nSales rose.", "Results\n---\nSales rose."]
)
def test_headings_are_units_without_their_marks(text: str) -> None:
    assert kinds_and_texts(text) == [("heading", "Results"), ("prose", "Sales rose.")]


def test_a_line_all_in_bold_is_a_heading_unless_it_is_a_sentence() -> None:
    assert kinds_and_texts("**Key results:**\nSales rose.\n\n**Costs fell.**") == [
        ("heading", "**Key results:**"),
        ("prose", "Sales rose."),
        ("prose", "**Costs fell.**"),
    ]


def test_a_rule_below_a_finished_sentence_is_only_a_rule() -> None:
    assert kinds_and_texts("Sales rose.\n---\nCosts fell.") == [("prose", "Sales rose."), ("prose", "Costs fell.")]


def test_table_rows_are_units_and_the_head_of_a_table_is_a_heading() -> None:
    text = "| Metric | 2023 |\n|:---|---:|\n| Net sales | 1.5. Up |\n| Costs | 2 |\n\nTotal. Done."
    assert kinds_and_texts(text) == [
        ("heading", "Metric | 2023"),
        ("row", "Net sales | 1.5. Up"),
        ("row", "Costs | 2"),
        ("prose", "Total."),
        ("prose", "Done."),
    ]


def test_rows_without_outer_bars_are_rows_and_a_lone_bar_is_not() -> None:
    assert kinds_and_texts("Net sales | 2023: 5 | 2022: 4") == [("row", "Net sales | 2023: 5 | 2022: 4")]
    assert kinds_and_texts("Costs | 5\nSales | 7") == [("row", "Costs | 5"), ("row", "Sales | 7")]
    assert kinds_and_texts("It is P(A | B) here.") == [("prose", "It is P(A | B) here.")]


def test_code_is_one_unit() -> None:
    text = "Run it:\n```python\nx = y[1]. Z\n\nprint(x)\n```\nThen stop."
    assert kinds_and_texts(text) == [
        ("prose", "Run it:"),
        ("code", "x = y[1]. Z\n\nprint(x)"),
        ("prose", "Then stop."),
    ]


def test_a_fence_cannot_hide_an_answer_from_the_checks() -> None:
    assert kinds_and_texts("```\nSales rose.") == [("prose", "Sales rose.")]
    assert kinds_and_texts("```markdown\nSales rose.\n```\nCosts fell.") == [
        ("prose", "Sales rose."),
        ("prose", "Costs fell."),
    ]


def test_a_quotation_stands_apart_from_what_quotes_it() -> None:
    assert texts("They wrote:\n> Sales rose. Costs fell.\nWe agree.") == [
        "They wrote:",
        "Sales rose.",
        "Costs fell.",
        "We agree.",
    ]


_subjects = st.sampled_from(
    ["Net sales", "The board", "Dr. Weber", "Acme Inc. shares", "The U.S. unit", "Costs of 3.5 m"]
)
_verbs = st.sampled_from(["rose", "fell by 5.2%", "was approved", "did not change, i.e. held", "met No. 7"])
_ends = st.sampled_from(
    [".", "!", "?", " in 2023.", ' as "planned."', " (see below).", ". [3]", " [1, 2].", "... [Doc 4]"]
)
_sentences = st.builds(lambda subject, verb, end: f"{subject} {verb}{end}", _subjects, _verbs, _ends)


@given(st.lists(_sentences, max_size=12), st.sampled_from([" ", "  ", "\n", "\n\n"]))
def test_joining_and_splitting_are_inverse(parts: list[str], gap: str) -> None:
    assert texts(gap.join(parts)) == parts


_MARKUP = (
    ".", ". ", "\n", "\n\n", "| ", " | ", "|---|", "```", "# ", "- ", "1. ", "> ", "**", "[", "]", "(", ")", "[1]", "`",
    "(See A, page 2)", "Dr", "No", "A", "a", "5", "U.S", "…", "?", " ", "---", "\r\n", "\u2028", "é", "。", ":", "~~~",
)  # fmt: skip
_pieces = st.lists(st.sampled_from(_MARKUP), max_size=60).map("".join)
_bytes = st.binary(max_size=300).map(lambda data: data.decode("utf-8", "replace"))


@given(st.one_of(_pieces, st.text(max_size=300), _bytes))
def test_spans_are_exact_ordered_disjoint_and_leave_out_no_word(text: str) -> None:
    position = 0
    between = ""
    for sentence in split(text):
        assert sentence.span.start >= position
        assert sentence.text == sentence.span.of(text) == sentence.text.strip() != ""
        assert all(sentence.span.start <= marker.span.start < sentence.span.end for marker in sentence.citations)
        between += text[position : sentence.span.start]
        position = sentence.span.end
    between += text[position:]
    # A fence's language and a list's number are markup too, as far as they go.
    assert not re.search(r"[A-Za-z]{5}", between)


_HOSTILE = (
    "A. ", "1. ", "a.", ". [1] ", ".\n[1] x", "[", "(See ", "(See (", "[1, ", "`", "``` ", "```\n", "~~~\n```\n",
    "| ", "a | b\n", "|---|\n", "- ", "> ", "# \n", "x\n---\n", "**", "**a**\n", ".\"')]", ". ((", "U.S. ", "5 ",
    "may not be ", "does not provide ", ", ", " \n", "a", "No. ",
)  # fmt: skip


def _steps(work: Callable[[str], Any], text: str) -> int:
    """Lines of Python that run: what a pass over the text costs, whatever the machine is doing."""
    steps = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal steps
        steps += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        work(text)
    finally:
        sys.settrace(before)
    return steps


@pytest.mark.parametrize("seed", _HOSTILE)
def test_twice_the_text_is_at_most_twice_the_work(seed: str) -> None:
    once, twice = (_steps(claims.claims, seed * (size // len(seed))) for size in (2000, 4000))
    assert twice <= 2.2 * once + 400


def test_a_megabyte_of_HOSTILE_text_is_split() -> None:
    text = "".join(seed * (1_000_000 // len(_HOSTILE) // len(seed) + 1) for seed in _HOSTILE)
    assert len(text) > 1_000_000
    assert sum(len(sentence.text) for sentence in split(text)) <= len(text)


@pytest.mark.parametrize("module", [abbreviations, citations, claims, kinds, sentences, units])
def test_no_pattern_can_go_back_over_what_it_has_read(module: Any) -> None:
    patterns = [value for value in vars(module).values() if isinstance(value, re.Pattern)]
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
