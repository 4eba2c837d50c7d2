"""DocMind as a library: one object, from any thread and from event loops, that lets go of what it held."""

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from docmind.domain.errors import StoreError, StoreLocked
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit
from docmind.runtime.engine import DocMind
from docmind.settings import Settings
from tests.stores import without_sockets

SCOPE = Scope("w")
QUESTIONS = ("copper wire", "Who bought the mill?", "price of rope", "nothing of the kind")

# As people write their first program: no function, and nothing that keeps it from running when it is imported.
FIRST_PROGRAM = """
from docmind import DocMind, Scope, Settings

engine = DocMind(Settings.load(data_dir="data"))
report = engine.ingest(["papers"], Scope("w"))
hit = engine.search("Who bought the mill?", Scope("w"))[0]
print(report.added, hit.document.name, hit.passage.span.of(engine.text(hit.document)))
"""


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "mill.md").write_text("# The mill\n\nThe mill at Halden was bought by Orrin Paper in May.\n")
    (folder / "wire.txt").write_text("Copper wire is drawn in the eastern hall.\n")
    (folder / "prices.csv").write_text("item,price\nRope,12\nAnchor,90\n")
    return folder


def test_the_same_is_found_from_threads_and_from_an_event_loop(engine: DocMind, papers: Path) -> None:
    engine.ingest([papers], SCOPE)
    filters = Filters(kind=("text",))

    async def ask_all() -> list[list[Hit]]:
        return await asyncio.gather(*(engine.asearch(q, SCOPE, limit=2, filters=filters) for q in QUESTIONS * 5))

    expected = [engine.search(question, SCOPE, limit=2, filters=filters) for question in QUESTIONS * 5]
    assert any(expected)
    assert asyncio.run(ask_all()) == expected
    with ThreadPoolExecutor(8) as threads:
        asked = threads.map(lambda q: engine.search(q, SCOPE, limit=2, filters=filters), QUESTIONS * 5)
        assert list(asked) == expected


def test_files_are_ingested_from_an_event_loop_while_it_answers(engine: DocMind, papers: Path) -> None:
    seen: list[str] = []

    async def ingest_and_ask() -> int:
        report, _ = await asyncio.gather(
            engine.aingest([papers], SCOPE, lambda filed, _: seen.append(filed.name)), engine.asearch("wire", SCOPE)
        )
        return report.added

    assert asyncio.run(ingest_and_ask()) == 3
    assert sorted(seen) == ["papers/mill.md", "papers/prices.csv", "papers/wire.txt"]
    assert engine.search("copper wire", SCOPE)[0].document.name == "papers/wire.txt"


def test_each_part_is_opened_once_however_many_threads_come_first(engine: DocMind) -> None:
    together = Barrier(8)

    def reach(_: int) -> tuple[object, ...]:
        together.wait()
        return engine.index, engine.catalogue, engine.embedder

    with ThreadPoolExecutor(8) as threads:
        reached = list(threads.map(reach, range(8)))
    assert all(mine is first for parts in reached for mine, first in zip(parts, reached[0], strict=True))


def test_a_second_engine_finds_what_the_first_brings_in_and_takes_out(
    engine: DocMind, settings: Settings, papers: Path
) -> None:
    with DocMind(settings) as second:
        assert second.search("copper wire", SCOPE) == []
        engine.ingest([papers], SCOPE)
        (first, *_) = second.search("copper wire", SCOPE)
        assert first.document.name == "papers/wire.txt"
        engine.delete(["wire.txt"], SCOPE)
        assert first.document.name not in {hit.document.name for hit in second.search("copper wire", SCOPE)}


def test_where_the_store_cannot_be_shared_a_second_engine_is_told_who_holds_it(
    engine: DocMind, settings: Settings
) -> None:
    without_sockets(settings)
    assert engine.index.count("w") == 0
    with DocMind(settings) as second, pytest.raises(StoreLocked, match=r"in use by .*DOCMIND_INDEX__URL"):
        second.search("wire", SCOPE)


def test_what_needs_no_index_is_answered_while_another_engine_holds_it(
    engine: DocMind, settings: Settings, papers: Path
) -> None:
    engine.ingest([papers], SCOPE)
    with DocMind(settings) as second:
        assert second.text(second.document("wire.txt", SCOPE)).startswith("Copper wire")


def test_a_closed_engine_lets_another_in_and_opens_again_when_asked(settings: Settings, papers: Path) -> None:
    first, second = DocMind(settings), DocMind(settings)
    first.ingest([papers], SCOPE)
    for engine in (first, second, first):
        engine.close()
        engine.close()
        assert engine.search("copper wire", SCOPE)[0].document.name == "papers/wire.txt"
        engine.close()


def test_after_its_block_an_engine_opens_nothing_again(settings: Settings, papers: Path) -> None:
    with DocMind(settings) as engine:
        engine.ingest([papers], SCOPE)
    with pytest.raises(StoreError, match="This engine was closed"):
        engine.search("Who bought the mill?", SCOPE)


def test_a_program_of_a_few_lines_needs_no_guard(papers: Path, tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(FIRST_PROGRAM)
    told = subprocess.run([sys.executable, "first.py"], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout == "3 papers/mill.md The mill at Halden was bought by Orrin Paper in May.\n"
