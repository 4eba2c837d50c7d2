"""Questions on the annual reports that come with the product, with the values that the reports give."""

from pathlib import Path

import pytest

from docmind.corpus.chunk import chunk
from docmind.corpus.file_reading import label
from docmind.corpus.load import load
from docmind.domain.documents import Passage
from docmind.quality.quantities import Computed, Operand
from docmind.skills.finance import Evidence, analyse_with, read_question, validate

REPORTS = Path(__file__).resolve().parents[3] / "examples" / "finance"


@pytest.fixture(scope="module")
def evidence() -> Evidence:
    passages, owners = [], {}
    for path in sorted(REPORTS.glob("*.pdf")):
        loaded = load(path.read_bytes(), path.name)
        owners[path.stem] = loaded.metadata.company or ""
        passages += [
            Passage(
                f"{path.stem}-{n}", path.stem, n, one.span, one.span.of(loaded.text), one.heading, one.page, one.kind
            )
            for n, one in enumerate(chunk(loaded, label(loaded.metadata, path.name)))
        ]
    return Evidence(passages, owners)


def told(result: Operand) -> str:
    return result.formula if isinstance(result, Computed) else result.quantity.text


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was Ellandor's revenue in 2023?", "601,020"),
        ("What was the operating profit of Ellandor Instruments in fiscal year 2024?", "85,330"),
        ("How much cash did Ellandor hold at the end of 2022?", "69,810"),
        ("What was Brackwater's sales revenue in 2024?", "148.7"),
        ("How many people did Brackwater Sensors employ at the end of 2023?", "846"),
        ("What was Ellandor's revenue in 2020?", "501.3"),
        ("What was Ellandor's operating margin in 2022, in percent?", "11.3%"),
        ("What are Ellandor's earnings per share in 2024?", "1.27"),
        ("By what percentage did Ellandor's revenue grow from 2022 to 2023?", "(601,020 − 579,520) / 579,520 = 3.71%"),
        (
            "What was Ellandor's compound annual revenue growth from 2022 to 2024, in percent?",
            "(655,230 / 579,520)^(1/2) − 1 = 6.33%",
        ),
        ("What share of Ellandor's 2024 revenue came from North America?", "199,380 / 655,230 = 30.43%"),
        ("What was Ellandor's current ratio at the end of 2023?", "299,820 / 148,700 = 2.02 times"),
        (
            "What was Ellandor's free cash flow over the three years 2022 to 2024?",
            "58,630 + 44,090 + 26,060 = EUR 128,780 thousand",
        ),
        ("By what percentage did Brackwater's EBIT change in 2024?", "(11.9 − 15.6) / 15.6 = -23.72%"),
        ("What was Brackwater's return on equity in 2024?", "7.5 / 90.2 = 8.31%"),
        ("What was Ellandor's net margin in 2024?", "60,730 / 655,230 = 9.27%"),
        (
            "How many times Brackwater's sales revenue was Ellandor's revenue in 2024?",
            "655,230,000 / 148,700,000 = 4.41 times",
        ),
        (
            "What was the change in Ellandor's Process Measurement revenue between 2023 and 2024?",
            "334,180 − 307,940 = EUR 26,240 thousand",
        ),
        ("What was Ellandor's revenue per employee in 2024?", "655,230,000 / 2,946 = EUR 222,413.44 per person"),
        ("What is the difference between Ellandor's and Brackwater's employees in 2024?", "2,946 − 829 = 2,117"),
    ],
)
def test_a_question_has_the_value_of_the_reports(evidence: Evidence, question: str, expected: str) -> None:
    analysis = analyse_with(read_question(question), evidence)
    assert [told(result) for result in analysis.results] == [expected]
    assert validate(analysis, evidence) == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which company had the higher operating margin in 2024, Ellandor or Brackwater?", "Ellandor Instruments N.V."),
        ("Which Ellandor region had the highest revenue in 2024?", "Europe"),
        ("Which Ellandor segment had the lowest operating profit in 2023?", "Corporate and unallocated"),
    ],
)
def test_what_has_the_most_or_the_least_is_named(evidence: Evidence, question: str, expected: str) -> None:
    assert [quote.text for quote in analyse_with(read_question(question), evidence).quotes] == [expected]


@pytest.mark.parametrize(
    "question",
    [
        "What was Ellandor's revenue in the first quarter of 2024?",
        "How much did Ellandor's chief executive earn in 2023?",
        "What was Brackwater's revenue in 2020?",
    ],
)
def test_what_the_reports_do_not_tell_is_refused(evidence: Evidence, question: str) -> None:
    analysis = analyse_with(read_question(question), evidence)
    assert analysis.refusal
    assert not analysis.results


def test_the_total_that_does_not_add_up_in_the_report_is_found(evidence: Evidence) -> None:
    analysis = analyse_with(read_question("What was Ellandor's total capital expenditure in 2023?"), evidence)
    assert [finding.message for finding in validate(analysis, evidence)] == [
        "Total capital expenditure is given as EUR 41,730 thousand, but its parts add up to EUR 41,370 thousand."
    ]
