"""Who is asking: the boundary that every search, document and conversation stays inside."""

import re
from dataclasses import dataclass

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
