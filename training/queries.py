"""What the embedder is trained on: something looked for, the passage that has it, and passages that look alike."""

import json
import lzma
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Query:
    """What is looked for, the passage that has it, and passages that look alike."""

    text: str
    positive: str
    negatives: tuple[str, ...]


def write(found: Iterable[Query], path: Path) -> int:
    count = 0
    with lzma.open(path, "wt", encoding="utf-8") as lines:
        for one in found:
            lines.write(json.dumps([one.text, one.positive, list(one.negatives)], ensure_ascii=False) + "\n")
            count += 1
    return count


def read(path: Path) -> list[Query]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [Query(text, positive, tuple(negatives)) for text, positive, negatives in map(json.loads, lines)]
