"""What the README shows is what a person sees."""

import re
import shlex
from pathlib import Path

import pytest

from docmind.cli.main import run

ROOT = Path(__file__).parents[2]


def test_the_search_in_the_readme_prints_what_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [shown] = re.findall(r"```\n\$ docmind (.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    command, _, expected = shown.partition("\n")
    assert run(["ingest", str(ROOT / "examples/strategy"), "--workspace", "strategy"]) == 0
    capsys.readouterr()
    assert run(shlex.split(command)) == 0
    # The last digits of a probability differ between processors.
    assert _without_percentages(capsys.readouterr().out) == _without_percentages(expected)


def _without_percentages(text: str) -> list[str]:
    return re.sub(r"\d+%", "n%", text).split()
