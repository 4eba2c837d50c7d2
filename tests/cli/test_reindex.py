"""`docmind reindex`: another embedder for what is stored, and everything that says it differs names the command."""

import json
from pathlib import Path

import pytest

from docmind.cli.main import run


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with one paper, made by other weights than those that ship."""
    monkeypatch.setenv("DOCMIND_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("DOCMIND_MODELS__EMBEDDER", "static")
    paper = tmp_path / "paper.md"
    paper.write_text("# Steel\n\nSteel rusts in rain.\n")
    with monkeypatch.context() as before:
        before.setattr("docmind.models.embedders.versioned", lambda _: "static@00000000")
        assert run(["ingest", str(paper)]) == 0
    return paper


def test_other_weights_are_told_with_the_command_that_puts_it_right(
    stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", "Does steel rust?"]) == 1
    assert "`docmind reindex`" in " ".join(capsys.readouterr().err.split())
    run(["doctor"])
    assert "Run `docmind reindex`" in " ".join(capsys.readouterr().out.split())
    stored.unlink()
    assert run(["reindex"]) == 0
    assert "default: 1 passage, embedded by static" in capsys.readouterr().out
    assert run(["search", "Does steel rust?"]) == 0
    capsys.readouterr()
    assert run(["reindex", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["reindexed"] == []


@pytest.mark.usefixtures("stored")
def test_a_workspace_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reindex", "--workspace", "nowhere"]) == 1
    assert "nothing in workspace 'nowhere'" in capsys.readouterr().err
