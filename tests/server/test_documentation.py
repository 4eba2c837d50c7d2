"""Every request that the page on the service shows is sent, and answered as the page says."""

import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from docmind.settings import Settings
from tests.server.conftest import MINUTES, PRICES, write

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8000"


@dataclass
class Shown:
    """A command of the page, and what it prints as far as that is shown."""

    words: list[str]
    output: str = ""


def shown(page: str) -> Iterator[Shown]:
    """Commands stand indented, over several lines where one ends in a backslash or within quotes; output is fenced."""
    last: Shown | None = None
    lines = iter(page.splitlines())
    for line in lines:
        if line.startswith("    curl "):
            command = line.strip()
            while command.endswith("\\") or command.count("'") % 2:
                command = f"{command.removesuffix(chr(92))}\n{next(lines)}"
            if last:
                yield last
            last = Shown(shlex.split(command)[1:])
        elif line == "```":
            output = "\n".join(iter(lambda: next(lines), "```"))
            if last:
                yield Shown(last.words, output)
            last = None
        elif line.startswith("#") and last:
            yield last
            last = None


def request(client: httpx.Client, words: list[str], folder: Path) -> httpx.Response:
    """What curl would send."""
    asked: dict[str, Any] = {"headers": {}, "files": [], "data": {}}
    method, address = "GET", ""
    arguments = iter(words)
    for word in arguments:
        match word:
            case "--json":
                method, asked["content"] = "POST", next(arguments).encode()
                asked["headers"]["Content-Type"] = "application/json"
            case "--form":
                method, (name, _, value) = "POST", next(arguments).partition("=")
                if value.startswith("@"):
                    asked["files"].append((name, (Path(value[1:]).name, (folder / value[1:]).read_bytes())))
                else:
                    asked["data"][name] = value
            case "--header":
                name, _, value = next(arguments).partition(": ")
                asked["headers"][name] = value
            case "--request":
                method = next(arguments)
            case "--no-buffer" | "--remote-name" | "--remote-header-name":
                pass
            case _:
                address = word.removeprefix(ADDRESS)
                assert address != word, words
    return client.request(method, address, **{name: value for name, value in asked.items() if value})


def fits(output: str, answer: str) -> bool:
    """Whether an answer is what the page shows, whatever stands where the page has `…`."""
    parts = ("".join(part.split()) for part in output.split("…"))
    return bool(re.match(".*?".join(map(re.escape, parts)), "".join(answer.split()), re.DOTALL))


def test_every_request_of_the_page_is_answered_as_it_says(tmp_path: Path, serving: Any) -> None:
    folder = write(tmp_path / "papers", {"minutes.md": MINUTES, "prices.csv": PRICES})
    (folder / "examples").symlink_to(ROOT / "examples")
    asked = [each for each in shown(PAGE) if not any("$" in word for word in each.words)]
    assert len(asked) > 20
    # Two of the examples are enough for what the page asks.
    for name in ("board-paper-european-expansion.pdf", "hr-capacity-plan-2026-2028.docx"):
        (tmp_path / "strategy").mkdir(exist_ok=True)
        shutil.copy(ROOT / "examples" / "strategy" / name, tmp_path / "strategy")
    with DocMind(Settings(data_dir=tmp_path / "data")) as engine, serving(create_app(engine)) as client:
        engine.ingest([tmp_path / "strategy"], Scope("strategy"))
        for each in asked:
            answer = request(client, each.words, folder)
            assert answer.is_success or "nowhere.pdf" in each.words[-1], (each.words, answer.text)
            assert fits(each.output, answer.text), (each.output, answer.text)
