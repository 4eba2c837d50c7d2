"""The example facilities and the gazetteer, read once: neither ever changes."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from docmind.corpus.facilities import FacilityAnswer, FacilityQuery
from docmind.corpus.facilities.answer import tell
from docmind.corpus.facilities.directory import Directory
from docmind.corpus.facilities.facility import Facility
from docmind.corpus.facilities.finder import find
from docmind.corpus.facilities.geography import Gazetteer
from docmind.corpus.facilities.table_import import check_rows, read_rows
from docmind.corpus.load.limits import Limits

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "facilities" / "facilities.csv"
A_MONDAY_NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)

Ask = Callable[..., FacilityAnswer]


@pytest.fixture(scope="session")
def gazetteer() -> Gazetteer:
    return Gazetteer()


@pytest.fixture(scope="session")
def examples() -> tuple[Facility, ...]:
    checked = check_rows(read_rows(EXAMPLES.read_bytes(), EXAMPLES.name, Limits()))
    assert checked.problems == ()
    return checked.facilities


@pytest.fixture(scope="session")
def directory(examples: tuple[Facility, ...], gazetteer: Gazetteer) -> Directory:
    from docmind.corpus.facilities.table_import import with_timezones

    return Directory(with_timezones(examples, gazetteer))


@pytest.fixture(scope="session")
def ask(directory: Directory, gazetteer: Gazetteer) -> Ask:
    """Ask the example facilities, at noon of a Monday by Greenwich unless said otherwise."""

    def asked(query: FacilityQuery, now: datetime = A_MONDAY_NOON) -> FacilityAnswer:
        return tell(find(query, directory, gazetteer, now))

    return asked
