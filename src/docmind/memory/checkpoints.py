"""Where a run stands after each of its nodes, kept so that another process can go on from there."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from docmind.database import NO_DRIVER, postgres_address
from docmind.domain.errors import StoreError
from docmind.domain.files import private_file

if TYPE_CHECKING:
    import psycopg

    from docmind.memory.checkpoint_file import CheckpointFile

Checkpoints = BaseCheckpointSaver[str]

_CONNECTIONS = 8
_AGAIN_S = 0.1
_TRIES = 50
_SETUP_LOCK = 0x636865636B
"""Any number does, as long as nobody else who uses the database takes it."""


def plain_data() -> JsonPlusSerializer:
    """States are plain data. What else is found in a checkpoint was put there by somebody else and is not loaded."""
    return JsonPlusSerializer(allowed_msgpack_modules=None)


@asynccontextmanager
async def open_checkpoints(url: str | None, root: Path) -> AsyncIterator[Checkpoints]:
    """The checkpoints in the PostgreSQL database at `url`, or in the folder `root`; for one event loop."""
    async with _in_file(root / "checkpoints.db") if url is None else _on_server(url) as opened:
        yield opened


@asynccontextmanager
async def _in_file(file: Path) -> AsyncIterator[Checkpoints]:
    from docmind.memory.checkpoint_file import ExplainedFile, explained

    saver = ExplainedFile(sqlite3.connect(private_file(file), timeout=30, check_same_thread=False), plain_data())
    try:
        try:
            # What is written survives the end of the process at once; only a power cut may cost the last steps.
            saver.conn.execute("PRAGMA synchronous=NORMAL")
            await _set_up(saver)
        except sqlite3.DatabaseError as error:
            raise explained(error) from error
        yield saver
    finally:
        await saver.aclose()


async def _set_up(saver: "CheckpointFile") -> None:
    """Of several that make a new file at once, SQLite lets one do it and tells the others to come again."""
    for _ in range(_TRIES):
        with suppress(sqlite3.OperationalError):
            await saver.asetup()
            return
        await asyncio.sleep(_AGAIN_S)
    await saver.asetup()


@asynccontextmanager
async def _on_server(url: str) -> AsyncIterator[Checkpoints]:
    address = postgres_address(url).set(drivername="postgresql").render_as_string(hide_password=False)
    try:
        import psycopg
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
        from psycopg.rows import DictRow, dict_row
        from psycopg_pool import AsyncConnectionPool
    except ModuleNotFoundError as error:
        raise StoreError(NO_DRIVER) from error
    from docmind.memory.checkpoint_file import Explained, explained

    class ExplainedServer(Explained, AsyncPostgresSaver):
        failures = psycopg.Error

    try:
        async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
            # Processes that start together would otherwise create the same tables at the same time, and fail. Who waits
            # asks again and again, because a statement that waits would keep the indexes from being built.
            while not await _locked(connection):
                await asyncio.sleep(_AGAIN_S)
            async with AsyncPostgresSaver.from_conn_string(address) as first:
                await first.setup()
    except psycopg.OperationalError as error:
        raise explained(error) from error
    options: dict[str, Any] = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    connections = psycopg.AsyncConnection[DictRow]
    async with AsyncConnectionPool(
        address,
        connection_class=connections,
        kwargs=options,
        min_size=1,
        max_size=_CONNECTIONS,
        # A connection that a server which was started again knows nothing of is replaced before it is used.
        check=AsyncConnectionPool.check_connection,
        open=False,
    ) as pool:
        yield ExplainedServer(pool, serde=plain_data())


async def _locked(connection: "psycopg.AsyncConnection[Any]") -> bool:
    found = await (await connection.execute("SELECT pg_try_advisory_lock(%s)", (_SETUP_LOCK,))).fetchone()
    return bool(found and found[0])
