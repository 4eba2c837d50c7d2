"""Works on a disk of a few megabytes that fills up and is emptied again, and tells what a person is told.

unshare --map-root-user --mount python -m tests.faults.cramped FOLDER
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from docmind.corpus.index.embedded.index import EdgeIndex
from docmind.domain.errors import DocMindError
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.workflows.step import Step
from tests.faults.scenarios import RECEIPTS, settings

HERE = Scope("w")
MEGABYTES = 160


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """Not a byte is free while the block runs."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError:
            pass
    try:
        yield
    finally:
        filler.unlink()


def told(work: Callable[[], object]) -> str:
    """The sentence that it ends with; anything else that it raises is a defect."""
    try:
        work()
    except DocMindError as error:
        return str(error)
    return ""


def told_when_full(disk: Path, owner: type, method: str, work: Callable[[], object]) -> str:
    """As `told`, on a disk that is full from the moment the method is first called."""
    original, filled = getattr(owner, method), ExitStack()

    def fill(*arguments: Any, **options: Any) -> Any:
        setattr(owner, method, original)
        filled.enter_context(full(disk))
        return original(*arguments, **options)

    setattr(owner, method, fill)
    with filled:
        return told(work)


def main(disk: Path, papers: Path) -> None:
    with DocMind(settings(disk / "data")) as engine:
        engine.ingest([papers / "receipts.md"], HERE)
        whole = engine.run(RECEIPTS, HERE)
        with full(disk):
            sentences = {"ingest": told(lambda: engine.ingest([papers], HERE))}
            seen_while_full = len(engine.documents(HERE)), len(engine.search("receipts", HERE))
            sentences["run"] = told(lambda: engine.run(RECEIPTS, HERE))
        sentences["index"] = told_when_full(disk, EdgeIndex, "upsert", lambda: engine.ingest([papers], HERE))
        sentences["checkpoint"] = told_when_full(disk, Step, "decided", lambda: engine.run(RECEIPTS, HERE))
        left = engine.runs(HERE)
        resumed = engine.resume(left[0].id, HERE)
        report = engine.ingest([papers], HERE)
        documents = engine.documents(HERE)
        sys.stdout.write(
            json.dumps(
                {
                    "sentences": sentences,
                    "seen_while_full": seen_while_full,
                    "left": [run.state for run in left],
                    "same_answer": resumed.answer == whole.answer,
                    "replay": engine.replay(left[0].id, HERE).difference is None,
                    "added": report.added,
                    "whole": engine.index.count("w") == sum(document.passages for document in documents),
                    "after": engine.run(RECEIPTS, HERE).answer == whole.answer,
                }
            )
        )


if __name__ == "__main__":
    mounted = Path(sys.argv[1]) / "disk"
    mounted.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", str(mounted)], check=True)
    main(mounted, Path(sys.argv[1]) / "papers")
