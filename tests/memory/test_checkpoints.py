"""Checkpoints outlive their process, hold plain data alone, and are kept in a file or on a server."""

import asyncio
import operator
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph

from docmind.domain.errors import StoreError, StoreUnavailable
from docmind.memory.checkpoints import Checkpoints, open_checkpoints, plain_data

CONFIG: Any = {"configurable": {"thread_id": "t"}}


class Count(TypedDict):
    steps: Annotated[list[int], operator.add]


@dataclass
class Stranger:
    name: str


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def url(request: pytest.FixtureRequest) -> str | None:
    return str(request.getfixturevalue("postgres_url")) if request.param == "postgres" else None


def counting(checkpoints: Checkpoints, *, fails: bool) -> Any:
    async def second(state: Count) -> Count:
        if fails:
            raise RuntimeError("out of order")
        return {"steps": [2]}

    graph = StateGraph(Count)
    graph.add_node("first", lambda state: {"steps": [1]})
    graph.add_node("second", second)
    graph.add_edge(START, "first")
    graph.add_edge("first", "second")
    graph.add_edge("second", END)
    return graph.compile(checkpointer=checkpoints)


def test_what_was_done_is_there_when_it_is_opened_again(url: str | None, tmp_path: Path) -> None:
    async def go(given: Any, *, fails: bool) -> Any:
        async with open_checkpoints(url, tmp_path) as checkpoints:
            return await counting(checkpoints, fails=fails).ainvoke(given, CONFIG, durability="sync")

    with pytest.raises(RuntimeError, match="out of order"):
        asyncio.run(go({"steps": [0]}, fails=True))
    assert asyncio.run(go(None, fails=False)) == {"steps": [0, 1, 2]}


def test_several_that_start_together_open_the_same_checkpoints(url: str | None, tmp_path: Path) -> None:
    async def go(thread: int) -> Any:
        async with open_checkpoints(url, tmp_path) as checkpoints:
            config: Any = {"configurable": {"thread_id": str(thread)}}
            return await counting(checkpoints, fails=False).ainvoke({"steps": [0]}, config)

    async def together() -> list[Any]:
        return await asyncio.gather(*map(go, range(4)))

    assert asyncio.run(together()) == [{"steps": [0, 1, 2]}] * 4


def test_a_type_that_nobody_listed_is_not_brought_to_life(caplog: pytest.LogCaptureFixture) -> None:
    serde = plain_data()
    loaded = serde.loads_typed(serde.dumps_typed({"plain": [1, "a", None], "odd": Stranger("x")}))
    assert loaded["plain"] == [1, "a", None]
    assert not isinstance(loaded["odd"], Stranger)


def test_the_file_is_written_ahead(tmp_path: Path) -> None:
    async def touch() -> None:
        async with open_checkpoints(None, tmp_path / "new"):
            pass

    asyncio.run(touch())
    with sqlite3.connect(tmp_path / "new" / "checkpoints.db") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


@pytest.mark.parametrize(
    ("address", "spoil", "error", "told"),
    [
        (None, lambda root: (root / "checkpoints.db").write_bytes(b"no database" * 100), StoreError, "are damaged"),
        ("mysql://u:secret@host/x", lambda root: None, StoreError, "not the address of a PostgreSQL"),
        ("postgresql://u:secret@127.0.0.1:1/x", lambda root: None, StoreUnavailable, "cannot be used"),
    ],
)
def test_what_cannot_be_opened_is_one_sentence_without_the_password(
    address: str | None, spoil: Callable[[Path], object], error: type[StoreError], told: str, tmp_path: Path
) -> None:
    pytest.importorskip("psycopg", reason="needs pip install 'docmind[postgres]'")
    spoil(tmp_path)

    async def touch() -> None:
        async with open_checkpoints(address, tmp_path):
            pass

    with pytest.raises(error, match=told) as refused:
        asyncio.run(touch())
    assert "secret" not in str(refused.value)
