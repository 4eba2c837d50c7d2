"""Every formula that can be drawn passes, and what cannot be is reported at its characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.quality.latex import Fault, validate_formula, validate_latex
from docmind.quality.latex.parser import MAX_DEPTH
from docmind.quality.quantities.tokens import vocabulary


@pytest.mark.parametrize(
    "latex",
    [
        r"\frac{a}{b} + \dfrac12 - \sqrt[3]{x} \cdot \sqrt 2",
        r"x_{1}^{2} + x'^2 + {}_a^b + e^\frac12 + x_\text{max}",
        r"\left( \frac{a}{b} \middle| c \right] + \bigl\{ d \bigr\}",
        r"\text{Net income: 5\%, R\&D} = \mathrm{a}",
        r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}",
        r"\begin{array}{c|c} a & b \\ \hline c & d \end{array}",
        r"\begin{align} x &= \begin{cases} 1 & y > 0 \\ 0 & \text{otherwise} \end{cases} \\ z &= 2 \end{align}",
        r"\sum_{\substack{i < n \\ j < m}} \xrightarrow[a]{b} \operatorname*{argmax}_x f(x)",
        r"\textcolor{red}{x} \hspace{1em} \overset{!}{=} 655{,}230\,\text{EUR}",
        "Umsatz − Kosten × 2 € ≤ ∞",
    ],
)
def test_a_formula_that_can_be_drawn_has_no_problem(latex: str) -> None:
    assert validate_formula(latex) == []


@pytest.mark.parametrize(
    ("latex", "fault", "at", "reason"),
    [
        (r"\frac{a}{b", Fault.BROKEN, "{", "never closed"),
        (r"a} + b", Fault.BROKEN, "}", "closes nothing"),
        (r"\left( a", Fault.BROKEN, r"\left", "never closed"),
        (r"a \right)", Fault.BROKEN, r"\right", "closes nothing"),
        (r"{\left( a}", Fault.BROKEN, r"\left", "never closed"),
        (r"\left a \right)", Fault.BROKEN, r"\left", "followed by a bracket"),
        (r"a \middle| b", Fault.BROKEN, r"\middle", "between"),
        (r"\begin{cases} a \end{aligned}", Fault.BROKEN, r"\end", "has to be ended"),
        (r"\begin{cases} a", Fault.BROKEN, r"\begin", "never closed"),
        (r"\begin{tikzpicture} a \end{tikzpicture}", Fault.UNKNOWN, r"\begin", "no environment"),
        (r"\begin{array} a \end{array}", Fault.BROKEN, r"\begin", "columns"),
        (r"\frac{a}", Fault.BROKEN, r"\frac", "lacks"),
        (r"{\sqrt}", Fault.BROKEN, r"\sqrt", "lacks"),
        (r"x^", Fault.BROKEN, "^", "lacks"),
        (r"x^2^3", Fault.BROKEN, "^", "superscripts"),
        (r"x_a_b", Fault.BROKEN, "_", "subscripts"),
        (r"x^2'", Fault.BROKEN, "'", "superscripts"),
        (r"1.09^10", Fault.BROKEN, "^", "first digit"),
        (r"x^\sqrt{2}", Fault.BROKEN, "^", "needs braces"),
        (r"a & b", Fault.BROKEN, "&", "environment"),
        (r"a \\ b", Fault.BROKEN, r"\\", "environment"),
        (r"\begin{gather} a & b \end{gather}", Fault.BROKEN, "&", "environment"),
        (r"\begin{cases} {a & b} \end{cases}", Fault.BROKEN, "&", "environment"),
        (r"x = 5%", Fault.BROKEN, "%", r"\%"),
        (r"x#", Fault.BROKEN, "#", r"\#"),
        (r"\text{net_income}", Fault.BROKEN, "_", "in text"),
        (r"\foo{a}", Fault.UNKNOWN, r"\foo", "no command"),
        (r"\text{\foo}", Fault.UNKNOWN, r"\foo", "no command"),
        (r"\input{secrets}", Fault.UNSAFE, r"\input", "files"),
        (r"\immediate", Fault.UNSAFE, r"\immediate", "files"),
        (r"\write18{rm}", Fault.UNSAFE, r"\write", "files"),
        (r"\def\a{b}", Fault.UNSAFE, r"\def", "defines"),
        (r"\href{javascript:alert(1)}{a_b}", Fault.UNSAFE, r"\href", "links"),
        (r"\text{\url{x}}", Fault.UNSAFE, r"\url", "links"),
        (r"\htmlStyle{x}{y}", Fault.UNSAFE, r"\htmlStyle", "HTML"),
        ("\frac{a}{b}", Fault.BROKEN, "\frac", r"backslash of \frac"),
        ("5 \times 6", Fault.BROKEN, "\times", r"backslash of \times"),
        ("a \\", Fault.BROKEN, "\\", "ends with a backslash"),
        ("", Fault.BROKEN, "", "empty"),
    ],
)
def test_what_cannot_be_drawn_is_reported_at_its_characters(latex: str, fault: Fault, at: str, reason: str) -> None:
    problem = validate_formula(latex)[0]
    assert (problem.fault, problem.span.of(latex)) == (fault, at)
    assert reason in problem.reason
    assert problem.reason.endswith(".")


def test_all_problems_are_reported_at_once_and_in_order() -> None:
    answer = r"Growth is $\foo = 5%$, or \(\frac{a}{b\), at a price of $5 and $7; \[ x^2"
    problems = validate_latex(answer)
    assert [problem.span.of(answer) for problem in problems] == [r"\foo", "%", "{", r"\["]
    assert problems == sorted(problems, key=lambda problem: problem.span)


def test_an_environment_of_its_own_line_is_not_set_within_a_sentence() -> None:
    formula = r"\begin{align} a &= b \end{align}"
    assert "line of its own" in validate_latex(rf"where \({formula}\)")[0].reason
    assert validate_latex(rf"\[{formula}\]") == []


@pytest.mark.parametrize("opening", ["{", r"\frac{", r"\left(", r"\begin{cases}", "x^{", r"\sqrt[", r"\dfrac\dfrac"])
def test_a_formula_nested_without_end_is_given_up(opening: str) -> None:
    problems = validate_formula(opening * 2_000)
    assert any(f"more than {MAX_DEPTH} deep" in problem.reason for problem in problems)
    assert len(problems) < 100


PIECES = vocabulary(
    r"\frac \sqrt \left \right \begin \end \text \foo \input { } [ ] ( ) ^ _ & \\ $ $$ \( \) \[ \] % # ~ ' = + - "
    r"\approx \times / \% , {,} . 1 23 456 7.5 x a million {cases} {align} ` ``` \substack \middle \big"
) | {" ", "\n", "\n\n", "\f", "\t", "\\"}


@given(st.lists(st.sampled_from(sorted(PIECES)), max_size=40).map("".join))
def test_any_arrangement_of_pieces_is_judged_without_raising(text: str) -> None:
    for problem in [*validate_latex(text), *validate_formula(text)]:
        assert problem.span.end <= len(text)
        assert problem.reason.endswith(".")


@given(st.text())
def test_any_text_is_judged_without_raising(text: str) -> None:
    validate_formula(text)
    validate_latex(f"${text}$ \\({text}\\) {text}")


@pytest.mark.parametrize(
    "unit",
    [
        "$5 ",
        "$",
        "$$",
        "\\(",
        "\\[x ",
        "\\begin{align}",
        "`",
        "$\\frac ",
        "{",
        "}",
        "(",
        "x^",
        "1{,}",
        "1=",
        "\\text{",
        "-",
        "9^9*",
    ],
)
def test_a_long_run_of_any_piece_is_judged(unit: str) -> None:
    for text in (unit * 2_000, f"\\({unit * 2_000}\\)"):
        validate_latex(text)
