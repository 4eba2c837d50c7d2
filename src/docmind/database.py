"""Opens the SQL databases that documents and runs are kept in: a file of SQLite, or PostgreSQL by URL."""

import sqlite3
import time
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from docmind.domain.errors import StoreError, StoreMismatch, StoreUnavailable
from docmind.domain.files import private_file

# The address is not repeated: it may hold a password.
NOT_AN_ADDRESS = "That is not the address of a PostgreSQL database; one looks like postgresql://user@host/name."
NO_DRIVER = "PostgreSQL needs its driver: pip install 'docmind[postgres]'."

UPGRADES = "upgrades"
"""In the `info` of a table: what brought its first version to the second, the second to the third, and so on."""
_VERSIONS = sa.Table(
    "table_versions",
    sa.MetaData(),
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
)
_LOCK = 0x646F636D696E64
"""Any number does, as long as nobody else who uses the database takes it."""
_PATIENCE_S = 30
_AGAIN_S = 0.05
_GLANCE_S = 1
"""As long as somebody at a keyboard waits for a list of names."""


def open_database(url: str | None, file: Path, tables: sa.MetaData, *, holds: str) -> sa.Engine:
    """The database at `url`, or in `file` where none is given, with its tables; errors name what it `holds`."""
    engine = _sqlite(file) if url is None else _postgres(url)
    sa.event.listen(engine, "handle_error", partial(_explain, holds, file))
    try:
        with engine.begin() as connection:
            # Processes that start together would otherwise create the same tables at the same time, and fail.
            alone(connection)
            _bring_up_to_date(connection, tables, holds)
    except StoreError:
        engine.dispose()
        raise
    return engine


def look_into(url: str | None, file: Path) -> sa.Engine | None:
    """The database for reading alone, where there is one: nothing is made, upgraded or locked."""
    if url is not None:
        return _postgres(url)
    if not file.exists():
        return None
    address = f"{file.absolute().as_uri()}?mode=ro"
    return sa.create_engine("sqlite://", creator=lambda: sqlite3.connect(address, uri=True, timeout=_GLANCE_S))


def alone(connection: sa.Connection) -> None:
    """Begin a transaction that no other one that began so runs beside, in whatever process."""
    sqlite = connection.dialect.name == "sqlite"
    connection.exec_driver_sql("BEGIN IMMEDIATE" if sqlite else f"SELECT pg_advisory_xact_lock({_LOCK})")


def _bring_up_to_date(connection: sa.Connection, tables: sa.MetaData, holds: str) -> None:
    """Make what is missing, upgrade what an older version made, and refuse what a newer one did."""
    there = set(sa.inspect(connection).get_table_names())
    tables.create_all(connection)
    _VERSIONS.create(connection, checkfirst=True)
    recorded = {row.name: row.version for row in connection.execute(sa.select(_VERSIONS))}
    for table in tables.sorted_tables:
        upgrades = table.info.get(UPGRADES, ())
        newest = 1 + len(upgrades)
        # A table that is there without a version was made before versions were written down: it is of the first.
        version = recorded.get(table.name, 1 if table.name in there else newest)
        if version > newest:
            raise StoreMismatch(
                f"{holds} was made by a newer version of DocMind: its table {table.name!r} has version {version}, and "
                f"this one knows it up to version {newest}. Use the version that made it."
            )
        for upgrade in upgrades[version - 1 :]:
            upgrade(connection)
        if recorded.get(table.name) != newest:
            connection.execute(_VERSIONS.delete().where(_VERSIONS.c.name == table.name))
            connection.execute(_VERSIONS.insert(), {"name": table.name, "version": newest})


def postgres_address(url: str) -> sa.URL:
    """The address in parts, or a refusal that does not repeat it."""
    try:
        address = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        raise StoreError(NOT_AN_ADDRESS) from None
    if address.get_backend_name() not in ("postgresql", "postgres"):
        raise StoreError(NOT_AN_ADDRESS)
    return address


def _sqlite(file: Path) -> sa.Engine:
    address = sa.URL.create("sqlite", database=str(private_file(file.absolute())))
    engine = sa.create_engine(address, connect_args={"timeout": _PATIENCE_S})
    sa.event.listen(engine, "connect", _tune_sqlite)
    return engine


def _postgres(url: str) -> sa.Engine:
    address = postgres_address(url).set(drivername="postgresql+psycopg")
    try:
        return sa.create_engine(address, pool_pre_ping=True)
    except ModuleNotFoundError as error:
        raise StoreError(NO_DRIVER) from error


def _explain(holds: str, file: Path, context: sa.engine.ExceptionContext) -> None:
    """Whatever goes wrong in the database is told in a sentence."""
    # The pool tries connections before it hands them out, and replaces those that fail.
    if context.is_pre_ping:
        return
    error, reason = context.sqlalchemy_exception, " ".join(str(context.original_exception).split())
    if isinstance(error, sa.exc.OperationalError):
        raise StoreUnavailable(f"{holds} cannot be used: {reason}.")
    # SQLite's own word, and none of its narrower ones, for a file that is not a database any more.
    if type(error) is sa.exc.DatabaseError:
        mended = "Run `docmind repair`, or put" if file.name == "catalogue.db" else "Put"
        told = f"{holds} is damaged ({reason}). {mended} a copy of {file} back, or move it away and start again."
        raise StoreError(told)
    if isinstance(error, sa.exc.DatabaseError):
        raise StoreError(f"{holds} failed: {reason}.")


def _tune_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous=NORMAL")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Of several that switch a new file to this mode at once, SQLite refuses all but one, without any waiting."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_AGAIN_S)
        else:
            return
