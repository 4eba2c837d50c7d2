"""The training set as it lies in a folder: groups of the authored documents and rows of the public sets."""

import json
import lzma
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from training.rows import JudgeGroup, JudgeItem, PassageItem, QuestionItem, ReadGroup


def write_groups(groups: Iterable[JudgeGroup | ReadGroup], path: Path) -> int:
    count = 0
    with lzma.open(path, "wt", preset=6, encoding="utf-8") as lines:
        for group in groups:
            lines.write(json.dumps(asdict(group), ensure_ascii=False) + "\n")
            count += 1
    return count


def read_judge_groups(path: Path) -> list[JudgeGroup]:
    return [
        JudgeGroup(
            row["id"],
            tuple(
                JudgeItem(
                    one["claim"], one["evidence"], one["label"], _spans(one["doubts"]), _spans(one["marks"]) or ()
                )
                for one in row["items"]
            ),
        )
        for row in _rows(path)
    ]


def read_question_groups(path: Path) -> list[ReadGroup]:
    return [ReadGroup(row["id"], tuple(_question(one) for one in row["questions"])) for row in _rows(path)]


def _question(row: dict[str, Any]) -> QuestionItem:
    passages = tuple(
        PassageItem(
            one["text"], one["answers"], tuple(one["span"]) if one["span"] else None, _spans(one["marks"]) or ()
        )
        for one in row["passages"]
    )
    return QuestionItem(row["question"], row["verdict"], passages)


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _spans(value: list[list[int]] | None) -> tuple[tuple[int, int], ...] | None:
    return None if value is None else tuple((start, end) for start, end in value)
