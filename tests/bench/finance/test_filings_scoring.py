"""Right and wrong answers to analysts' questions."""

import pytest

from docmind.bench.finance.filings_scoring import is_right, met, says, tells
from docmind.bench.finance.filings_set import FilingQuestion, Kind, Page, quantity

QUOTE = "Total net sales 394,328 365,817 274,515"


def question(
    must: tuple[str, ...],
    must_not: tuple[str, ...] = (),
    value: float | None = None,
    unit: str = "",
    tolerance: float = 0.0,
    kind: Kind = Kind.LOOKUP,
) -> FilingQuestion:
    wanted = None if value is None else quantity(value, unit)
    pages = frozenset((Page("APPLE_2022_10K.pdf", 32),))
    return FilingQuestion("a1", "What?", kind, "", must, must_not, wanted, tolerance, (QUOTE,), pages)


SALES = question(("394.3|394,328",), ("365,817",), 394328, "USD million", 0.002)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("Net sales were $394,328 million [1].", True),
        ("Net sales were **USD 394.33 billion**.", True),
        ("Net sales were about $394 billion.", True),
        ("Net sales were $394.0 billion.", False),
        ("Net sales were $394,427 million.", False),
        ("Net sales were $394,328 thousand.", False),
        ("Net sales were $394.0 million.", False),
        ("They rose by 394.33%.", False),
        ("They were EUR 394.33 billion.", False),
        ("$394.3 billion, after $365,817 million the year before.", False),
        ("Net sales were $394.3 billion.\nTotal net sales 394,328 365,817 274,515", True),
    ],
)
def test_a_figure_is_told_in_any_writing_within_its_tolerance_in_its_unit_and_scale(answer: str, right: bool) -> None:
    assert is_right(SALES, answer) is right


def test_a_result_may_differ_by_how_its_parts_were_rounded() -> None:
    margin = question(("47.2|47.18",), value=47.184, unit="percent", tolerance=0.005, kind=Kind.CALCULATION)
    assert is_right(margin, "It was 47.35%.")
    assert not is_right(margin, "It was 47.5%.")


def test_a_figure_told_otherwise_stands_for_itself_and_for_nothing_else_that_must_be_said() -> None:
    both = question(("Japan", "47.2|47.18"), value=47.184, unit="percent", tolerance=0.005)
    assert met(both, "It was 47% in the best segment.") == [False, True]
    assert is_right(both, "Japan had 47%.")
    below_zero = question(("2,304|2.3 billion", "negative|-2,304"), value=-2304, unit="USD million", tolerance=0.005)
    assert not is_right(below_zero, "Working capital was $2.30 billion.")
    assert is_right(below_zero, "Working capital was negative, $2.30 billion.")


def test_a_row_of_a_table_is_quoted_without_its_scale_and_not_with_another() -> None:
    package = question(("11.70|11.7",), value=11.7, unit="USD per package", tolerance=0.001)
    assert is_right(package, "Revenue per package (yield) — 2023: $11.70; 2022: $10.85. [1]")
    assert not is_right(package, "The yield was USD 11.70 million [1].")
    buyers = question(("131",), value=131, unit="million buyers")
    assert is_right(buyers, "It had 131 million buyers.")
    assert not is_right(buyers, "Its buyers were USD 131 million.")


def test_nothing_answers_what_is_not_disclosed() -> None:
    assert not is_right(question((), kind=Kind.UNANSWERABLE), "It is not disclosed.")


@pytest.mark.parametrize(
    ("text", "entry", "said"),
    [
        ("It paid 1,435 million.", "435", False),
        ("It paid 435.6 million.", "435", False),
        ("It paid 435,000.", "435", False),
        ("It paid 435.", "435", True),
        ("Revenue was 9,588.4.", "9,588", True),
        ("The rate was 3.60%.", "3.6", True),
        ("The rate was 3.61%.", "3.6", False),
        ("In 2017 it did.", "17", False),
        ("It modernized its systems.", "efficien|moderniz", True),
        ("Upon request.", "up ", False),
        ("A deficit of (2,304).", "(2,304", True),
    ],
)
def test_what_is_listed_stands_there_and_not_inside_a_longer_number_or_word(text: str, entry: str, said: bool) -> None:
    assert says(text, entry) is said


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (-57.2, "basis points", "It fell by 0.57 percentage points."),
        (16406.397, "shares million", "There were 16.41 billion shares."),
        (7.078, "ratio", "It covered interest 7.1 times."),
        (26.0876, "days", "26.1 days"),
        (155.59, "USD per share", "It paid $155.59 a share."),
        (164000, "employees", "about 164 thousand people"),
    ],
)
def test_units_of_the_set_are_read_as_answers_are(value: float, unit: str, text: str) -> None:
    assert tells(text, question((), value=value, unit=unit, tolerance=0.005))
    assert not tells(text, question((), value=value * 1.1, unit=unit, tolerance=0.005))
