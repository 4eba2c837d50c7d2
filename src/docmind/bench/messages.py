"""Messages as people write them to an assistant, each with its kind: `data/messages`."""

import json
from pathlib import Path
from typing import NamedTuple

from docmind.domain.messages import MessageKind


class Message(NamedTuple):
    text: str
    kind: MessageKind
    part: str
    """`train`, or `test` for those that nothing is fitted on, written in other voices and situations."""


def read_messages(folder: Path) -> list[Message]:
    lines = (folder / "messages.jsonl").read_text("utf-8").splitlines()
    rows = (json.loads(line) for line in lines)
    return [Message(row["text"], MessageKind(row["kind"]), row["part"]) for row in rows]
