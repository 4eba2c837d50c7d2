from pathlib import Path

import pytest
from importlinter import cli

ROOT = Path(__file__).parent.parent


def test_imports_go_downwards_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    status = cli.lint_imports(config_filename="pyproject.toml", no_cache=True)
    assert status == cli.EXIT_STATUS_SUCCESS, capsys.readouterr().out
