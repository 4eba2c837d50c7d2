"""The example corpora are what their README says: reproducible, and wrong in exactly the two places it names."""

import csv
import importlib.util
import re
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import docx
import pypdfium2
import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
STRATEGY = sorted((EXAMPLES / "strategy").iterdir())
REPORTS = sorted((EXAMPLES / "finance").iterdir())
NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")

BOARD_PAPER = "board-paper-european-expansion.pdf"
MINUTES = "investment-committee-minutes-2026-03.docx"

# What several papers state: wherever the words match, the figure in brackets has to be the same.
SHARED_FACTS = (
    r"(?:hurdle rate of|hurdle rate is) ([\d.]+) percent",
    r"[Ii]nvestment incentive of EUR ([\d.]+) million",
    r"term loan of EUR ([\d.]+) million",
    r"market (?:of|was worth) EUR ([\d.]+) billion",
    r"([\d.]+) MVA grid connection",
    r"(?:payback of|pays back in) ([\d.]+) years",
    r"test rig, EUR ([\d.]+) million|EUR ([\d.]+) million for a test rig",
    r"The ([\d]+) (?:certified )?pressure welders",
)

# Each total of the annual reports, and the lines whose sum it is.
TOTALS = {
    "Gross profit": ("Revenue", "Cost of sales"),
    "Operating profit": (
        "Gross profit", "Research and development expenses", "Selling expenses", "General and administrative expenses",
        "Other operating income",
    ),
    "Profit before tax": ("Operating profit", "Finance income", "Finance costs"),
    "Profit for the year": ("Profit before tax", "Income tax expense"),
    "Total non-current assets": (
        "Goodwill", "Other intangible assets", "Property, plant and equipment", "Right-of-use assets",
        "Deferred tax assets",
    ),
    "Total current assets": (
        "Inventories", "Trade receivables", "Other current assets", "Cash and cash equivalents",
    ),
    "Total assets": ("Total non-current assets", "Total current assets"),
    "Total equity": ("Share capital", "Share premium", "Retained earnings"),
    "Total non-current liabilities": (
        "Borrowings, non-current", "Lease liabilities, non-current", "Pension provisions", "Deferred tax liabilities",
    ),
    "Total current liabilities": (
        "Borrowings, current", "Lease liabilities, current", "Trade payables", "Contract liabilities",
        "Income tax payable", "Other current liabilities",
    ),
    "Total equity and liabilities": ("Total equity", "Total non-current liabilities", "Total current liabilities"),
    "Cash flow from operating activities": (
        "Profit for the year", "Depreciation and amortisation", "Share-based payments",
        "Deferred taxes and change in provisions", "Change in inventories", "Change in receivables and other assets",
        "Change in payables and other liabilities",
    ),
    "Cash flow from investing activities": (
        "Purchase of property, plant and equipment", "Capitalised development costs",
        "Acquisition of subsidiaries, net of cash",
    ),
    "Cash flow from financing activities": (
        "Proceeds from borrowings", "Repayment of borrowings", "Repayment of lease liabilities", "Dividends paid",
    ),
    "Net change in cash": (
        "Cash flow from operating activities", "Cash flow from investing activities",
        "Cash flow from financing activities",
    ),
    "Cash at the end of the year": ("Net change in cash", "Cash at the beginning of the year"),
}  # fmt: skip
PEER_WORDS = {
    "Sales revenue": "Revenue",
    "Operating result (EBIT)": "Operating profit",
    "Result before taxes": "Profit before tax",
    "Net income": "Profit for the year",
}


@cache
def text_of(path: Path) -> str:
    """The words of a document with single spaces; the line breaks of a PDF are kept."""
    if path.suffix == ".pdf":
        with pypdfium2.PdfDocument(path) as document:
            return "\n".join(page.get_textpage().get_text_range().replace("\r\n", "\n") for page in document)
    if path.suffix == ".docx":
        document = docx.Document(str(path))
        cells = (cell.text for table in document.tables for row in table.rows for cell in row.cells)
        return "\n".join((*(paragraph.text for paragraph in document.paragraphs), *cells))
    return path.read_text(encoding="utf-8")


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@cache
def statement_lines(path: Path) -> dict[str, tuple[float, float]]:
    """Lines of the three statements by their usual name, this year first."""
    figure = r"(\(?[\d,.]+\)?|-)"
    lines: dict[str, tuple[float, float]] = {}
    statements = text_of(path).split("Consolidated financial statements", 1)[1].split("Notes to the consolidated")[0]
    for line in statements.splitlines():
        if found := re.fullmatch(rf"(\D.*?) {figure} {figure}", line.strip()):
            lines[PEER_WORDS.get(found[1], found[1])] = (amount(found[2]), amount(found[3]))
    return lines


