"""Figures that HTML filings tag with Inline XBRL: read with their context, and left alone where the tags are broken."""

import datetime as dt
import socket
from decimal import Decimal

import pytest

from docmind.corpus.load import load
from docmind.corpus.load.xbrl import UNDECLARED
from docmind.domain.documents import Fact, Loaded, facts_within
from tests.inline_filing import BODY, CONTEXTS, NAMESPACES, context, filing, table, tag


def read(data: bytes) -> Loaded:
    return load(data, "brk-20221231.htm")


def of(loaded: Loaded, concept: str) -> list[Fact]:
    return [fact for fact in loaded.facts if fact.tag.concept == concept]


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    return read(filing())


def test_a_fact_has_its_value_unit_period_and_company(loaded: Loaded) -> None:
    now, before, *_ = of(loaded, "us-gaap:Revenues")
    assert (now.tag.value, now.tag.unit, now.tag.scale) == (Decimal(394_328_000_000), "USD", 6)
    assert (now.tag.start, now.tag.end) == (dt.date(2022, 1, 1), dt.date(2022, 12, 31))
    assert (before.tag.value, before.tag.end) == (Decimal(365_817_000_000), dt.date(2021, 12, 31))
    assert now.tag.entity == "0001234567"


def test_a_fact_stands_at_the_exact_characters_that_show_it(loaded: Loaded) -> None:
    shown = [fact.span.of(loaded.text) for fact in loaded.facts]
    assert shown[:6] == ["394,328", "365,817", "223,546", "212,981", "334", "258"]
    assert len(shown) == 16
    assert all(
        loaded.text[fact.span.start - 2] in ":(" or loaded.text[fact.span.start - 1] in "($" for fact in loaded.facts
    )


def test_the_tag_tells_the_sign_and_the_page_may_show_another(loaded: Loaded) -> None:
    assert [fact.tag.value for fact in of(loaded, "us-gaap:NonoperatingIncomeExpense")] == [-334_000_000, 258_000_000]
    assert [fact.tag.value for fact in of(loaded, "us-gaap:CostOfRevenue")] == [223_546_000_000, 212_981_000_000]
    assert "Payments to suppliers | 2022: (223,546)" in loaded.text


def test_amounts_per_share_nil_and_days_are_told(loaded: Loaded) -> None:
    earnings = of(loaded, "us-gaap:EarningsPerShareBasic")[0].tag
    assert (earnings.value, earnings.unit) == (Decimal("6.15"), "USD/shares")
    nil = of(loaded, "us-gaap:Impairment")[1]
    assert (nil.tag.value, nil.span.of(loaded.text)) == (Decimal(0), "—")
    cash = of(loaded, "us-gaap:Cash")[0].tag
    assert (cash.start, cash.end) == (None, dt.date(2022, 12, 31))


def test_parts_of_the_company_are_told_from_the_whole(loaded: Loaded) -> None:
    assert [fact.tag.members for fact in of(loaded, "us-gaap:Revenues")] == [(), (), *[("brk:OvensMember",)] * 2]


def test_the_cover_says_what_the_document_is_and_hidden_names_do_not_count(loaded: Loaded) -> None:
    assert loaded.metadata.known() == {
        "title": "Brackwell Inc. Form 10-K 2022",
        "company": "Brackwell Inc.",
        "ticker": "BRKW",
        "fiscal_year": 2022,
        "document_type": "10-k",
    }
    assert "Someone Else" not in loaded.text
    assert loaded.notes == ()


def test_a_passage_has_the_facts_that_stand_in_it(loaded: Loaded) -> None:
    for fact in loaded.facts:
        assert facts_within(loaded.facts, fact.span) == (fact,)
    whole = loaded.blocks[0].span.start, loaded.blocks[-1].span.end
    assert facts_within(loaded.facts, type(loaded.facts[0].span)(*whole)) == loaded.facts


@pytest.mark.parametrize(
    ("form", "shown", "value"),
    [
        ("ixt:num-dot-decimal", "1,234.5", "1234.5"),
        ("ixt:num-comma-decimal", "1.234,5", "1234.5"),
        ("ixt:numcommadecimal", "1 234,5", "1234.5"),
        ("ixt:fixed-zero", "none", "0"),
        ("", "1234.5", "1234.5"),
    ],
)
def test_numbers_are_read_by_the_format_they_are_tagged_with(form: str, shown: str, value: str) -> None:
    one = tag("us-gaap:Cash", "d22", shown, format=form, scale="0")
    loaded = read(filing(table(["2022", "2021"], ("Cash", [one, "7"]), ("Other", ["5", "6"]))))
    assert [fact.tag.value for fact in loaded.facts] == [Decimal(value)]


