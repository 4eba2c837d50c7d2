"""The row that is meant, chosen by what its label and headings mean, with the reader's word on the best."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from docmind.domain.documents import Passage
from docmind.models.reader import Reader
from docmind.quality.quantities import Period
from docmind.skills.finance.analyse import analyse_with
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.confidence import FIGURE_SIGNALS, analysis_confidence, signals_of
from docmind.skills.finance.evidence.choice import WantedFigure, choose, figure_sentence, shortlist
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.question import read_question

READER = Reader()


def answers(question: str, texts: Sequence[str]) -> list[float]:
    return [read.score for read in READER.read(question, texts)]


@pytest.fixture
def passages(tabled: Callable[..., list[Passage]]) -> list[Passage]:
    cash = tabled(
        ["", "Six months ended June 30, 2023", "Six months ended June 30, 2022"],
        ["Purchases of property and equipment", "(10,000)", "(9,100)"],
        ["Proceeds from sales of securities", "4,100", "5,200"],
        ["Repayments of loans", "(700)", "(650)"],
        lead="Consolidated statements of cash flows (in millions)",
        name="cash",
    )
    taxes = tabled(
        ["", "Six months ended June 30, 2023", "Six months ended June 30, 2022"],
        ["Cash paid for income taxes, net of refunds", "4,354", "3,598"],
        ["Cash paid for interest", "1,020", "980"],
        lead="Supplemental cash flow information (in millions)",
        name="taxes",
    )
    return [*cash, *taxes]


def test_a_row_is_found_that_shares_no_word_with_the_question(passages: list[Passage]) -> None:
    half = Period(2023, half=1)
    wanted = WantedFigure(
        "spending on new plants and machines", "", (half,), "How much was spent on new plants in H1 2023?"
    )
    few, scores = shortlist(wanted, Evidence(passages), most=3)
    assert few[0].series.label == "Purchases of property and equipment"
    assert [figure.quantity.text for figure in few[0].figures] == ["(10,000)"]
    assert sorted(scores, reverse=True) == list(scores)


def test_the_likeliest_row_is_chosen_and_without_a_reader_none(passages: list[Passage]) -> None:
    wanted = WantedFigure("cash taxes paid", "", (Period(2022, half=1),), "How much cash tax was paid in H1 2022?")
    assert choose(wanted, Evidence(passages)) is None
    choice = choose(wanted, Evidence(passages, answers=answers))
    assert choice is not None
    assert choice.candidate.figures[0].quantity.text == "3,598"
    assert 0 < choice.likely < 1


def test_a_figure_is_stated_with_what_it_stands_under(passages: list[Passage]) -> None:
    evidence = Evidence(passages)
    [one] = [series for series in evidence.series if series.label == "Cash paid for interest"]
    told = figure_sentence(one, one.figures[0], evidence.tables[one.table])
    assert told.endswith("Cash paid for interest, Six months ended June 30, 2023: 1,020 million.")
    assert told.startswith("Supplemental cash flow information")


def test_what_the_rows_do_not_name_makes_an_answer_less_likely(passages: list[Passage]) -> None:
    evidence = Evidence(passages, answers=answers)
    plain, elsewhere = (
        analyse_with(read_question(f"How much cash was paid for interest {where}in the first half of 2023?"), evidence)
        for where in ("", "by the Peruvian mill ")
    )
    signals = signals_of(plain, evidence)
    assert tuple(signals) == FIGURE_SIGNALS
    assert signals_of(plain, Evidence(passages)) == {}
    confident = [analysis_confidence(_with(one, evidence)) for one in (plain, elsewhere)]
    assert confident[0] > confident[1]


def _with(analysis: Analysis, evidence: Evidence) -> Analysis:
    return replace(analysis, signals=signals_of(analysis, evidence))
