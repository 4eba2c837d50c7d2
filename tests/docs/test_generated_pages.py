"""The pages that are written from the code say what the code says now."""

import re
from pathlib import Path

import pytest

import docmind
from docmind.settings import variables
from tests.docs.pages import BESIDE, PAGES, ROOT, name, text
from tests.scripts import run_script

LINK = re.compile(r"\]\((?!https?:)([^)]+)\)")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    run_script("write_docs.py", folder)
    return folder


@pytest.mark.parametrize("page", ["configuration.md", "commands.md", "api.md", "architecture.md"])
def test_the_page_is_what_make_docs_writes(written: Path, page: str) -> None:
    assert (ROOT / "docs" / page).read_text(encoding="utf-8") == (written / page).read_text(encoding="utf-8")


def test_every_setting_is_on_the_page_of_settings(written: Path) -> None:
    page = (written / "configuration.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([A-Z][A-Z_]+)`", page, re.MULTILINE) == list(variables())


@pytest.mark.parametrize(
    "command",
    [
        "ingest",
        "search",
        "documents",
        "documents show",
        "workspaces",
        "workspaces delete",
        "runs",
        "runs resume",
        "replay",
        "graph",
        "serve",
        "doctor",
        "bench",
    ],
)
def test_every_command_is_on_the_page_of_commands(written: Path, command: str) -> None:
    page = (written / "commands.md").read_text(encoding="utf-8")
    assert f"## docmind {command}\n\n```text\nUsage: docmind {command} [OPTIONS]" in page


def test_the_public_names_and_what_the_programs_call_are_on_the_page_of_the_api(written: Path) -> None:
    page = (written / "api.md").read_text(encoding="utf-8")
    assert [name for name in docmind.__all__ if f"## {name}\n" not in page] == []
    called = set(re.findall(r"\bdocmind\.(\w+)\(", text(ROOT / "docs" / "python.md")))
    assert {"ingest", "run", "stream", "check"} <= called
    assert [name for name in called if f"\n{name}(" not in page] == []
    awaited = re.findall(r"`(a\w+)`", text(ROOT / "docs" / "python.md"))
    assert awaited
    assert [name for name in awaited if f"`{name}` is the same for event loops." not in page] == []


def anchors(page: Path) -> set[str]:
    """The headings of a page, as links to them are written."""
    headings = re.findall(r"^#+ (.+)$", text(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [*PAGES, *BESIDE], ids=name)
def test_every_link_leads_to_a_file_and_a_heading_of_it(page: Path) -> None:
    for link in LINK.findall(text(page)):
        file, _, heading = link.partition("#")
        target = page.parent / file if file else page
        assert target.exists(), link
        assert not heading or heading in anchors(target), link
