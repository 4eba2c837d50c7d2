"""Searching: a question in, cited passages out."""

from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from docmind.domain.rows import HitRow
from docmind.domain.search import Filters
from docmind.server.auth import Reader
from docmind.server.deps import Scoped, Text, ToBackend
from docmind.server.errors import RESPONSES

router = APIRouter(prefix="/v1/search", tags=["search"], responses=RESPONSES)

Year = Annotated[int, Field(ge=0, le=9999)]
Quarter = Annotated[int, Field(ge=1, le=4)]
Day = Annotated[str, Field(examples=["2024-12-31"], json_schema_extra={"format": "date"})]


class SearchFilters(BaseModel):
    """Each field that is set must match; several values in one field are alternatives."""

    model_config = ConfigDict(extra="forbid")

    company: tuple[Text, ...] = ()
    ticker: tuple[Text, ...] = ()
    fiscal_year: tuple[Year, ...] = ()
    quarter: tuple[Quarter, ...] = ()
    document_type: tuple[Text, ...] = ()
    kind: tuple[Literal["text", "table"], ...] = ()
    document_id: tuple[Text, ...] = ()
    exclude_passages: tuple[Text, ...] = ()
    date_from: Day | None = None
    date_to: Day | None = None

    def chosen(self) -> Filters:
        return Filters(**dict(self))


class SearchRequest(Scoped):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"query": "When does production in Ostrava start?", "workspace": "strategy", "limit": 3},
                {
                    "query": "What was the operating profit?",
                    "workspace": "finance",
                    "min_score": 0.5,
                    "filters": {"ticker": ["ELLN"], "fiscal_year": [2023, 2024]},
                },
            ]
        }
    )

    query: Annotated[Text, Field(description="What to look for, in plain words.")]
    limit: Annotated[int, Field(description="The most passages to return.", ge=1, le=1000)] = 10
    min_score: Annotated[float, Field(description="Leave out what is less likely to be relevant.", ge=0, le=1)] = 0.0
    filters: SearchFilters = SearchFilters()


class SearchResponse(BaseModel):
    hits: Annotated[list[HitRow], Field(description="Most relevant first.")]


@router.post("")
async def search(asked: SearchRequest, caller: Reader, backend: ToBackend) -> SearchResponse:
    """The passages most relevant to a question, each cited to the character."""
    found = await backend.engine.asearch(
        asked.query,
        caller.scope(asked),
        limit=asked.limit,
        min_score=asked.min_score,
        filters=asked.filters.chosen(),
    )
    return SearchResponse(hits=[HitRow.of(rank, hit) for rank, hit in enumerate(found, start=1)])
