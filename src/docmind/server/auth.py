"""Who asks, and what they may: routes take a `Reader`, an `Editor` or an `Admin`, and their scope from it alone."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from docmind.domain.errors import Forbidden
from docmind.domain.scope import Key, Role, Scope
from docmind.server.deps import Scoped

_BEARER = HTTPBearer(
    auto_error=False, description="A key made with `docmind keys create`. Without any keys, this machine needs none."
)
"""For the API's description. The gate has read the header already, before anything of the body was."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever sent a request: the bearer of a key, or a person at this machine while there are no keys."""

    workspace: str | None
    """The one workspace they reach; any where there is none."""
    user: str | None
    role: Role
    key: str | None
    is_first: bool = False
    """Whether theirs is the first key, which goes on with what was asked before there were any."""

    @classmethod
    def with_key(cls, key: Key) -> "Caller":
        return cls(key.workspace, key.user, key.role, key.id, key.is_first)

    def scope(self, asked: Scoped) -> Scope:
        """What the request names, where this caller may go there; the key's own, where it names nothing.

        A key without a user is a user of its own: what it asks, no other key of the workspace sees. The first key is
        the person at this machine, who made it.
        """
        shelf = self.shelf(asked)
        own = f"key-{self.key}" if self.key and not self.is_first else None
        return Scope(shelf.workspace, own if shelf.user is None else shelf.user)

    def shelf(self, asked: Scoped) -> Scope:
        """Where files are put that the request brings in: without a user, all of the workspace share them."""
        named = "workspace" in asked.model_fields_set
        workspace = asked.workspace if named else self.workspace or asked.workspace
        shelf = Scope(workspace, self.user if asked.user is None else asked.user)
        if self.workspace not in (None, shelf.workspace) or not self._acts_as(shelf.user):
            raise Forbidden(f"This key is for {self.place()}. Use it there, or use another key.")
        return shelf

    def require(self, role: Role) -> None:
        if not self.role.includes(role):
            raise Forbidden(f"This needs the role {role}, and this key has the role {self.role}.")

    def require_owning(self, owner: str | None) -> None:
        """For what cannot be undone: whoever has a key of one user sees what all share, and takes none of it away."""
        if self.user not in (None, owner):
            raise Forbidden(f"This key is for user {self.user!r}, and that belongs to the whole workspace.")

    @property
    def operates(self) -> bool:
        """Whether the whole service is theirs to set up: an admin's key for every workspace, or this machine."""
        return self.role is Role.ADMIN and self.workspace is None and self.user is None

    def _acts_as(self, user: str | None) -> bool:
        """An admin's key without a user may act for any; no other reaches what somebody has for themselves."""
        return user == self.user or (self.user is None and self.role is Role.ADMIN)

    def place(self) -> str:
        workspace = f"workspace {self.workspace!r}" if self.workspace else "every workspace"
        return f"{workspace} and user {self.user!r}" if self.user else f"{workspace} and no user's own documents"


LOCAL = Caller(None, None, Role.ADMIN, None)
"""A person at this machine, who could read the files below the service anyway."""


def _at_least(role: Role) -> Callable[..., Awaitable[Caller]]:
    async def caller(
        request: Request, _shown: Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER)]
    ) -> Caller:
        found: Caller = request.state.caller
        found.require(role)
        return found

    return caller


Reader = Annotated[Caller, Depends(_at_least(Role.READER))]
"""May ask, search and look."""
Editor = Annotated[Caller, Depends(_at_least(Role.EDITOR))]
"""May also bring in and delete, documents, runs and threads alike."""
Admin = Annotated[Caller, Depends(_at_least(Role.ADMIN))]
"""May also make and delete workspaces, and see how the service does."""


async def _operator(caller: Admin) -> Caller:
    if not caller.operates:
        raise Forbidden(f"This needs an admin's key for every workspace, and this key is for {caller.place()}.")
    return caller


Operator = Annotated[Caller, Depends(_operator)]
"""May also change the settings of the service, and make and revoke keys."""
