"""What chat models are told: a text for each task, below its version and the most tokens that a call of it takes.

A task without a line of what it reads is shown passages, as many as the limit on every prompt leaves room for.
"""

from functools import cache
from importlib.resources import files

from docmind.domain.budget import Requests
from docmind.models import structured
from docmind.models.chat.model import Room


@cache
def instructions(task: str) -> str:
    """The text of a task."""
    return _written(task)[1]


def version(task: str) -> int:
    """Which version of its text a task has; raised whenever the text changes."""
    return _written(task)[0]["version"]


def room(task: str) -> Room:
    """The most tokens that one call of a task writes and reads."""
    head, _ = _written(task)
    return Room(head["writes"], head.get("reads"))


def requests(task: str, times: int, *, calls: int = structured.MOST_CALLS, judged: bool = False) -> Requests:
    """A task that a run can give so often; `calls` is 1 where the reply is a text, which is never asked for again."""
    most = room(task)
    return Requests(times, most.written, most.read, calls, judged)


def tasks() -> list[str]:
    """Every task that a chat model is given, by name."""
    texts = (file.name for file in files(__package__).iterdir())
    return sorted(name.removesuffix(".txt") for name in texts if name.endswith(".txt"))


@cache
def _written(task: str) -> tuple[dict[str, int], str]:
    """The numbers of its first lines, and the text below them."""
    head, _, text = files(__package__).joinpath(f"{task}.txt").read_text(encoding="utf-8").partition("\n\n")
    lines = (line.split() for line in head.splitlines())
    return {line[0]: int(line[1]) for line in lines}, text.rstrip("\n")
