"""Keys of the service: which there are, one more, shown this once, and one less. The same as `docmind keys`."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field

from docmind.domain.errors import InvalidQuery
from docmind.domain.scope import Key, Role
from docmind.runtime.engine import DocMind
from docmind.server.auth import Operator
from docmind.server.deps import Text, ToBackend
from docmind.server.errors import RESPONSES

router = APIRouter(prefix="/v1/keys", tags=["keys"], responses=RESPONSES)

MOST_A_MINUTE = 1_000_000

Id = Annotated[str, Path(description="A key's id, the part after `dm_`.", examples=["0123456789ab"])]


class NewKey(BaseModel):
    """Only an admin's key may open every workspace, and only one without a user may ask as any user."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"role": "editor", "workspace": "strategy"}]}
    )

    role: Role = Role.READER
    workspace: Annotated[Text | None, Field(description="The one workspace it opens; every one without.")] = None
    user: Annotated[Text | None, Field(description="The one user it asks as; without, it is a user of its own.")] = None
    rate: Annotated[
        int | None, Field(description="The most requests a minute; any number without.", ge=1, le=MOST_A_MINUTE)
    ] = None


class KeyRow(BaseModel):
    """A key without its secret."""

    id: Annotated[str, Field(examples=["0123456789ab"])]
    workspace: Annotated[str | None, Field(examples=["strategy"])]
    user: str | None
    role: Role
    rate: int | None
    created: datetime
    revoked: datetime | None
    own: Annotated[bool, Field(description="Whether this request was made with it.")]

    @classmethod
    def of(cls, key: Key, own: str | None) -> "KeyRow":
        return cls(
            id=key.id,
            workspace=key.workspace,
            user=key.user,
            role=key.role,
            rate=key.per_minute,
            created=_time(key.created),
            revoked=None if key.revoked is None else _time(key.revoked),
            own=key.id == own,
        )


class MadeKey(KeyRow):
    key: Annotated[str, Field(description="The key itself. It is told here and never again.")]


class KeyList(BaseModel):
    keys: Annotated[list[KeyRow], Field(description="Oldest first, the revoked ones among them.")]


@router.get("")
async def list_keys(caller: Operator, backend: ToBackend) -> KeyList:
    """Every key of the service, without its secret."""
    found = await backend.read(lambda engine: engine.keys.all())
    return KeyList(keys=[KeyRow.of(key, caller.key) for key in found])


@router.post("", status_code=201)
async def create_key(asked: NewKey, caller: Operator, backend: ToBackend) -> MadeKey:
    """Create a key, which is shown only this once. From the first key on, the service asks everyone for one."""

    def make(engine: DocMind) -> MadeKey:
        made, token = engine.keys.create(asked.role, workspace=asked.workspace, user=asked.user, per_minute=asked.rate)
        return MadeKey(**KeyRow.of(made, caller.key).model_dump(), key=token)

    return await backend.write(make)


@router.delete("/{id}")
async def revoke_key(id: Id, caller: Operator, backend: ToBackend) -> KeyRow:
    """Revoke a key: it stops working with the next request. A key cannot revoke itself."""
    if id == caller.key:
        raise InvalidQuery("That is the key you are asking with: revoke it with another one, or by `docmind keys`.")
    return KeyRow.of(await backend.write(lambda engine: engine.keys.revoke(id)), caller.key)


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
