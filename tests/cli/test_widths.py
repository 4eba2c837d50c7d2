"""Help, tables and answers fit the terminal, with every word whole."""

from collections.abc import Callable
from typing import Any

import pytest

from docmind.cli.app import summary
from docmind.cli.commands import app
from tests.cli.at_terminal import shown

DocMind = Callable[..., Any]
WIDTHS = [60, 80, 120, 200]
HELPS = [(), ("ask",), ("documents",), ("runs", "resume"), ("keys", "create"), ("facilities", "search"), ("check",)]


def read(text: str) -> set[str]:
    """The words of a text, and none that only holds lines together."""
    return set(text.split()) - {"\\"}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("command", HELPS, ids=" ".join)
def test_help_fits_with_whole_words(
    docmind: DocMind, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    told = docmind(*command, "--help").out
    monkeypatch.setenv("COLUMNS", "1000")
    assert read(told) == read(docmind(*command, "--help").out)
    assert max(map(len, told.splitlines())) < width


@pytest.mark.parametrize("width", WIDTHS)
def test_every_summary_is_whole(docmind: DocMind, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    told = " ".join(docmind("--help").out.split())
    assert "..." not in told.replace("[ARGS]...", "")
    groups = {group.typer_instance.info.name for group in app.registered_groups if group.typer_instance}
    assert {"documents", "runs"} <= groups
    for command in app.registered_commands:
        assert command.callback
        assert f"{command.name or command.callback.__name__} {summary(command.callback.__doc__ or '')}" in told
    assert "bench Measure this installation" in told


def test_help_in_a_pipe_is_as_whole(program: DocMind) -> None:
    told = program("runs", "--help")
    assert "..." not in told.out.replace("[ARGS]...", "")


@pytest.mark.parametrize(
    "line",
    [
        ("documents",),
        ("runs",),
        ("search", "how much did the Halden mill cost?"),
        ("ask", "how much did the Halden mill cost?"),
        ("check", "The board approved the purchase of the Halden mill for 15 million euros."),
        ("documents", "show", "nothing-of-that-name-anywhere.md"),
    ],
    ids=" ".join,
)
def test_what_is_shown_fits_with_whole_words(filled: DocMind, line: tuple[str, ...]) -> None:
    if line == ("runs",):
        filled("ask", "how much did the Halden mill cost?")
    words = read(shown(1000, *line))
    for width in (60, 120):
        told = shown(width, *line)
        assert read(told) <= words | {"·", *(f"{word}…" for word in words), "…"}
        too_long = [each for each in told.splitlines() if len(each.rstrip()) > width]
        assert [each for each in too_long if len(each.split()) > 1] == []
