"""The keys of the service: told once, kept as hashes, counted together, on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docmind.domain.errors import InvalidScope, NotFound, RateLimited
from docmind.domain.scope import Key, Role
from docmind.memory.keys import Keys, open_keys


class Clock:
    """Time that passes when a test says so."""

    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


ALWAYS = Clock()
"""For the examples of a property, which share a store."""


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def keys(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Keys]:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    with closing(open_keys(url, tmp_path, clock)) as opened:
        yield opened


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keys]:
    """One store for all examples of a property."""
    with closing(open_keys(None, tmp_path_factory.mktemp("keys"), ALWAYS)) as opened:
        yield opened


def spends(keys: Keys, key: Key, times: int) -> int:
    """How many of so many requests are let through."""
    passed = 0
    for _ in range(times):
        try:
            keys.spend(key)
        except RateLimited:
            continue
        passed += 1
    return passed


def test_a_key_is_found_by_its_token_alone(keys: Keys) -> None:
    made, token = keys.create(Role.EDITOR, workspace="w", user="ada", per_minute=7)
    other, another = keys.create(Role.ADMIN, workspace=None)
    assert keys.find(token) == made
    assert keys.find(another) == other
    assert (made.workspace, made.user, made.role, made.per_minute) == ("w", "ada", Role.EDITOR, 7)
    assert keys.all() == sorted([made, other], key=lambda key: (key.created, key.id))


def test_nothing_that_only_resembles_a_key_opens(keys: Keys) -> None:
    made, token = keys.create(Role.READER, workspace="w")
    _, other = keys.create(Role.READER, workspace="w")
    secret = other.split("_", 2)[2]
    tries = [
        token[:-1],
        token + "x",
        token.upper(),
        f"dm_{made.id}_{secret}",
        f"dm_{made.id}_",
        made.id,
        "",
        "dm",
        "dm__",
    ]
    tries += [f"xx{token[2:]}", "\0", "\ud800", "dm_%_x", "dm_' OR 1=1 --_x"]
    assert [keys.find(one) for one in tries] == [None] * len(tries)


@given(st.text())
def test_no_text_is_a_key_by_chance(lasting: Keys, text: str) -> None:
    lasting.create(Role.ADMIN, workspace=None)
    assert lasting.find(text) is None


def test_the_store_holds_no_secret(tmp_path: Path) -> None:
    with closing(open_keys(None, tmp_path)) as keys:
        _, token = keys.create(Role.ADMIN, workspace=None)
    held = b"".join(file.read_bytes() for file in tmp_path.glob("keys.db*"))
    assert token.split("_", 2)[2].encode() not in held


def test_a_revoked_key_opens_nothing_and_stays_on_the_list(keys: Keys, clock: Clock) -> None:
    made, token = keys.create(Role.READER, workspace="w")
    clock.now += 5
    revoked = keys.revoke(made.id)
    assert keys.find(token) is None
    assert keys.all() == [revoked]
    clock.now += 5
    assert keys.revoke(made.id).revoked == revoked.revoked == made.created + 5
    with pytest.raises(NotFound, match="There is no key 'nope'"):
        keys.revoke("nope")


def test_the_keys_of_a_workspace_can_be_taken_back_together(keys: Keys) -> None:
    _, going = keys.create(Role.READER, workspace="w", user="ada")
    _, staying = keys.create(Role.READER, workspace="x")
    _, everywhere = keys.create(Role.ADMIN, workspace=None)
    keys.revoke_in("w")
    assert [keys.find(token) is not None for token in (going, staying, everywhere)] == [False, True, True]


def test_keys_exist_until_all_are_forgotten_and_revoking_forgets_none(keys: Keys) -> None:
    assert not keys.exist()
    made, _ = keys.create(Role.READER, workspace="w")
    keys.revoke(made.id)
    assert keys.exist()
    assert keys.forget() == 1
    assert not keys.exist()


@pytest.mark.parametrize(
    ("role", "workspace", "user"),
    [(Role.READER, None, None), (Role.EDITOR, None, None), (Role.ADMIN, None, "ada"), (Role.READER, "a/b", None)],
)
def test_a_key_for_nowhere_is_not_made(keys: Keys, role: Role, workspace: str | None, user: str | None) -> None:
    with pytest.raises(InvalidScope):
        keys.create(role, workspace=workspace, user=user)
    assert not keys.exist()


def test_a_key_without_a_rate_is_never_spent(keys: Keys) -> None:
    made, _ = keys.create(Role.READER, workspace="w")
    assert spends(keys, made, 50) == 50


def test_a_key_is_spent_after_its_requests_and_fills_again_as_time_goes_by(keys: Keys, clock: Clock) -> None:
    made, _ = keys.create(Role.READER, workspace="w", per_minute=6)
    assert spends(keys, made, 20) == 6
    with pytest.raises(RateLimited, match="6 times a minute") as refused:
        keys.spend(made)
    assert refused.value.wait_s == pytest.approx(10)
    clock.now += 9
    assert spends(keys, made, 1) == 0
    clock.now += 1.5
    assert spends(keys, made, 5) == 1
    clock.now += 3600
    assert spends(keys, made, 20) == 6


def test_a_clock_that_is_set_back_locks_nobody_out_for_long(keys: Keys, clock: Clock) -> None:
    made, _ = keys.create(Role.READER, workspace="w", per_minute=6)
    assert spends(keys, made, 6) == 6
    clock.now -= 30
    with pytest.raises(RateLimited) as refused:
        keys.spend(made)
    assert refused.value.wait_s == pytest.approx(40)
    clock.now -= 86_400
    assert spends(keys, made, 20) == 6


def test_workers_count_together(keys: Keys) -> None:
    made, _ = keys.create(Role.READER, workspace="w", per_minute=10)
    with ThreadPoolExecutor(8) as workers:
        passed = sum(workers.map(lambda _: spends(keys, made, 5), range(8)))
    assert passed == 10


@settings(max_examples=30)
@given(st.lists(st.floats(0, 30), max_size=40), st.integers(1, 10))
def test_no_minute_ever_sees_more_than_twice_the_rate(lasting: Keys, pauses: list[float], rate: int) -> None:
    """A bucket that was full lets its whole content through, and what flows in meanwhile."""
    made, _ = lasting.create(Role.READER, workspace="w", per_minute=rate)
    passed = []
    for pause in pauses:
        ALWAYS.now += pause
        passed += [ALWAYS.now] * spends(lasting, made, 1)
    assert all(sum(start <= at < start + 60 for at in passed) <= 2 * rate for start in passed)
