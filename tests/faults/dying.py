"""Does what changes a store in processes that end with kill -9, one at every place the change passes.

    python -m tests.faults.dying STORE FOLDER

One process forks a child for each place, on a copy of the store of its own: FOLDER/CHANGE/PLACE holds what the killed
one left and FOLDER/CHANGE/whole what one makes that nobody kills. The places come out as JSON.
"""

import asyncio
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from docmind.corpus.catalogue import Catalogue
from docmind.corpus.facilities import Facilities
from docmind.corpus.index.embedded.index import EdgeIndex
from docmind.corpus.notes import Notes
from docmind.corpus.originals import Originals
from docmind.corpus.readers import ProcessReaders
from docmind.corpus.uploads import Uploads
from docmind.corpus.workspaces import Register, VectorRecords
from docmind.domain.scope import Role, Scope
from docmind.memory.checkpoint_file import ExplainedFile
from docmind.memory.keys import Keys
from docmind.memory.leases import Leases
from docmind.memory.recollections import ConversationMemory, Recollection
from docmind.memory.runs import Runs
from docmind.models.embedders import MiniLMEmbedder, StaticEmbedder
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from docmind.settings import ModelSettings
from tests.faults.scenarios import settings
from tests.stores import copied

HERE, ADA = Scope("w"), Scope("w", "ada")
TURN = Recollection("Which hall?", "Which hall is meant?", "The eastern.")
MINILM = ModelSettings(embedder="minilm", threads=1)
Place = tuple[type, str]
INGEST: list[Place] = [
    (ProcessReaders, "map"), (Catalogue, "begin"), (StaticEmbedder, "embed_passages"),
    (EdgeIndex, "upsert"), (Catalogue, "commit"), (EdgeIndex, "delete_documents"), (Catalogue, "forget"),
    (EdgeIndex, "optimize"),
]  # fmt: skip


def ingest(engine: DocMind, papers: Path) -> None:
    engine.ingest([papers], HERE)


def upload(engine: DocMind, papers: Path) -> None:
    """Through the service, as anybody does."""
    with TestClient(create_app(engine), base_url="http://127.0.0.1", client=("127.0.0.1", 50000)) as client:
        paper = (papers / "new.md").read_bytes()
        answer = client.post("/v1/documents", data={"workspace": "w"}, files=[("files", ("sent.md", paper))])
        assert answer.status_code == 200, answer.text


def queued_upload(engine: DocMind, papers: Path) -> None:
    """Through the service, which reads the files while nobody waits for it."""
    with TestClient(create_app(engine), base_url="http://127.0.0.1", client=("127.0.0.1", 50000)) as client:
        parts = [("files", (f"sent-{number}.md", f"# Paper {number}\n\nLead is heavy.\n")) for number in range(3)]
        answer = client.post("/v1/uploads", data={"workspace": "w"}, files=parts)
        assert answer.status_code == 202, answer.text
        while engine.uploads.unfinished():
            time.sleep(0.02)


def remember(engine: DocMind, _papers: Path) -> None:
    asyncio.run(engine.aremember(TURN, ADA, "s"))
    engine.close()


def reindex(engine: DocMind, _papers: Path) -> None:
    engine.close()
    with DocMind(engine.settings.model_copy(update={"models": MINILM})) as other:
        other.reindex("w")


def delete_workspace(engine: DocMind, _papers: Path) -> None:
    engine.delete_workspace("w")


def delete_thread(engine: DocMind, _papers: Path) -> None:
    engine.delete_thread("t", ADA)


def create_key(engine: DocMind, _papers: Path) -> None:
    engine.keys.create(Role.READER, workspace="w")


CHANGES: dict[str, tuple[Callable[[DocMind, Path], None], list[Place]]] = {
    "ingest": (ingest, INGEST),
    "upload": (upload, [(Originals, "keep"), (EdgeIndex, "upsert"), (Catalogue, "commit"), (EdgeIndex, "optimize")]),
    "queued_upload": (
        queued_upload,
        [
            (Uploads, "add"), (Uploads, "begin"), (Originals, "keep"), (EdgeIndex, "upsert"), (Catalogue, "commit"),
            (EdgeIndex, "optimize"), (Uploads, "end"), (Leases, "release"),
        ],
    ),
    "remember": (remember, [(ConversationMemory, "remember"), (Notes, "put"), (EdgeIndex, "upsert")]),
    "reindex": (
        reindex,
        [
            (VectorRecords, "begin"), (MiniLMEmbedder, "embed_passages"), (EdgeIndex, "upsert"),
            (EdgeIndex, "optimize"), (VectorRecords, "switch"), (EdgeIndex, "drop"), (VectorRecords, "end"),
        ],
    ),
    "delete_workspace": (
        delete_workspace,
        [
            (Keys, "revoke_in"), (Register, "condemn"), (Facilities, "drop"), (ExplainedFile, "adelete_thread"),
            (Runs, "drop"), (ConversationMemory, "drop"), (EdgeIndex, "drop"), (Catalogue, "forget"),
            (Register, "strike"),
        ],
    ),
    "delete_thread": (
        delete_thread, [(ExplainedFile, "adelete_thread"), (ConversationMemory, "forget"), (Runs, "delete")],
    ),
    "create_key": (create_key, [(Keys, "create")]),
}  # fmt: skip


def named(place: Place) -> str:
    return f"{place[0].__name__}.{place[1]}"


def arm(places: list[Place], passed: Counter[str], fatal: str | None, at: int) -> None:
    """Count what this process passes, and end it when it comes to the fatal place for the last time."""
    for owner, method in places:
        original, name = getattr(owner, method), named((owner, method))

        def watched(*arguments: Any, _original: Any = original, _name: str = name, **options: Any) -> Any:
            passed[_name] += 1
            if _name == fatal and passed[_name] == at:
                os.kill(os.getpid(), signal.SIGKILL)
            return _original(*arguments, **options)

        setattr(owner, method, watched)


def forked(change: str, store: Path, papers: Path, passed: Path, fatal: str | None = None, at: int = 0) -> int:
    if child := os.fork():
        return os.waitpid(child, 0)[1]
    do, places = CHANGES[change]
    counter = Counter[str]()
    arm(places, counter, fatal, at)
    engine = DocMind(settings(store))
    do(engine, papers)
    engine.close()
    passed.write_text(json.dumps(counter))
    os._exit(0)


def main(stock: Path, folder: Path) -> None:
    papers, told, places = stock.parent / "papers", folder / "passed.json", dict[str, list[str]]()

    for change in CHANGES:
        if forked(change, copied(stock, folder / change / "whole"), papers, told):
            raise SystemExit(f"{change} failed when nobody killed it.")
        passed: dict[str, int] = json.loads(told.read_text())
        for name, at in passed.items():
            store = copied(stock, folder / change / name)
            if forked(change, store, papers, told, name, at) != signal.SIGKILL:
                raise SystemExit(f"{change} was not killed at {name}.")
        places[change] = [*passed]
    sys.stdout.write(json.dumps(places))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
