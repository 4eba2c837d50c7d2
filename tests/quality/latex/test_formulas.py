"""Mathematics is found among prose, code and amounts of money."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.quality.latex import find_formulas


def found(text: str) -> list[str]:
    return [formula.span.of(text) for formula in find_formulas(text) if not formula.fault]


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $7.",
        "From $5 to $7, or $5-$7, or $5/$7 a share.",
        "Between $5 and 10$ in all.",
        "C$5 and US$ 7; A$5–US$6; a fee of $5 or (in US$) 6.",
        "Revenue rose from $601.0 million to $655.2 million (up 9% in US$).",
        "The ratings are $, $$ and $$$.",
        r"An escaped \$x\$ is no formula, nor is \\(x.",
        "`$x$` and ``\\(x\\)`` are code.",
        "```\n$x$\n\\[y\\]\n```",
        "$AAPL and $MSFT rose.",
        "One $x\n\nand another y$ in the next paragraph.",
        "",
    ],
)
def test_money_and_code_hold_no_formula(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("With $x^2$ and $5$ it costs $5.", ["$x^2$", "$5$"]),
        ("It costs $5, so $x = 5$.", ["$x = 5$"]),
        (r"$100 \times 2 = 200$", [r"$100 \times 2 = 200$"]),
        (r"$\$5 + \$6 = \$11$", [r"$\$5 + \$6 = \$11$"]),
        ("$$\na = b\n$$ and \\(c\\)", ["$$\na = b\n$$", r"\(c\)"]),
        (
            r"\[ a \] \begin{align} b &= c \\ &= d \end{align}",
            [r"\[ a \]", r"\begin{align} b &= c \\ &= d \end{align}"],
        ),
        (r"\[\begin{aligned} a \end{aligned}\]", [r"\[\begin{aligned} a \end{aligned}\]"]),
        (
            r"\begin{cases}\begin{cases} a \end{cases}\end{cases}",
            [r"\begin{cases}\begin{cases} a \end{cases}\end{cases}"],
        ),
    ],
)
def test_formulas_are_found_with_their_delimiters(text: str, formulas: list[str]) -> None:
    assert found(text) == formulas


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        (r"Growth is \( \frac{1}{2} and that is it.", r"\("),
        (r"Growth is \[ x^2 and that is it.", r"\["),
        (r"Growth is $$ x^2 and that is it.", "$$"),
        (r"Growth is $\frac{1}{2} and that is it.", "$"),
        (r"\begin{align} a &= b", r"\begin{align}"),
        (r"a &= b \end{align}", r"\end{align}"),
        (r"First \(x_1 and then \(y\).", r"\("),
    ],
)
def test_a_delimiter_without_partner_is_at_fault(text: str, mark: str) -> None:
    faults = [formula for formula in find_formulas(text) if formula.fault]
    assert [formula.span.of(text) for formula in faults] == [mark]
    assert faults[0].span.start == text.index(mark)


@given(st.text(st.sampled_from("$\\()[]`ab5 \n{}begin"), max_size=60))
def test_formulas_stand_in_order_and_never_overlap(text: str) -> None:
    position = 0
    for formula in find_formulas(text):
        assert position <= formula.span.start <= formula.body.start <= formula.body.end <= formula.span.end
        position = formula.span.end
