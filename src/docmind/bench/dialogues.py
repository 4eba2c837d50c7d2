"""The conversations among the authored documents, turn by turn, each with what should come of it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docmind.bench.authored import Folder, Part


@dataclass(frozen=True, slots=True)
class Turn:
    """What somebody types in a conversation, and what should come of it."""

    message: str
    alone: str
    """The same, written out by a person so that it can be understood alone."""
    expect: str
    """`answer`, `refuse`, `clarify` or `chitchat`."""
    must: tuple[str, ...]
    evidence: tuple[str, ...]
    documents: tuple[str, ...]
    """The names of the documents that it is about."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    id: str
    folder: Folder
    turns: tuple[Turn, ...]


def dialogues_of(folders: Sequence[Folder], part: Part) -> list[Dialogue]:
    """The conversations about the documents of a part; those that name no document are of none."""
    return [one for folder in folders for one in _read(folder) if _part(one) is part]


def _part(one: Dialogue) -> Part | None:
    named = [name for turn in one.turns for name in turn.documents]
    return one.folder.part(named[0]) if named else None


def _read(folder: Folder) -> Iterator[Dialogue]:
    path = folder.path / "conversations.jsonl"
    if not path.exists():
        return
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        yield Dialogue(row["id"], folder, tuple(_turn(turn, folder) for turn in row["turns"]))


def _turn(row: dict[str, Any], folder: Folder) -> Turn:
    return Turn(
        row["user"],
        row.get("standalone") or row["user"],
        row["expect"],
        tuple(row.get("must") or ()),
        _several(row.get("evidence")),
        tuple(name for name in _several(row.get("doc")) if name in folder.documents),
    )


def _several(value: str | list[str] | None) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) and value else tuple(value or ())
