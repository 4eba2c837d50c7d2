"""Charts for people: what a terminal shows, and what is in the image."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from rich.console import Console

from docmind.cli.charts import HEIGHT, WIDTH, drawing_of, png, show_chart, tick
from docmind.quality.latex.formulas import plain, readable


def chart(kind: str, *datasets: list[float | None], title: str = "Revenue (EUR million)") -> dict[str, Any]:
    labels = [str(2020 + place) for place in range(len(datasets[0]))]
    colour: Any = ["#112233", "#445566", "#778899"][: len(labels)] if kind == "doughnut" else "#112233"
    sets = [{"label": f"Row {n}", "data": data, "backgroundColor": colour} for n, data in enumerate(datasets, 1)]
    plugins = {"title": {"text": title}, "subtitle": {"text": "Source: Annual report, page 2"}}
    return {"type": kind, "data": {"labels": labels, "datasets": sets}, "options": {"plugins": plugins}}


def shown(config: dict[str, Any], width: int = 80) -> list[str]:
    console = Console(file=io.StringIO(), width=width)
    show_chart(console, drawing_of(config), width)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().split("\n")


def test_a_terminal_shows_every_number_with_a_bar_as_long_as_it_is_great() -> None:
    title, low, high, source, _ = shown(chart("line", [5, 10.5]))
    assert title == "Revenue (EUR million)"
    assert low.split()[0] == "2020"
    assert low.split()[-1] == "5"
    assert 2 * low.count("█") <= high.count("█") == 44
    assert source == "Source: Annual report, page 2"


def test_a_ring_shows_shares_and_a_gap_shows_nothing() -> None:
    assert "1 (25.0%)" in shown(chart("doughnut", [1, 3]))[1]
    lines = shown(chart("line", [None, 3], [1, 2]))
    assert lines[1] == "  Row 1"
    assert lines[2].split() == ["2020", "–"]


def test_what_is_below_zero_is_told_apart() -> None:
    assert "▒" in shown(chart("bar", [-3, 3]))[1]


@pytest.mark.parametrize("width", [20, 40, 200])
def test_a_terminal_of_any_width_is_drawn_to(width: int) -> None:
    assert len(shown(chart("bar", [1, 2, 3]), width)) >= 5


@pytest.mark.parametrize("kind", ["line", "bar", "doughnut"])
def test_an_image_has_the_colours_of_the_chart(kind: str) -> None:
    with Image.open(io.BytesIO(png(drawing_of(chart(kind, [3, 1, 2]))))) as image:
        assert image.format == "PNG"
        assert image.size == (WIDTH, HEIGHT)
        assert (0x11, 0x22, 0x33) in {colour for _, colour in image.getcolors(WIDTH * HEIGHT) or []}


@given(st.floats(1e-6, 1e12))
def test_ticks_are_round_and_few(reach: float) -> None:
    step = tick(reach)
    assert reach / 5 <= step * 1.000001
    assert step <= reach


def test_a_formula_is_written_out_on_one_line() -> None:
    assert plain(r"\frac{601{,}020 - 579{,}520}{579{,}520} \times 100 = 3.71\,\%") == (
        "(601,020 − 579,520) / 579,520 × 100 = 3.71%"
    )
    assert plain(r"\left(\left(\frac{655{,}230}{579{,}520}\right)^{1/2} - 1\right) \times 100 = 6.33\,\%") == (
        "((655,230 / 579,520)^(1/2) − 1) × 100 = 6.33%"
    )
    assert readable("It grew [1].\n\n$$\n1 + 2 = 3\\ \\text{EUR million}\n$$\n\nAnd $5 more.") == (
        "It grew [1].\n\n1 + 2 = 3 EUR million\n\nAnd $5 more."
    )
