"""Facilities: a table of them in, and the nearest that fit out."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Form, UploadFile
from pydantic import BaseModel, ConfigDict, Field

from docmind.corpus.facilities import FacilityAnswer, Opening
from docmind.domain.errors import FileRejected
from docmind.runtime.engine import DocMind
from docmind.server.auth import Editor, Reader
from docmind.server.deps import Scoped, Text, ToBackend
from docmind.server.errors import RESPONSES
from docmind.server.routes.uploads import laid_down, require_acceptable
from docmind.skills.places import by_words

if TYPE_CHECKING:
    from docmind.corpus.facilities.table_import import ImportReport

_PLACED = re.compile(r"((?:Row|Feature) \d{1,9}): ")
"""How a problem of one row begins; others are of the whole table."""
_FOUND: dict[str, Any] = {
    "text": "No facility fits (clinic) within 20 km of Springfield, Illinois, United States.",
    "clarification": None,
    "actions": [],
    "geojson": {"type": "FeatureCollection", "features": []},
}

router = APIRouter(prefix="/v1/facilities", tags=["facilities"], responses=RESPONSES)


class Table(Scoped):
    file: Annotated[UploadFile, Field(description="A table as CSV, TSV, XLSX or GeoJSON.")]


class RowError(BaseModel):
    row: Annotated[str | None, Field(description="Where it is; nowhere in particular where none.", examples=["Row 3"])]
    reason: Annotated[str, Field(examples=["latitude: '91' is not between -90 and 90."])]


class Imported(BaseModel):
    """What an import did. With any error it did nothing."""

    imported: Annotated[int, Field(description="The facilities that the scope has now.")]
    errors: list[RowError]

    @classmethod
    def of(cls, report: "ImportReport") -> "Imported":
        return cls(imported=report.imported, errors=[_row_error(problem) for problem in report.problems])


class Wanted(Scoped):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"near": "Springfield", "kind": "clinic", "open": "sunday 10:30", "radius_km": 20},
                {"query": "clinics open on Sunday near Springfield with vaccination"},
            ]
        }
    )

    query: Annotated[Text, Field(description="What to look for, in plain words.", max_length=1000)] = ""
    near: Annotated[Text | None, Field(description="A place name, a postcode of the table, or LAT,LON.")] = None
    kind: Annotated[Text | None, Field(description="A kind of facility.", examples=["clinic"])] = None
    service: Annotated[tuple[Text, ...], Field(description="Services it must offer.")] = ()
    open: Annotated[
        Text | None,
        Field(description="A day of the week, weekday, weekend, today, tomorrow or now; a time may follow."),
    ] = None
    radius_km: Annotated[float | None, Field(description="How far it may be; 50 unless set.", gt=0, le=20_100)] = None
    limit: Annotated[int, Field(description="The most facilities to return.", ge=1, le=1000)] = 5


@router.post("")
async def import_facilities(
    asked: Annotated[Table, Form(media_type="multipart/form-data")], caller: Editor, backend: ToBackend
) -> Imported:
    """Replace the facilities of the scope with those of a table, whole or not at all."""
    scope = caller.shelf(asked)
    require_acceptable([asked.file], backend.limits)

    def bring_in(engine: DocMind) -> "ImportReport":
        with laid_down(engine, [asked.file]) as (table,):
            try:
                return engine.import_facilities(table, scope)
            except FileRejected as error:
                raise FileRejected(f"{table.name[:80] or 'The file'} {error}") from error

    return Imported.of(await backend.write(bring_in))


@router.post("/search", responses={200: {"content": {"application/json": {"example": _FOUND}}}})
async def search_facilities(asked: Wanted, caller: Reader, backend: ToBackend) -> FacilityAnswer:
    """The nearest facilities that fit; fields take precedence over the words of the request."""
    scope = caller.scope(asked)
    given: dict[str, Any] = {
        "kind": asked.kind,
        "services": asked.service or None,
        "place": asked.near,
        "opening": Opening.parse(asked.open) if asked.open else None,
        "radius_km": asked.radius_km,
    }

    def read(engine: DocMind) -> FacilityAnswer:
        query = by_words(asked.query, engine.facilities.directory(scope))
        chosen = {name: value for name, value in given.items() if value is not None}
        return engine.facilities.find(replace(query, limit=asked.limit, **chosen), scope, datetime.now(UTC))

    return await backend.read(read)


def _row_error(problem: str) -> RowError:
    found = _PLACED.match(problem)
    return RowError(row=found[1], reason=problem[found.end() :]) if found else RowError(row=None, reason=problem)
