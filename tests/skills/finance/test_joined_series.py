"""One thing told in several reports: figures of periods that no single table has side by side."""

from docmind.domain.documents import Passage, Span
from docmind.skills.finance import Evidence, analyse_with, read_question

FIRST = (
    "Total net sales by category for the three months ended December 31, 2022 (dollars in millions):",
    "Total net sales",
    "Three Months Ended December 31, 2022: 117,154",
    "Three Months Ended December 25, 2021: 123,945",
)
SECOND = (
    "Net sales by category for the three months ended April 1, 2023 (dollars in millions):",
    "Total net sales",
    "Three Months Ended April 1, 2023: 94,836",
    "Three Months Ended March 26, 2022: 97,278",
)
# Disaggregated elsewhere in the second report, under other words, with the same figures.
AGAIN = ("Revenue disaggregated by significant products (dollars in millions):", *SECOND[1:])
QUESTION = "How did total net sales change from the three months ended December 31, 2022 to the three months ended April 1, 2023?"  # noqa: E501


def report(name: str, *tables: tuple[str, ...]) -> list[Passage]:
    texts = [" | ".join(table[1:]) for table in tables]
    return [
        Passage(f"{name}{n}", name, n, Span(1000 * n, 1000 * n + len(text)), text, kind="table", heading=(table[0],))
        for n, (table, text) in enumerate(zip(tables, texts, strict=True))
    ]


def results(*passages: Passage) -> list[str]:
    evidence = Evidence(passages, {"q1": "Acme", "q2": "Acme"})
    return [result.quantity.text for result in analyse_with(read_question(QUESTION), evidence).results]


def test_figures_of_two_reports_are_compared_where_their_tables_are_called_the_same() -> None:
    assert results(*report("q1", FIRST), *report("q2", SECOND))[0].endswith("-22,318 million")


def test_a_table_called_otherwise_is_known_by_one_with_its_figures() -> None:
    assert results(*report("q1", FIRST), *report("q2", AGAIN, SECOND))[0].endswith("-22,318 million")


def test_tables_called_otherwise_with_no_period_in_common_are_not_taken_for_one() -> None:
    assert results(*report("q1", FIRST), *report("q2", AGAIN)) == []
