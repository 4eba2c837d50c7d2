"""What the pages show: commands at a prompt with what they print, programs in Python, and commands named in passing."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BESIDE = [
    ROOT / name
    for name in (
        "CONTRIBUTING.md",
        "training/README.md",
        "data/authored/README.md",
        "data/messages/README.md",
        "examples/README.md",
        "examples/extension/README.md",
        "bench/README.md",
        "CHANGELOG.md",
    )
]
"""Pages that stand in the folder they are about."""
PROMPT = "$ "
TYPED = "> "
"""Before what a person types into a program that goes on asking."""

_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"`(docmind [^`]+)`")


@dataclass(frozen=True, slots=True)
class Program:
    """A program in Python, whole by itself."""

    code: str


@dataclass(slots=True)
class Command:
    """A command at a prompt, what is typed into it, and what it prints as far as that is shown."""

    line: str
    typed: list[str] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def shown(page: str) -> Iterator[Command | Program]:
    """In the order in which a reader comes to them."""
    for language, content in _FENCED.findall(page):
        if language == "python":
            yield Program(content)
        elif language == "console":
            yield from _commands(content.splitlines())


def _commands(lines: list[str]) -> Iterator[Command]:
    """Each goes on over lines where one ends in a backslash or within quotes."""
    command: Command | None = None
    unfinished = False
    for line in lines:
        if unfinished and command:
            command.line += f"\n{line}"
        elif line.startswith(PROMPT):
            if command:
                yield command
            command = Command(line.removeprefix(PROMPT))
        elif command and line.startswith(TYPED):
            command.typed.append(line.removeprefix(TYPED))
        elif command:
            command.printed.append(line)
        unfinished = command is not None and not command.printed and _goes_on(command.line)
    if command:
        yield command


def _goes_on(line: str) -> bool:
    if line.endswith("\\"):
        return True
    try:
        shlex.split(line, comments=True)
    except ValueError:
        return True
    return False


def helped(page: str) -> list[Command]:
    """The examples that the help of commands gives; a long one goes on over several lines."""
    found = re.findall(r"^ {4}(docmind (?:.*\\\n)*.*)$", page, re.MULTILINE)
    return [Command(re.sub(r" \\\n +", " ", each)) for each in found]


def named(page: str) -> list[str]:
    """Commands in running text, where a word in capitals stands for something of the reader's."""
    return [" ".join(found.split()) for found in _INLINE.findall(_FENCED.sub("", page))]
