"""What may be changed of a conversation: its title, and whether it is pinned."""

from typing import Annotated, TypedDict

from pydantic import Field

from docmind.memory.labels import LONGEST_TITLE
from docmind.server.deps import Scoped, Text


class LabelChanges(TypedDict):
    title: str | None
    pinned: bool | None


class Labelled(Scoped):
    title: Annotated[
        Text | None,
        Field(
            description="Its new title; an empty one brings the first question back.",
            max_length=LONGEST_TITLE,
            examples=["Budget of Project Heron"],
        ),
    ] = None
    pinned: Annotated[bool | None, Field(description="Whether to keep it at the top of the list.")] = None

    def chosen(self) -> LabelChanges:
        return {"title": self.title, "pinned": self.pinned}
