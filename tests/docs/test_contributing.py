"""What a contributor is told works: the commands of the page and the hooks before a commit."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from tests.docs.pages import ROOT, Command, shown, text

BIN = ".venv/bin/"
LINES = [example.line for example in shown(text(ROOT / "CONTRIBUTING.md")) if isinstance(example, Command)]


@pytest.mark.parametrize("line", LINES)
def test_every_command_of_the_page_works(line: str) -> None:
    """What make does takes minutes, and is done by whoever tests; here it is only asked what it would do."""
    words = line.split()
    if words[0] == "make":
        words.insert(1, "--dry-run")
    assert words[0] == "make" or line.startswith(BIN)
    here = str(Path(sys.executable).parent)
    command = [word.replace(BIN, f"{here}/") for word in words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout


def test_hooks_before_a_commit_are_what_make_check_runs() -> None:
    makefile = text(ROOT / "Makefile")
    recipe = re.search(r"^check:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert recipe
    run = [line.strip().replace("$(BIN)/", BIN) for line in recipe[1].splitlines()]
    (local,) = yaml.safe_load(text(ROOT / ".pre-commit-config.yaml"))["repos"]
    assert local["repo"] == "local"
    assert sorted(hook["entry"] for hook in local["hooks"]) == sorted(run)
    assert {hook["language"] for hook in local["hooks"]} == {"system"}
