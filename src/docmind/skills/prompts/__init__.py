"""What chat models are told: a text for each task, with its version in the first line."""

from functools import cache
from importlib.resources import files


@cache
def instructions(task: str) -> str:
    """The text of a task."""
    return _written(task)[1]


def version(task: str) -> int:
    """Which version of its text a task has; raised whenever the text changes."""
    return int(_written(task)[0].removeprefix("version "))


def tasks() -> list[str]:
    """Every task that a chat model is given, by name."""
    texts = (file.name for file in files(__package__).iterdir())
    return sorted(name.removesuffix(".txt") for name in texts if name.endswith(".txt"))


def _written(task: str) -> tuple[str, str]:
    """The first line and the text below it."""
    first, _, text = files(__package__).joinpath(f"{task}.txt").read_text(encoding="utf-8").partition("\n\n")
    return first, text.rstrip("\n")
