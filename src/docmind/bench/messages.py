"""Messages as people write them to an assistant, each with its kind: `data/messages`."""

import json
from pathlib import Path
from typing import NamedTuple

from docmind.domain.answers import MessageKind


class Message(NamedTuple):
    text: str
    kind: MessageKind
    part: str
    """`train`, or `test` for those that nothing is fitted on, written in other voices and situations."""
    name: str
    """What it calls a document, word for word; empty where it names none, or where nobody has marked it."""


def read_messages(folder: Path) -> list[Message]:
    lines = (folder / "messages.jsonl").read_text("utf-8").splitlines()
    rows = (json.loads(line) for line in lines)
    return [Message(row["text"], MessageKind(row["kind"]), row["part"], row.get("name", "")) for row in rows]