def test_other_prefixes_mean_the_same() -> None:
    data = filing(namespaces=NAMESPACES.replace("xmlns:ix=", "xmlns:inline="))
    data = data.replace(b"<ix:", b"<inline:").replace(b"</ix:", b"</inline:")
    assert len(read(data).facts) == 16


BROKEN = {
    "no such context": (tag("us-gaap:Cash", "nowhere", "7"), "names a context that is not there"),
    "no such unit": (tag("us-gaap:Cash", "d22", "7", unit="gold"), "names a unit that is not there"),
    "absurd scale": (tag("us-gaap:Cash", "d22", "7", scale="999999999"), "has a scale that is no power of ten"),
    "scale of words": (tag("us-gaap:Cash", "d22", "7", scale="6e6"), "has a scale that is no power of ten"),
    "words for a number": (tag("us-gaap:Cash", "d22", "seven"), "is not a number of its format"),
    "endless number": (tag("us-gaap:Cash", "d22", "7" * 5000), "is not a number of its format"),
    "no concept": (tag("", "d22", "7"), "does not say what it is"),
    "damaged context": (tag("us-gaap:Cash", "bad", "7"), "is damaged or stands for two things"),
    "two contexts of one id": (tag("us-gaap:Cash", "twice", "7"), "is damaged or stands for two things"),
    "end before start": (tag("us-gaap:Cash", "backwards", "7"), "is damaged or stands for two things"),
}
MORE_CONTEXTS = "".join(
    (
        CONTEXTS,
        context("bad", "yesterday"),
        context("twice", "2022-12-31"),
        context("twice", "2021-12-31"),
        context("backwards", "2022-12-31", "2022-01-01"),
    )
)


@pytest.mark.parametrize(("one", "fault"), BROKEN.values(), ids=BROKEN)
def test_a_broken_tag_leaves_its_figure_as_text_and_says_so(one: str, fault: str) -> None:
    good = tag("us-gaap:Cash", "d21", "8")
    body = table(["2022", "2021"], ("Cash", [one, good]), ("Other", ["5", "6"]))
    loaded = read(filing(body, contexts=MORE_CONTEXTS))
    assert [fact.tag.value for fact in loaded.facts] == [8_000_000]
    (note,) = loaded.notes
    assert "1 of 2" in note
    assert fault in note
    assert "Cash | 2022: $" in loaded.text


def test_nothing_is_fetched_and_no_entity_is_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE html SYSTEM "http://example.com/x.dtd" [<!ENTITY a0 "ha">{entities}]>'
    loaded = read(filing(f"<p>&a11;</p>{BODY}", before=bomb))
    assert (loaded.facts, loaded.notes) == ((), (UNDECLARED,))
    assert "Turnover | 2022: $394,328" in loaded.text
    assert len(loaded.text) < 5_000


def test_texts_that_are_continued_in_circles_or_nested_are_read_as_they_stand() -> None:
    circle = (
        '<ix:nonNumeric name="us-gaap:Note" contextRef="y22" continuedAt="a">One.</ix:nonNumeric>'
        '<ix:continuation id="a" continuedAt="b">Two. <ix:continuation id="b" continuedAt="a">Three.</ix:continuation>'
        "</ix:continuation>"
    )
    loaded = read(filing(f"<p>{circle}</p>{BODY}"))
    assert "One.Two. Three." in loaded.text
    assert len(loaded.facts) == 16


def test_hidden_figures_and_tags_within_tags_are_not_told_twice() -> None:
    inner = tag("us-gaap:Cash", "d22", "7")
    hidden = f'<span style="display:none">{tag("us-gaap:Cash", "d21", "9")}</span>'
    nested = (
        f'<ix:nonFraction name="us-gaap:CashTotal" contextRef="d22" unitRef="usd" scale="6">{inner}</ix:nonFraction>'
    )
    loaded = read(filing(table(["2022", "2021"], ("Cash", [nested + hidden, "8"]), ("Other", ["5", "6"]))))
    assert [(fact.tag.concept, fact.span.of(loaded.text)) for fact in loaded.facts] == [("us-gaap:CashTotal", "7")]


def test_a_page_without_inline_xbrl_has_no_facts_and_the_same_text() -> None:
    plain = filing(namespaces="")
    assert read(plain).facts == ()
    assert read(plain).text == read(filing()).text
