"""Who is asking: the boundary that every search, document and conversation stays inside, and what a key opens of it."""

import re
from dataclasses import dataclass, field
from enum import StrEnum

from docmind.domain.errors import InvalidScope

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")


@dataclass(frozen=True, slots=True)
class Scope:
    """A workspace, and within it a user.

    Documents without a user are shared by everyone in their workspace; documents of a user are seen by that user alone.
    Nothing of one workspace is ever seen from another.
    """

    workspace: str
    user: str | None = None

    def __post_init__(self) -> None:
        for kind, name in (("workspace", self.workspace), ("user", self.user)):
            if name is not None and not _NAME.fullmatch(name):
                raise InvalidScope(
                    f"{name[:80]!r} cannot be a {kind} name: use 1 to 64 letters, digits, '.', '_', '@' or '-', "
                    "starting with a letter or digit."
                )

    def sees(self, owner: str | None) -> bool:
        """Whether a document of `owner` in this workspace is visible from here."""
        return owner is None or owner == self.user


class Role(StrEnum):
    """What a caller may do; each role may do what those before it may."""

    READER = "reader"
    EDITOR = "editor"
    ADMIN = "admin"

    def includes(self, other: "Role") -> bool:
        ranks = list(Role)
        return ranks.index(self) >= ranks.index(other)


@dataclass(frozen=True, slots=True)
class Key:
    """A key without its secret, which nobody keeps but whom it was given to."""

    id: str
    workspace: str | None
    """The one workspace it opens; every one where it names none."""
    user: str | None
    role: Role
    per_minute: int | None
    """Requests a minute; as many as are made where it names none."""
    created: float
    revoked: float | None = None
    is_first: bool = field(default=False, compare=False)
    """Whether it is the first that opens everything: what was asked before there were keys is its own."""