def amount(shown: str) -> float:
    value = 0.0 if shown == "-" else float(shown.strip("()").replace(",", ""))
    return -value if shown.startswith("(") else value


def questions() -> list[dict[str, str]]:
    with (EXAMPLES / "questions.csv").open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source))


def facilities() -> list[dict[str, str]]:
    with (EXAMPLES / "facilities" / "facilities.csv").open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source))


@pytest.mark.skipif(
    importlib.util.find_spec("reportlab") is None,
    reason="reportlab is not installed; the dependency group `make` brings it",
)
def test_the_script_rebuilds_every_committed_file_byte_for_byte(tmp_path: Path) -> None:
    script = ROOT / "scripts" / "build_examples.py"
    subprocess.run([sys.executable, str(script), "--into", str(tmp_path)], check=True, capture_output=True)
    rebuilt = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    committed = {
        path.relative_to(EXAMPLES): path.read_bytes()
        for folder in ("strategy", "finance", "facilities")
        for path in (EXAMPLES / folder).iterdir()
    }
    assert rebuilt.keys() == committed.keys()
    assert [str(name) for name in rebuilt if rebuilt[name] != committed[name]] == []


def test_the_examples_stay_small() -> None:
    assert sum(path.stat().st_size for path in EXAMPLES.rglob("*") if path.is_file()) < 1_500_000


def test_the_papers_disagree_on_the_capital_budget_alone() -> None:
    pattern = re.compile(r"capital budget of (?:[^.]*? )?EUR ([\d.]+) million")
    budgets = {path.name: set(pattern.findall(flat(text_of(path)))) for path in STRATEGY}
    budgets = {name: amounts for name, amounts in budgets.items() if amounts}
    assert budgets == {BOARD_PAPER: {"42.0"}, MINUTES: {"47.5"}}


@pytest.mark.parametrize("pattern", SHARED_FACTS)
def test_a_fact_that_several_papers_state_is_the_same_in_each(pattern: str) -> None:
    found = [match for path in STRATEGY for match in re.finditer(pattern, flat(text_of(path)))]
    assert len(found) >= 2
    assert len({next(filter(None, match.groups())) for match in found}) == 1


@pytest.mark.parametrize("report", REPORTS, ids=lambda path: path.stem)
def test_every_total_of_the_statements_is_the_sum_of_its_parts(report: Path) -> None:
    lines = statement_lines(report)
    for total, parts in TOTALS.items():
        for column in (0, 1):
            assert lines[total][column] == pytest.approx(sum(lines[part][column] for part in parts), abs=0.01), total
    assert lines["Total assets"] == lines["Total equity and liabilities"]
    assert lines["Cash at the end of the year"] == lines["Cash and cash equivalents"]


@pytest.mark.parametrize(("company", "year"), [("ellandor", 2023), ("ellandor", 2024), ("brackwater", 2024)], ids=str)
def test_a_prior_year_column_equals_the_report_of_that_year(company: str, year: int) -> None:
    before, now = (
        statement_lines(EXAMPLES / "finance" / f"{company}-annual-report-{number}.pdf") for number in (year - 1, year)
    )
    assert {name: now[name][1] for name in now} == {name: before[name][0] for name in before}


def test_one_printed_total_does_not_add_up() -> None:
    wrong = []
    for report in REPORTS:
        note = text_of(report).split("Note 6. Capital expenditure by segment", 1)[1].split("Note 7", 1)[0]
        *parts, total = (amount(found) for found in re.findall(r"^\D+ ([\d,.]+)$", note, re.MULTILINE)[1:])
        if sum(parts) != pytest.approx(total):
            wrong.append((report.stem, sum(parts), total))
        assert sum(parts) == pytest.approx(-statement_lines(report)["Purchase of property, plant and equipment"][0])
    assert wrong == [("ellandor-annual-report-2023", 41_370, 41_730)]


