"""What chat models are told: a text for each task, with its version in the first line."""

import re
from functools import cache
from importlib.resources import files

_VERSION = re.compile(r"\Aversion (\d{1,4})\n\n")


@cache
def instructions(task: str) -> str:
    """The text of a task."""
    written = _written(task)
    return _VERSION.sub("", written).rstrip("\n")


def version(task: str) -> int:
    """Which version of its text a task has; raised whenever the text changes."""
    found = _VERSION.match(_written(task))
    if found is None:
        raise ValueError(f"The prompt {task} does not begin with its version.")
    return int(found[1])


def tasks() -> list[str]:
    """Every task that a chat model is given, by name."""
    texts = (file.name for file in files(__package__).iterdir())
    return sorted(name.removesuffix(".txt") for name in texts if name.endswith(".txt"))


def _written(task: str) -> str:
    return files(__package__).joinpath(f"{task}.txt").read_text(encoding="utf-8")
