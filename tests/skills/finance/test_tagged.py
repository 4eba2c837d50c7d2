"""Figures that a filing tags itself: they are taken by their tags, whatever the table around them says."""

from dataclasses import replace
from decimal import Decimal

import pytest

from docmind.corpus.chunk import chunk
from docmind.corpus.load import load
from docmind.domain.documents import Passage, facts_within
from docmind.quality.quantities import Figure, Period
from docmind.skills.finance.evidence.evidence import Evidence
from tests.inline_filing import SEGMENTS, both, context, filing, table, tag


def passages_of(data: bytes) -> list[Passage]:
    loaded = load(data, "brk-20221231.htm")
    return [
        Passage(
            str(number),
            "brk",
            number,
            piece.span,
            piece.span.of(loaded.text),
            piece.heading,
            kind=piece.kind,
            facts=facts_within(loaded.facts, piece.span),
        )
        for number, piece in enumerate(chunk(loaded, "Brackwell"))
    ]


def found(passages: list[Passage], phrase: str, year: int = 2022) -> Figure:
    period = Period(year)
    series = Evidence(passages).best(phrase, at=[period])
    assert series is not None
    figure = series.at(period)
    assert figure is not None
    return figure


@pytest.fixture(scope="module")
def passages() -> list[Passage]:
    return passages_of(filing())


@pytest.mark.parametrize(
    ("phrase", "shown", "value"),
    [
        ("revenue", "$394,328", "394328000000"),
        ("net income", "99,803", "99803000000"),
        ("cost of sales", "(223,546)", "223546000000"),
        ("other result", "(334)", "-334000000"),
        ("earnings per share", "6.15", "6.15"),
        ("turnover of ovens", "$39,440", "39440000000"),
    ],
)
def test_a_metric_is_found_by_its_tag_whatever_its_row_is_called(
    passages: list[Passage], phrase: str, shown: str, value: str
) -> None:
    figure = found(passages, phrase)
    assert (figure.quantity.text, figure.quantity.value) == (shown, Decimal(value))
    passage = next(passage for passage in passages if passage.id == figure.source)
    start = figure.span.start - passage.span.start
    assert passage.text[start : start + len(shown)] == shown


def test_without_its_tags_the_same_row_is_not_found(passages: list[Passage]) -> None:
    bare = [replace(passage, facts=()) for passage in passages]
    assert Evidence(bare).best("net income", at=[Period(2022)]) is None


def test_the_tag_outranks_what_the_header_and_the_caption_say() -> None:
    later = context("y23", "2022-07-01", "2023-06-30")
    euros = tag("us-gaap:Revenues", "y23", "7", scale="3")
    body = table(["2022", "2021"], ("Revenue", [euros, "5"]), ("Other items", ["5", "6"]))
    figure = found(passages_of(filing(body, contexts=later)), "revenue", 2023)
    assert (figure.quantity.value, figure.scale) == (Decimal(7_000), Decimal(1_000))
    assert figure.period == Period(2023, month=6, day=30, months=12)


def test_shares_and_percentages_keep_their_units() -> None:
    body = table(
        ["2022", "2021"],
        ("Paper in circulation", both("us-gaap:SharesOutstanding", "15,943", "16,426", unit="shares", scale="3")),
        ("Tax quota", [f"{one}%" for one in both("us-gaap:TaxRate", "16.2", "13.3", unit="number", scale="-2")]),
    )
    passages = passages_of(filing(body))
    shares = found(passages, "paper in circulation").quantity
    assert (shares.value, shares.counted, shares.currency) == (Decimal(15_943_000), "share", None)
    rate = found(passages, "tax quota").quantity
    assert (rate.value, rate.unit) == (Decimal("16.2"), "percent")


def test_figures_of_a_part_and_of_the_whole_are_never_one_series() -> None:
    mixed = table(
        ["Whole", "Ovens"],
        ("Turnover", [tag("us-gaap:Revenues", "y22", "400"), tag("us-gaap:Revenues", "y22-ovens", "40")]),
        ("Other items", ["5", "6"]),
    )
    passages = passages_of(filing(mixed + SEGMENTS))
    series = [one for one in Evidence(passages).series if one.label == "Turnover"]
    assert all(len({figure.members for figure in one.figures}) == 1 for one in series)
    assert found(passages, "turnover").members == ()
