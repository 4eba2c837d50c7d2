"""Facility tables belong to their scope and are replaced whole, on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from docmind.corpus.facilities.directory import KEPT, FacilityStore, open_facilities
from docmind.corpus.facilities.facility import Facility
from docmind.domain.scope import Scope

ALICE, BOB, EVERYONE = Scope("w", "alice"), Scope("w", "bob"), Scope("w")
CLINIC = Facility(
    "A", "Nørd Clinic", "clinic", 51.5, -0.125, ("x-ray", "blood test"), "1 Road", "London", "England", "SE1 7PB", "UK",
    "+44 20 7946 0111", "24/7", "Europe/London",
)  # fmt: skip


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def url(request: pytest.FixtureRequest) -> str | None:
    return request.getfixturevalue("postgres_url") if request.param == "postgres" else None


@pytest.fixture
def store(url: str | None, tmp_path: Path) -> Iterator[FacilityStore]:
    with closing(open_facilities(url, tmp_path)) as opened:
        yield opened


def test_what_went_in_comes_out_equal_and_in_order(store: FacilityStore) -> None:
    table = (replace(CLINIC, id="B"), CLINIC, Facility("C", "Bare", "kiosk", 0.5, 0.5))
    store.replace(EVERYONE, table)
    assert store.directory(EVERYONE).facilities == table


def test_a_user_sees_the_shared_table_and_their_own_alone(store: FacilityStore) -> None:
    store.replace(EVERYONE, (CLINIC,))
    store.replace(ALICE, (replace(CLINIC, name="Alice's"),))
    assert store.directory(ALICE).names == ("Nørd Clinic", "Alice's")
    assert store.directory(BOB).names == ("Nørd Clinic",)
    assert store.directory(EVERYONE).names == ("Nørd Clinic",)
    assert len(store.directory(Scope("elsewhere", "alice"))) == 0


def test_replacing_ones_own_table_leaves_the_others(store: FacilityStore) -> None:
    store.replace(EVERYONE, (CLINIC,))
    store.replace(ALICE, (CLINIC, CLINIC))
    store.replace(ALICE, ())
    assert len(store.directory(ALICE)) == 1


def test_what_another_process_imports_is_seen_at_once(store: FacilityStore, url: str | None, tmp_path: Path) -> None:
    store.replace(EVERYONE, (CLINIC,))
    assert store.directory(EVERYONE).names == ("Nørd Clinic",)
    with closing(open_facilities(url, tmp_path)) as other:
        other.replace(EVERYONE, (replace(CLINIC, name="New"),))
    assert store.directory(EVERYONE).names == ("New",)


def test_an_unchanged_table_is_read_once(store: FacilityStore) -> None:
    store.replace(EVERYONE, (CLINIC,))
    first = store.directory(EVERYONE)
    assert store.directory(EVERYONE) is first
    for number in range(KEPT):
        store.directory(Scope(f"w{number}"))
    assert store.directory(EVERYONE) is not first


def test_readers_see_one_whole_table_while_it_is_replaced(store: FacilityStore) -> None:
    tables = [tuple(replace(CLINIC, id=str(row), kind=str(size)) for row in range(size)) for size in (3, 50)]
    store.replace(EVERYONE, tables[0])

    def read(_: int) -> set[tuple[int, tuple[str, ...]]]:
        directory = store.directory(EVERYONE)
        return {(len(directory), directory.kinds)}

    with ThreadPoolExecutor(4) as threads:
        seen = threads.map(read, range(40))
        for number in range(20):
            store.replace(EVERYONE, tables[number % 2])
        assert set().union(*seen) <= {(3, ("3",)), (50, ("50",))}


def test_the_tables_of_a_workspace_go_together_and_leave_the_others(store: FacilityStore) -> None:
    elsewhere = Scope("elsewhere")
    for scope in (EVERYONE, ALICE, elsewhere):
        store.replace(scope, (CLINIC,))
    assert store.workspaces() == {"w", "elsewhere"}
    store.drop("w")
    assert store.workspaces() == {"elsewhere"}
    assert [len(store.directory(scope)) for scope in (EVERYONE, ALICE, elsewhere)] == [0, 0, 1]
