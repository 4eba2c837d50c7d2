"""Brings a facility table in, whole or not at all."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from docmind.corpus.facilities.facility import Facility
from docmind.corpus.facilities.gazetteer import Gazetteer
from docmind.corpus.facilities.store import FacilityStore
from docmind.corpus.facilities.table_files import read_rows
from docmind.corpus.facilities.validation import check_rows
from docmind.corpus.load.limits import Limits
from docmind.domain.errors import NotFound
from docmind.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did. With any problem it did nothing."""

    rows: int
    imported: int
    problems: tuple[str, ...]
    """A sentence for everything that is wrong, each with its row."""
    unused_columns: tuple[str, ...]


def import_table(
    path: Path, name: str, scope: Scope, store: FacilityStore, gazetteer: Gazetteer, limits: Limits
) -> ImportReport:
    """Make the table at `path` the facilities of the scope, in place of those it had."""
    if not path.is_file():
        raise NotFound(f"There is no file {str(path)!r}.")
    rows = read_rows(path.read_bytes(), name, limits)
    checked = check_rows(rows)
    if checked.problems:
        return ImportReport(len(rows), 0, checked.problems, checked.unused)
    facilities = with_timezones(checked.facilities, gazetteer)
    store.replace(scope, facilities)
    return ImportReport(len(rows), len(facilities), (), checked.unused)


def with_timezones(facilities: tuple[Facility, ...], gazetteer: Gazetteer) -> tuple[Facility, ...]:
    """Opening hours are told by local clocks: a facility that does not name its zone has that of the nearest city."""
    bare = [facility for facility in facilities if not facility.timezone]
    zones = gazetteer.timezones(np.array([(facility.latitude, facility.longitude) for facility in bare]).reshape(-1, 2))
    found = {id(facility): zone for facility, zone in zip(bare, zones, strict=True)}
    return tuple(replace(each, timezone=found.get(id(each), each.timezone)) for each in facilities)
