"""Where output goes: pretty in a terminal; in a pipe plain, uncoloured and never wrapped."""

import json
import re
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from docmind.cli.requester import REQUESTER
from docmind.cli.wrapping import echo

READABLE_WIDTH = 100
_UNBOUNDED = 10_000
# Controls, and what turns the direction of writing round: either makes a terminal show what is not there.
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class _Console(Console):
    def print(self, *objects: Any, soft_wrap: bool | None = None, **how: Any) -> None:
        """What a pipe gets in one line is broken between words on a terminal, and goes on below its first word."""
        if not (soft_wrap and self.is_terminal and len(objects) == 1 and isinstance(objects[0], str | Text)):
            super().print(*objects, soft_wrap=soft_wrap, **how)
            return
        text = Text(objects[0]) if isinstance(objects[0], str) else objects[0]
        for paragraph in text.split("\n", allow_blank=True):
            indent = len(paragraph.plain) - len(paragraph.plain.lstrip(" "))
            told = paragraph[indent:]
            for line in told.divide(_line_starts(told.plain, self.width - indent)):
                line.rstrip()
                super().print(Text.assemble(" " * indent, line), soft_wrap=True, **how)

    def on_broken_pipe(self) -> None:
        # Rich would end the program here; how it ends is for one place to decide.
        raise BrokenPipeError


def _line_starts(text: str, width: int) -> list[int]:
    """Where lines after the first begin, so that each ends between words."""
    starts, start = [], 0
    for word in re.finditer(r"\S+", text):
        if word.start() > start and cell_len(text[start : word.end()]) > width:
            start = word.start()
            starts.append(start)
    return starts


def out() -> Console:
    return _console(stderr=False)


def err() -> Console:
    return _console(stderr=True)


def print_json(value: Any) -> None:
    told = json.dumps(value, ensure_ascii=False, indent=2)
    # The same to a program, and harmless to a terminal.
    echo(_STEERING.sub(lambda control: f"\\u{ord(control[0]):04x}", told))


def printable(text: str) -> str:
    """Text without control characters: a document must not be able to steer the reader's terminal."""
    return _STEERING.sub(" ", text)


def _console(*, stderr: bool) -> Console:
    asker = REQUESTER.get()
    place: dict[str, Any] = {"stderr": stderr}
    if asker is not None:
        place = {"file": asker.err if stderr else asker.out, "_environ": asker.environment}
    console = _Console(**place, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _UNBOUNDED
    return console
