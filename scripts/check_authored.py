"""Checks the authored documents: `check_authored.py [FOLDER]`. Quotes stand in their documents, and all have twins."""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

AUTHORED = Path(__file__).parent.parent / "data" / "authored"
Row = dict[str, Any]
SIDES: dict[str, Callable[[Row], bool]] = {
    "claims": lambda row: row["label"] == "supported",
    "questions": lambda row: row["type"] != "unanswerable",
}


def problems(folder: Path) -> Iterator[str]:
    """What is wrong in one folder, a sentence each."""
    documents = {path.stem: _flat(path.read_text("utf-8")) for path in (folder / "docs").glob("*.md")}
    for kind, side in SIDES.items():
        items = {row["id"]: row for row in _rows(folder / f"{kind}.jsonl")}
        twins = _rows(folder / f"{kind}_twins.jsonl")
        paired = Counter(twin["of"] for twin in twins)
        for name in items.keys() - paired.keys():
            if not items[name].get("off_topic"):
                yield f"{name} has no twin."
        for name in (name for name, count in paired.items() if count > 1 or name not in items):
            yield f"{name} is not the one of one twin."
        for twin in twins:
            if twin["of"] in items and side(twin) == side(items[twin["of"]]):
                yield f"{twin['id']} is on the same side as {twin['of']}."
        for row in (*items.values(), *twins):
            quotes = (*_quotes(row.get("evidence")), *_quotes(row.get("near")))
            yield from _unfound(row["id"], row["doc"], quotes, documents)
    yield from _reworded(folder, documents)
    for row in _rows(folder / "conflicts.jsonl"):
        for name, quote in zip(row["docs"], row["evidence"], strict=True):
            yield from _unfound(row["id"], name, _quotes(quote), documents)


def _reworded(folder: Path, documents: dict[str, str]) -> Iterator[str]:
    """Each row belongs to a true claim, says both of the pair anew, and gives an answer only to a question."""
    claims = {row["id"]: row for row in (*_rows(folder / "claims.jsonl"), *_rows(folder / "claims_twins.jsonl"))}
    for row in _rows(folder / "reworded.jsonl"):
        claim = claims.get(row["id"])
        if claim is None or not SIDES["claims"](claim):
            yield f"{row['id']} is reworded and is not a true claim."
            continue
        if not row["true"] or not row["false"] or row["true"] == row["false"]:
            yield f"{row['id']} does not reword both claims."
        for asked, key in (("open", "short"), ("plain", "plain_short")):
            short, own = row.get(key), _quotes(row.get(f"{asked}_evidence"))
            if short and (not row.get(asked) or not any(short in one for one in own or _quotes(claim["evidence"]))):
                yield f"{row['id']}: its evidence does not say {short[:60]!r}."
            yield from _unfound(row["id"], claim["doc"], own, documents)


def _unfound(owner: str, name: str, quotes: tuple[str, ...], documents: dict[str, str]) -> Iterator[str]:
    if name not in documents:
        yield f"{owner}: there is no document {name}."
        return
    for quote in quotes:
        if _flat(quote) not in documents[name]:
            yield f"{owner}: {name} does not say {quote[:60]!r}."


def _rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()] if path.exists() else []


def _quotes(value: str | list[str] | None) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) and value else tuple(value or ())


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def main() -> None:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else AUTHORED
    folders = sorted(path.parent for path in root.glob("*/docs"))
    found = [problem for folder in folders for problem in problems(folder)]
    print(f"{len(folders)} folders, {len(found)} problems", *found[:40], sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
