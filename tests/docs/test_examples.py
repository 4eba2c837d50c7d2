"""Every example of the pages is tried from top to bottom, and prints what the page shows."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from docmind.cli.main import run
from tests.docs.pages import PAGES, ROOT, Command, Program, helped, name, shown, text
from tests.docs.reader import Reader, fits
from tests.stores import copied

PROBLEM = "urn:docmind:problem"
"""In what the service answers where it cannot do what was asked, as some examples show."""
FILES = {
    "minutes.md": "# Minutes of the board\n\nThe board approved the purchase of the Halden mill.\n",
    "prices.csv": "item,price in euros\nOak board,48\nPine board,19\n",
}
ELSEWHERE = {
    "docker": "needs Docker",
    "vllm": "needs a GPU and a model's weights",
    "pip": "installs",
    "export": "is a matter of the reader's own shell",
}
"""What no reader can follow here, by its first word, and why."""
UNTRIED = {
    "docs/scaling.md": "needs a Qdrant server, PostgreSQL or Docker",
    "docs/reading.md": "fetches a page from the web",
    "docs/backup.md": "works with files and folders of the reader's own",
}
"""Pages whose commands stand indented, and are not tried."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of an installation that has read the examples, made once."""
    data = tmp_path_factory.mktemp("library") / "data"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOCMIND_DATA_DIR", str(data))
        patch.setenv("DOCMIND_INGEST__WORKERS", "1")
        assert run(["ingest", str(ROOT / "examples/strategy"), "--workspace", "strategy"]) == 0
        assert run(["ingest", str(ROOT / "examples/finance")]) == 0
    return data


@pytest.fixture
def reader(library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    copied(library, tmp_path / "data")
    monkeypatch.setenv("DOCMIND_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    papers = Path.home() / "papers"
    papers.mkdir()
    for file, content in FILES.items():
        (papers / file).write_text(content, encoding="utf-8")
        (tmp_path / file).symlink_to(papers / file)
    reader = Reader()
    yield reader
    reader.leave()


@pytest.mark.parametrize("page", [page for page in PAGES if any(shown(text(page)))], ids=name)
def test_every_example_of_the_page_works_as_it_shows(page: Path, reader: Reader) -> None:
    for example in shown(text(page)):
        match example:
            case Program(code):
                reader.program(code)
            case Command(line) if line.split()[0] not in ELSEWHERE:
                outcome = reader.follow(example)
                said = f"{line}\n{outcome.out}{outcome.err}"
                assert (outcome.code == 0) != (PROBLEM in "".join(example.printed)), said
                assert fits(example.printed, outcome), said


def test_every_example_in_the_help_of_a_command_works(reader: Reader) -> None:
    examples = helped(text(ROOT / "docs/commands.md"))
    assert len(examples) > 5
    for example in examples:
        if "https://" in example.line or example.line.startswith("docmind watch"):
            continue  # No page of the web can be had here, and watching does not end; both have tests of their own.
        outcome = reader.follow(example)
        assert outcome.code == 0, f"{example.line}\n{outcome.out}{outcome.err}"


def test_only_these_examples_are_not_tried() -> None:
    words = {example.line.split()[0] for page in PAGES for example in shown(text(page)) if isinstance(example, Command)}
    assert {word for word in words if word not in ("docmind", "curl")} <= set(ELSEWHERE)
    indented = {name(page) for page in PAGES if re.search(r"^    (?:docmind|curl) ", text(page), re.MULTILINE)}
    assert indented - {"docs/commands.md"} == set(UNTRIED)
