"""The register of workspaces remembers empty ones and unfinished deletions, on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from docmind.corpus.workspaces import Register, open_register


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def register(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Register]:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    with closing(open_register(url, tmp_path)) as opened:
        yield opened


def test_a_workspace_is_known_until_it_is_condemned_and_remembered_until_it_is_struck_off(register: Register) -> None:
    register.add("heron")
    register.add("heron")
    assert (register.names(), register.condemned(shared=False)) == ({"heron"}, [])
    register.condemn("heron")
    register.condemn("heron")
    assert (register.names(), register.condemned(shared=False)) == (set(), ["heron"])
    register.strike("heron")
    assert (register.names(), register.condemned(shared=False)) == (set(), [])


def test_in_a_shared_store_a_deletion_that_has_just_begun_is_left_to_who_began_it(register: Register) -> None:
    register.condemn("heron")
    assert register.condemned(shared=True) == []
