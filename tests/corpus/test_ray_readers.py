"""Readers on a Ray cluster give what readers on one machine give, to the byte, whatever happens to them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from docmind.corpus.discover import Unit
from docmind.corpus.file_reading import embedding, open_readers
from docmind.corpus.load import Limits
from docmind.corpus.ray_readers import RayReaders
from docmind.corpus.readers import CRASHED, ProcessReaders, Readers
from docmind.domain.errors import StoreMismatch, StoreUnavailable
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.settings import IngestSettings, ModelSettings, Settings

SCOPE = Scope("w")
EXAMPLES = Path(__file__).parents[2] / "examples"

CRASH = "__import__('os').kill(__import__('os').getpid(), 11)"
HANG = "__import__('time').sleep(600)"
SWALLOW = "len(bytearray(64 << 30))"
REJECT = "(_ for _ in ()).throw(__import__('docmind.domain.errors', fromlist=['x']).FileRejected('is empty'))"
RAISE = "{}['missing']"
HARMFUL = [CRASH, "1 + 1", SWALLOW, REJECT, RAISE, HANG, "2 + 2"]
# Ends the worker itself, not its reader, the first time that it gets to see a job.
DIES_ONCE = f"lambda read: read if __import__('os').path.exists(MARK) else [open(MARK, 'w').close(), {CRASH}]"


def _on_cluster(address: str, finish: str | None = None, **options: Any) -> RayReaders[str, int]:
    opened: Callable[[], Any] | None = partial(eval, finish) if finish else None
    return RayReaders(address, str, eval, int, opened, **options)


def _outcomes(readers: Readers[str, int], jobs: list[str]) -> dict[str, str]:
    with readers:
        return {job: str(outcome) for job, outcome in readers.map(jobs)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, samples: dict[str, bytes], image_pdf: bytes) -> Path:
    """Every format, and files that nobody can read."""
    made = tmp_path_factory.mktemp("files")
    broken = {
        "empty.md": b"",
        "noise.pdf": b"%PDF-1.7\n" + bytes(range(256)) * 20,
        "noise.bin": bytes(range(256)) * 50,
        "torn.docx": b"PK\x03\x04 and then nothing of use",
        "torn.zip": b"PK\x03\x04 and then nothing of use",
        "scanned.pdf": image_pdf,
    }
    for name, data in {**samples, **broken}.items():
        (made / name).write_bytes(data)
    return made


def _all_of(engine: DocMind, paths: list[Path]) -> dict[str, Any]:
    """Everything there is to see of files once they are ingested, and what was said about them."""
    report = engine.ingest(paths, SCOPE)
    documents = [replace(document, ingested_at="") for document in engine.documents(SCOPE)]
    searches = [engine.search(words, SCOPE, limit=50) for words in ("revenue of the year", "Lisbon", "beds")]
    return {
        "rejected": sorted((rejected.name, rejected.reason) for rejected in report.rejected),
        "documents": documents,
        "texts": [engine.text(document) for document in documents],
        "passages": [engine.passages(document) for document in documents],
        "found": [[replace(hit, document=documents[0]) for hit in hits] for hits in searches],
    }


@pytest.mark.services
@pytest.mark.parametrize(("embedder", "more"), [("static", [EXAMPLES]), ("minilm", [])])
def test_a_cluster_gives_the_same_store_to_the_byte(
    ray_address: str, folder: Path, tmp_path: Path, embedder: str, more: list[Path]
) -> None:
    def stored(name: str, ray: str | None) -> dict[str, Any]:
        models, ingest = ModelSettings(embedder=embedder), IngestSettings(ray=ray)
        with DocMind(Settings(data_dir=tmp_path / name, models=models, ingest=ingest)) as engine:
            return _all_of(engine, [folder, *more])

    here, there = stored("here", None), stored("there", ray_address)
    assert len(here["rejected"]) == 6
    assert there == here


@pytest.mark.services
def test_what_files_do_to_their_readers_is_said_in_the_same_words(ray_address: str) -> None:
    here = _outcomes(ProcessReaders[str, int](eval, int, 2, 5), HARMFUL)
    assert _outcomes(_on_cluster(ray_address, timeout_s=5), HARMFUL) == here


@pytest.mark.services
def test_a_worker_that_is_killed_loses_nothing(ray_address: str, tmp_path: Path) -> None:
    dying = DIES_ONCE.replace("MARK", repr(str(tmp_path / "died")))
    assert _outcomes(_on_cluster(ray_address, dying), ["1 + 1", "2 + 2"]) == {"1 + 1": "2", "2 + 2": "4"}
    assert (tmp_path / "died").exists()


@pytest.mark.services
def test_a_job_that_outlives_no_worker_is_rejected_and_the_rest_goes_on(ray_address: str) -> None:
    fatal = f"lambda read: {CRASH} if read == 4 else read"
    outcomes = _outcomes(_on_cluster(ray_address, fatal), ["1 + 1", "2 + 2", "3 + 3"])
    assert outcomes == {"1 + 1": "2", "2 + 2": str(CRASHED), "3 + 3": "6"}


@pytest.mark.services
def test_jobs_are_drawn_only_as_there_is_room_on_the_cluster(ray_address: str) -> None:
    drawn = 0

    def jobs() -> Iterator[str]:
        nonlocal drawn
        for drawn in range(1, 21):
            yield str(drawn)

    with _on_cluster(ray_address, count=2) as readers:
        next(readers.map(jobs()))
        assert drawn == 2


def test_a_cluster_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    nobody = "ray://127.0.0.1:1"
    (tmp_path / "a.md").write_text("# A\n\nText.")
    chosen = Settings(
        data_dir=tmp_path / "data", models=ModelSettings(embedder="static"), ingest=IngestSettings(ray=nobody)
    )
    with DocMind(chosen) as engine:
        with pytest.raises(StoreUnavailable, match=r"The Ray cluster at 'ray://127\.0\.0\.1:1' cannot be used: .*"):
            engine.ingest([tmp_path / "a.md"], SCOPE)
        assert engine.documents(SCOPE) == []


def test_a_machine_that_would_read_another_way_refuses() -> None:
    with pytest.raises(StoreMismatch, match="install the same version of docmind on all of them"):
        embedding("static", "1:static@00000000")


def test_a_file_that_is_gone_is_rejected_before_it_is_sent(tmp_path: Path) -> None:
    unit = Unit("/a.md", "a.md", "", tmp_path / "a.md")
    with open_readers(Limits(), "static", 1, 60, "ray://127.0.0.1:1") as readers:
        ((_, outcome),) = readers.map([unit])
    with open_readers(Limits(), "static", 1, 60, None) as readers:
        ((_, expected),) = readers.map([unit])
    assert str(outcome) == str(expected)
