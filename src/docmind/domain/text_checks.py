"""What checking a text gives back, in one form for Python, the command line's `--json` and the service."""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Finding(StrEnum):
    """What the documents say of a sentence."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_FOUND = "not_found"
    """No document says so, and none says otherwise."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class TextClaim(_Frozen):
    """A sentence of the text that asserts something, and the words of a document that decide about it."""

    text: Annotated[str, Field(description="The sentence as it stands in the text, from `start` to before `end`.")]
    start: Annotated[int, Field(description="Its first character in the text.")]
    end: int
    status: Finding
    probability: Annotated[float, Field(description="Probability that the documents support it.", ge=0, le=1)]
    quote: Annotated[str | None, Field(description="The words of a document that decide; null if none speaks of it.")]
    document: Annotated[str | None, Field(description="That document's id.")]
    title: str | None
    source: Annotated[str | None, Field(description="The file's name.", examples=["minutes.md"])]
    page: int | None
    quote_start: Annotated[int | None, Field(description="First character of the quote in the document's text.")]
    quote_end: int | None


class TextCheck(_Frozen):
    """A text, checked sentence by sentence."""

    claims: Annotated[list[TextClaim], Field(description="In the order of the text.")]

    def count(self, status: Finding) -> int:
        return sum(claim.status is status for claim in self.claims)
