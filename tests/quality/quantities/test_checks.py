"""Totals are held against their parts, and figures are put in order."""

from decimal import Decimal

from docmind.quality.quantities import Figure, Ranking, Refusal, Sums, TotalCheck, check_total, rank, read_table

THOUSANDS = "Segments (in thousands of euros)"
MILLIONS = "Overview (in millions of euros)"


def column(rows: str, caption: str = THOUSANDS) -> list[Figure]:
    return read_table(rows, caption)


def checked(figures: list[Figure]) -> TotalCheck:
    outcome = check_total(figures[:-1], figures[-1])
    assert isinstance(outcome, TotalCheck), outcome
    return outcome


def test_parts_that_make_their_total_do_so_exactly() -> None:
    check = checked(column("A | 2024: 334,180\nB | 2024: 189,460\nC | 2024: 131,590\nTotal | 2024: 655,230"))
    assert (check.verdict, check.gap) == (Sums.EXACTLY, Decimal(0))
    assert check.computed.formula == "334,180 + 189,460 + 131,590 = EUR 655,230 thousand"


def test_a_negative_part_counts_as_such() -> None:
    assert checked(column("A | 2024: 55,480\nB | 2024: (14,210)\nTotal | 2024: 41,270")).verdict is Sums.EXACTLY


def test_rounded_parts_may_miss_their_total_by_their_rounding() -> None:
    check = checked(column("A | 2024: 334.2\nB | 2024: 189.5\nC | 2024: 131.6\nTotal | 2024: 655.2", MILLIONS))
    assert (check.verdict, check.gap) == (Sums.ROUNDED, Decimal(-100_000))


def test_a_total_that_does_not_add_up_is_found_with_its_gap() -> None:
    check = checked(column("A | 2024: 14,720\nB | 2024: 7,910\nTotal | 2024: 22,730"))
    assert (check.verdict, check.gap) == (Sums.NOT, Decimal(100_000))


def test_parts_of_another_year_are_refused() -> None:
    figures = column("A | 2024: 1\nB | 2023: 2\nTotal | 2024: 3")
    assert isinstance(check_total(figures[:-1], figures[-1]), Refusal)
    assert isinstance(check_total(figures[:1], None), Refusal)


def test_figures_are_ranked_with_equal_ones_in_one_place() -> None:
    ranking = rank(column("Revenue | 2022: 5 | 2023: 7 | 2024: 5"))
    assert isinstance(ranking, Ranking)
    assert ranking.places == (1, 2, 2)
    assert ranking.text == (
        "Revenue, 2023: EUR 7 thousand > Revenue, 2022: EUR 5 thousand = Revenue, 2024: EUR 5 thousand"
    )


def test_figures_that_do_not_compare_are_not_ranked() -> None:
    assert isinstance(rank(column("Revenue | 2022: 5 | 2023: 7%")), Refusal)
