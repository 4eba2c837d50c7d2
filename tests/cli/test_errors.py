from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from docmind.cli.errors import report
from docmind.domain.errors import NotFound

DocMind = Callable[..., Any]


@pytest.mark.parametrize(
    ("error", "line", "code"),
    [
        (NotFound("There is no\nsuch thing."), "There is no such thing.", 1),
        (PermissionError(13, "Permission denied", "/data"), "'/data' cannot be used: Permission denied.", 1),
        (KeyboardInterrupt(), "Interrupted.", 130),
        (typer.Abort(), "Stopped. Nothing was changed.", 1),
        (typer.BadParameter("wrong"), "Invalid value: wrong.", 2),
    ],
)
def test_an_error_is_one_line_and_a_code(
    error: BaseException, line: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(error) == code
    assert capsys.readouterr().err == f"docmind: {line}\n"


def test_what_nobody_expected_is_named_with_the_way_to_see_more(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(ZeroDivisionError("division by zero")) == 1
    told = capsys.readouterr().err
    assert told.startswith("docmind: Something unexpected went wrong (ZeroDivisionError: division by zero).")
    assert "--debug" in told
    assert told.count("\n") == 1


def test_the_traceback_is_shown_to_whoever_asks(docmind: DocMind) -> None:
    plain, debug = docmind("ingest", "nowhere"), docmind("--debug", "ingest", "nowhere")
    assert "Traceback" not in plain.err
    assert "Traceback" in debug.err
    assert debug.err.endswith(plain.err)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["serch", "x"], "No such command 'serch'. Did you mean 'search'"),
        (["search", "--limt", "3", "x"], "No such option: --limt"),
        (["search", "--limit", "0", "x"], "Invalid value for '--limit'"),
        (["search", "--limit", "many", "x"], "Invalid value for '--limit'"),
        (["search"], "Missing argument 'Q"),
        (["documents", "shwo"], "No such command 'shwo'. Did you mean 'show'"),
    ],
)
def test_wrong_usage_is_one_line_with_the_way_to_the_help(docmind: DocMind, arguments: list[str], told: str) -> None:
    refused = docmind(*arguments)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith(f"docmind: {told}")
    assert "--help`." in refused.err
    assert refused.err.count("\n") == 1


def test_alone_it_shows_its_help(docmind: DocMind) -> None:
    alone, asked = docmind(), docmind("--help")
    assert alone.code == asked.code == 0
    assert alone.out == asked.out
    for command in ("ingest", "search", "documents", "doctor", "bench"):
        assert f"\n  {command} " in alone.out


def test_a_data_folder_that_cannot_be_made_is_one_line(
    docmind: DocMind, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("DOCMIND_DATA_DIR", str(tmp_path / "file" / "below"))
    refused = docmind("documents")
    assert refused.code == 1
    assert refused.err == f"docmind: '{tmp_path}/file/below' cannot be used: Not a directory.\n"