def test_there_are_questions_of_every_kind_and_each_names_documents_that_exist() -> None:
    asked = questions()
    assert len(asked) >= 60
    assert len({question["question"] for question in asked}) == len(asked)
    kinds = {question["kind"] for question in asked}
    assert kinds == {"lookup", "multi", "comparison", "calculation", "unanswerable", "conflict"}
    for question in asked:
        names = question["document"].split(";") if question["document"] else []
        assert bool(names) == (question["kind"] != "unanswerable"), question
        assert all((EXAMPLES / question["corpus"] / name).is_file() for name in names), question


@pytest.mark.parametrize(
    "question", [q for q in questions() if q["kind"] == "calculation"], ids=lambda q: q["question"]
)
def test_a_calculation_gives_its_answer_from_printed_figures(question: dict[str, str]) -> None:
    value, formula = question["answer"].split(" = ")
    assert re.fullmatch(r"[\d.,()+*/ -]+", formula)
    decimals = len(value.partition(".")[2])
    assert round(eval(formula.replace(",", "")), decimals) == float(value.replace(",", ""))
    assert figures_missing(formula, question["document"]) <= {"1", "2", "100", "1,000"}


@pytest.mark.parametrize(
    "question",
    [q for q in questions() if q["kind"] in {"lookup", "comparison", "conflict"}],
    ids=lambda q: q["question"],
)
def test_the_figures_of_an_answer_are_printed_in_its_documents(question: dict[str, str]) -> None:
    assert figures_missing(question["answer"], question["document"]) == set()


def figures_missing(answer: str, documents: str) -> set[str]:
    printed = {
        figure
        for name in documents.split(";")
        for path in EXAMPLES.rglob(name)
        for figure in NUMBER.findall(text_of(path))
    }
    return set(NUMBER.findall(answer)) - printed


def test_facilities_are_many_complete_and_in_places_that_share_a_name() -> None:
    rows = facilities()
    assert len(rows) >= 60
    assert len({row["id"] for row in rows}) == len({row["name"] for row in rows}) == len(rows)
    assert all(value.strip() for row in rows for value in row.values())
    regions = defaultdict(set)
    for row in rows:
        regions[row["city"]].add((row["region"], row["country"]))
        assert -90 <= float(row["latitude"]) <= 90
        assert -180 <= float(row["longitude"]) <= 180
    assert {("Illinois", "United States"), ("Massachusetts", "United States")} <= regions["Springfield"]
    assert {city for city, places in regions.items() if len({country for _, country in places}) > 1} == {
        "Boston", "Cambridge", "London",
    }  # fmt: skip


def test_facilities_open_on_sundays_at_night_and_for_vaccination_can_be_found() -> None:
    rows = facilities()
    day = r"\b(?:Mo|Tu|We|Th|Fr|Sa|Su)(?:-(?:Mo|Tu|We|Th|Fr|Sa|Su))?"
    hours = re.compile(rf"24/7|{day} \d\d:\d\d-\d\d:\d\d(?:; {day} \d\d:\d\d-\d\d:\d\d)*")
    assert all(hours.fullmatch(row["opening_hours"]) for row in rows)
    assert sum("Su" in row["opening_hours"] for row in rows) >= 10
    assert sum(row["opening_hours"] == "24/7" for row in rows) >= 5
    assert sum("vaccination" in row["services"].split(";") for row in rows) >= 20


def test_telephone_numbers_are_from_ranges_kept_for_fiction() -> None:
    fictional = re.compile(
        r"\+1 \d{3}-555-01\d\d|\+44 (20 7946 0|1632 960|161 496 0)\d{3}|\+353 20 91\d \d{4}"
        r"|\+49 (30 23125|89 99998) \d{3}|\+33 (1 99 00|4 65 71) \d\d \d\d"
    )
    assert [row["phone"] for row in facilities() if not fictional.fullmatch(row["phone"])] == []
