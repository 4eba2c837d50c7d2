"""What the pages mention in passing is there: commands with their options, settings, targets of make, files, rooms."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from docmind.cli.commands import app
from docmind.settings import variables
from tests.docs.pages import BESIDE, PAGES, ROOT, name, named, text

WRITTEN = [page for page in (*PAGES, *BESIDE) if page.name != "commands.md"]
SETTING = re.compile(r"\b(DOCMIND_[A-Z_]*[A-Z])\b(?!_?…)")
FOR_TESTS = "DOCMIND_TEST_"
FILE = re.compile(r"`((?:scripts|src/docmind|tests|training|requirements|examples)/[\w./-]*)`")


def known(words: list[str]) -> None:
    """Raises where a command or an option of it is not there; other words stand for something of the reader's."""
    command: Any = typer.main.get_command(app)
    while getattr(command, "commands", None) and words and not words[0].startswith("-"):
        name = words.pop(0)
        command = command.get_command(None, name)
        assert command is not None, f"There is no command {name}"
    options = {option for each in command.params for option in (*each.opts, *each.secondary_opts)}
    for word in words:
        assert not word.startswith("-") or word in options, f"{command.name} has no {word}"


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_every_command_that_a_page_mentions_is_there(page: Path) -> None:
    for line in named(text(page)):
        known(line.split()[1:])


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_every_setting_that_a_page_mentions_is_there(page: Path) -> None:
    mentioned = {found for found in SETTING.findall(text(page)) if not found.startswith(FOR_TESTS)}
    assert mentioned <= set(variables())


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_every_target_and_file_that_a_page_mentions_is_there(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)", text(page))) <= targets
    assert [file for file in FILE.findall(text(page)) if not (ROOT / file).exists()] == []


def test_every_room_that_the_tour_names_is_there() -> None:
    rows = re.findall(r"^\| `([\w.]+)`[^|]*\|([^|]*)\|", text(ROOT / "docs/architecture.md"), re.MULTILINE)
    assert len(rows) > 10
    for floor, rooms in rows:
        room = ROOT / "src/docmind" / floor
        assert room.exists(), floor
        assert [each for each in re.findall(r"`([\w./]+)`", rooms) if not (room / each).exists()] == [], floor


def test_the_readme_draws_the_folders_as_they_are() -> None:
    house = text(ROOT / "README.md").partition("## How the code is laid out\n")[2].partition("\n## ")[0]
    rooms = set(re.findall(r"^ {6}(\w+) ", house, re.MULTILINE))
    package = [each for each in (ROOT / "src/docmind").iterdir() if not each.name.startswith("__")]
    assert rooms == {each.stem for each in package if each.is_dir() or each.suffix == ".py"}
    folders = re.findall(r"^ {4}([\w/]+)/", house, re.MULTILINE)
    assert "training" in folders
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


def test_every_page_is_on_the_list_of_pages() -> None:
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", text(ROOT / "docs/README.md")))
    assert listed == {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}


def test_a_fresh_clone_is_tried_with_what_the_readme_promises() -> None:
    told = subprocess.run(
        [sys.executable, ROOT / "scripts/test_fresh.py", "coffee"], capture_output=True, text=True, check=False
    )
    assert told.returncode == 2
    assert told.stderr == "The README does not promise make coffee; it promises make demo, make test.\n"


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_every_json_example_is_json(page: Path) -> None:
    for example in re.findall(r"^```json\n(.*?)^```$", text(page), re.DOTALL | re.MULTILINE):
        json.loads(example)
