"""The keys of the service: made once, shown once, kept as hashes that several workers share."""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from docmind.database import open_database
from docmind.domain.errors import InvalidScope, NotFound, RateLimited
from docmind.domain.scope import Key, Role, Scope

PREFIX = "dm"
"""A key is `dm_ID_SECRET`, so that programs that look for leaked secrets can know one when they see it."""

_SCHEMA = sa.MetaData()
_KEYS = sa.Table(
    "service_keys",
    _SCHEMA,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("hash", sa.String, nullable=False),
    sa.Column("workspace", sa.String),
    sa.Column("owner", sa.String),
    sa.Column("role", sa.String, nullable=False),
    sa.Column("per_minute", sa.Integer),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("revoked", sa.Float),
    sa.Column("full_at", sa.Float, nullable=False),  # when its bucket of requests is full again
)
_MINUTE_S = 60.0
# Every request asks for it, and SQLAlchemy takes longer to put it together than SQLite to answer it.
_ANY = sa.select(_KEYS.c.id).limit(1)
_FIRST = (
    sa.select(_KEYS.c.id)
    .where(_KEYS.c.role == Role.ADMIN.value, _KEYS.c.workspace.is_(None), _KEYS.c.owner.is_(None))
    .order_by(_KEYS.c.created, _KEYS.c.id)
    .limit(1)
)


def open_keys(url: str | None, root: Path, clock: Callable[[], float] = time.time) -> "Keys":
    """The keys at `url`, or in the folder `root` where none is given."""
    return Keys(open_database(url, root / "keys.db", _SCHEMA, holds="The list of keys"), clock)


class Keys:
    """Thread-safe; each method is one transaction."""

    def __init__(self, engine: sa.Engine, clock: Callable[[], float]) -> None:
        self._engine = engine
        self._now = clock

    def close(self) -> None:
        self._engine.dispose()

    def create(
        self, role: Role, *, workspace: str | None, user: str | None = None, per_minute: int | None = None
    ) -> tuple[Key, str]:
        """A new key and its token, which is told here and never again."""
        if workspace is not None:
            Scope(workspace, user)
        elif role is not Role.ADMIN or user is not None:
            raise InvalidScope(
                "Name the workspace that the key is for. Only an admin's key without a user opens every workspace."
            )
        key = Key(secrets.token_hex(6), workspace, user, role, per_minute, self._now())
        secret = secrets.token_urlsafe(32)
        row = {name: getattr(key, name) for name in ("id", "workspace", "per_minute", "created")}
        row |= {"owner": user, "role": role.value, "hash": _hash(secret), "full_at": 0.0}
        with self._engine.begin() as connection:
            connection.execute(_KEYS.insert(), row)
        return key, f"{PREFIX}_{key.id}_{secret}"

    def find(self, token: str) -> Key | None:
        """The key that a token is, unless it was revoked."""
        prefix, _, rest = token.partition("_")
        key_id, _, secret = rest.partition("_")
        with self._engine.connect() as connection:
            row = connection.execute(_KEYS.select().where(_KEYS.c.id == _text(key_id))).mappings().first()
            is_first = connection.execute(_FIRST).scalar() == key_id
        # Compared in constant time and for unknown ids too: how long a refusal takes tells nothing.
        fits = hmac.compare_digest(row["hash"] if row else _hash(""), _hash(secret))
        known = row is not None and fits and prefix == PREFIX and row["revoked"] is None
        return replace(_as_key(row), is_first=is_first) if row and known else None

    def spend(self, key: Key) -> None:
        """Count one request, or refuse it; the database counts, so all workers keep one limit together."""
        if key.per_minute is None:
            return
        now, each = self._now(), _MINUTE_S / key.per_minute
        # Further ahead than any worker's clock can be, it was written before a clock was set back.
        starts = sa.case((_KEYS.c.full_at.between(now, now + 2 * _MINUTE_S), _KEYS.c.full_at), else_=now)
        this = _KEYS.c.id == key.id
        take = _KEYS.update().where(this, starts + each <= now + _MINUTE_S).values(full_at=starts + each)
        with self._engine.begin() as connection:
            if connection.execute(take).rowcount:
                return
            full_at = connection.execute(sa.select(_KEYS.c.full_at).where(this)).scalar() or now
        raise RateLimited(
            f"This key may be used {key.per_minute} times a minute, and has been.",
            wait_s=full_at + each - now - _MINUTE_S,
        )

    def exist(self) -> bool:
        """Whether a key was ever made. Revoked ones count: taking the last away must not open the door to everybody."""
        with self._engine.connect() as connection:
            return connection.execute(_ANY).first() is not None

    def all(self) -> list[Key]:
        """Oldest first, the revoked ones among them."""
        with self._engine.connect() as connection:
            rows = connection.execute(_KEYS.select().order_by(_KEYS.c.created, _KEYS.c.id))
            return [_as_key(row) for row in rows.mappings()]

    def revoke(self, key_id: str) -> Key:
        """From the next request on it opens nothing; one that was revoked before stays so."""
        this = _KEYS.c.id == _text(key_id)
        with self._engine.begin() as connection:
            connection.execute(_KEYS.update().where(this, _KEYS.c.revoked.is_(None)).values(revoked=self._now()))
            row = connection.execute(_KEYS.select().where(this)).mappings().first()
        if row is None:
            raise NotFound(f"There is no key {key_id[:80]!r}; `docmind keys list` shows their ids.")
        return _as_key(row)

    def revoke_in(self, workspace: str) -> None:
        """Take back every key of a workspace: whoever begins one of that name later owes their bearers nothing."""
        theirs = _KEYS.c.workspace == workspace, _KEYS.c.revoked.is_(None)
        with self._engine.begin() as connection:
            connection.execute(_KEYS.update().where(*theirs).values(revoked=self._now()))

    def forget(self) -> int:
        """Remove every key, as if there had never been one; returns how many there were."""
        with self._engine.begin() as connection:
            return connection.execute(_KEYS.delete()).rowcount


def _hash(secret: str) -> str:
    """One round is enough: the secret is 256 random bits, so nobody can guess what to hash, however fast hashing is."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _text(key_id: str) -> str:
    """Whatever a client sends; PostgreSQL refuses what SQLite only does not find."""
    return key_id.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def _as_key(row: Any) -> Key:
    plain = ("id", "workspace", "per_minute", "created", "revoked")
    return Key(user=row["owner"], role=Role(row["role"]), **{name: row[name] for name in plain})
