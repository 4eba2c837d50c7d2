"""Commands of other packages: found when asked for, listed where they work, and never in the way of the others."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from docmind.cli.app import NO_BENCH
from docmind.domain.extensions import everything
from tests.packages import put

DocMind = Callable[..., Any]
GROUP = "docmind.commands"
KNOCK = '''
import typer

def knock(name: str) -> None:
    """Say who is there."""
    typer.echo(f"{name} is there.")
'''


@pytest.fixture(autouse=True)
def _looked_up_anew() -> Iterator[None]:
    everything.cache_clear()
    yield
    everything.cache_clear()


@pytest.fixture
def door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = {GROUP: {"knock": "door:knock", "stuck": "door:handle", "ask": "door:knock"}}
    put(tmp_path, monkeypatch, "door", {"door": KNOCK}, points)


@pytest.mark.usefixtures("door")
def test_a_command_of_another_package_is_listed_and_runs(docmind: DocMind) -> None:
    assert "knock       Say who is there." in docmind("--help").out
    assert docmind("knock", "Ada").out == "Ada is there.\n"
    assert "Answer a question from your documents." in docmind("ask", "--help").out


@pytest.mark.usefixtures("door")
def test_one_that_is_broken_says_so_in_a_sentence_and_is_not_listed(docmind: DocMind) -> None:
    assert "stuck" not in docmind("--help").out
    done = docmind("stuck")
    assert done.code == 1
    assert " ".join(done.err.split()).startswith(
        "docmind: The command 'stuck' of the package door cannot be used: door:handle cannot be imported"
    )
    told = docmind("doctor").out
    assert "✗ extensions   The command 'stuck' of the package door cannot be used" in told
    assert "✗ extensions   The command 'ask' of the package door cannot be used: its name is taken by docmind" in told


def test_without_the_benchmarks_it_is_said_how_they_are_installed(
    docmind: DocMind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docmind.domain.extensions.installed", lambda _: ())
    done = docmind("bench")
    assert (done.code, " ".join(done.err.split())) == (1, f"docmind: {NO_BENCH}")
    assert docmind("benhc").code == 2
