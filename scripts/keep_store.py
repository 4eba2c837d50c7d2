"""Keeps a small data folder of today's program, so that later versions are tested on what this one wrote.

    python scripts/keep_store.py NAME

writes tests/kept/NAME.tar.xz. Run it when the tables of a store have changed: a test asks for it. What was kept before
stays, because somebody may still have a data folder like it.
"""

import os
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.settings import Settings

KEPT = Path(__file__).resolve().parent.parent / "tests" / "kept"
PAPER = "# Receipts\n\nReceipts are kept for ten years. They are scanned on arrival.\n"
CLINICS = "id,name,kind,lat,lon,city,region\n1,Harbour Clinic,clinic,52.66,-8.63,Limerick,Munster\n"
ASKED, UNCLEAR = "How long are receipts kept?", "How long are they kept?"
HERE = Scope("w")


def main(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "data"
        os.environ |= {"HOME": folder, "DOCMIND_DATA_DIR": str(home), "DOCMIND_MODELS__EMBEDDER": "static"}
        fill(Path(folder))
        KEPT.mkdir(exist_ok=True)
        write(home, KEPT / f"{name}.tar.xz")


def fill(folder: Path) -> None:
    """One of everything. This also runs on versions that did not have everything yet, and says what they lack."""
    (folder / "receipts.md").write_text(PAPER)
    (folder / "clinics.csv").write_text(CLINICS)
    with DocMind(Settings.load()) as engine:
        steps: list[tuple[str, Callable[[], object]]] = [
            ("documents", lambda: engine.ingest([folder / "receipts.md"], HERE)),
            ("a run", lambda: engine.run(ASKED, HERE)),
            ("a conversation", lambda: engine.run(ASKED, HERE, workflow="chat", thread="sound")),
            (
                "a question to a person",
                lambda: engine.run("How long are they kept?", HERE, workflow="chat", thread="waits"),
            ),
            ("facilities", lambda: engine.facilities.import_table(folder / "clinics.csv", HERE, engine._limits)),
            ("memory", lambda: engine._memory),
            ("keys", lambda: engine.keys.all()),  # noqa: PLW0108 - earlier versions have no keys
            ("a workspace", lambda: engine.create_workspace("empty")),
            ("labels", lambda: engine._labels),
            ("suggestions", lambda: engine.suggestions),
            ("uploads", lambda: engine.uploads),
        ]
        for what, step in steps:
            try:
                step()
            except Exception as error:  # noqa: BLE001 - what an earlier version lacks is left out
                print(f"without {what}: {type(error).__name__}: {error}")


def write(home: Path, file: Path) -> None:
    """The databases alone: the index is large, and written anew from them."""
    with tarfile.open(file, "w:xz") as archive:
        for database in sorted(home.glob("*.db")):
            archive.add(database, database.name, filter=_anonymous)
    print(f"{file.name}: {file.stat().st_size / 1024:.1f} KB")


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


if __name__ == "__main__":
    main(sys.argv[1])
