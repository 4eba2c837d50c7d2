"""What a key of the service stands for: where it opens, what it allows, how often it may be used."""

from dataclasses import dataclass, field
from enum import StrEnum


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
