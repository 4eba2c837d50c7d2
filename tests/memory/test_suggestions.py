"""The questions that are suggested in a workspace: replaced as a whole, on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from docmind.domain.scope import Scope
from docmind.memory.run import Feedback, Run
from docmind.memory.runs import open_runs
from docmind.memory.suggestions import ASKER, Suggestion, Suggestions, open_suggestions

LONG = Suggestion("docs", "How long are receipts kept? ü 大", "r1", 0.99, ("d1", "d2"))
MUCH = Suggestion("finance", "How much was it?", "r2", 0.925, ())


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def url(request: pytest.FixtureRequest) -> str | None:
    return str(request.getfixturevalue("postgres_url")) if request.param == "postgres" else None


@pytest.fixture
def suggestions(url: str | None, tmp_path: Path) -> Iterator[Suggestions]:
    with closing(open_suggestions(url, tmp_path)) as opened:
        yield opened


def test_they_come_out_in_their_order_and_take_the_place_of_those_before(suggestions: Suggestions) -> None:
    assert (suggestions.of("w"), suggestions.made_for("w")) == ([], None)
    suggestions.replace("w", "first", [MUCH, LONG])
    assert (suggestions.of("w"), suggestions.made_for("w")) == ([MUCH, LONG], "first")
    suggestions.replace("w", "second", [LONG])
    assert (suggestions.of("w"), suggestions.made_for("w")) == ([LONG], "second")
    suggestions.replace("w", "third", [])
    assert (suggestions.of("w"), suggestions.made_for("w")) == ([], "third")


def test_each_workspace_has_its_own_and_they_go_with_it(suggestions: Suggestions) -> None:
    suggestions.replace("w", "these", [LONG])
    suggestions.replace("v", "those", [MUCH])
    suggestions.drop("w")
    assert (suggestions.of("w"), suggestions.made_for("w")) == ([], None)
    assert (suggestions.of("v"), suggestions.made_for("v")) == ([MUCH], "those")


def test_of_several_services_that_find_them_at_once_the_last_one_s_stay(url: str | None, tmp_path: Path) -> None:
    def find(number: int) -> None:
        found = [Suggestion("docs", f"Question {place}?", f"{number}-{place}", 0.95) for place in range(3)]
        with closing(open_suggestions(url, tmp_path)) as opened:
            for _ in range(10):
                opened.replace("w", str(number), found)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(find, range(4)))
    with closing(open_suggestions(url, tmp_path)) as opened:
        last = opened.made_for("w")
        assert [one.run for one in opened.of("w")] == [f"{last}-{place}" for place in range(3)]


def test_the_run_behind_a_suggestion_is_nobody_s_and_goes_by_its_id(url: str | None, tmp_path: Path) -> None:
    asked = Run("r1", Scope("w", ASKER), "docs", LONG.question, 100.0)
    with closing(open_runs(url, tmp_path)) as runs:
        runs.begin(asked)
        runs.recorder(asked).store("k", "said")
        runs.put_feedback(asked, Feedback(True))
        assert runs.workspaces() == {}
        runs.delete_by_id("r1", Scope("w", "ada"))
        assert runs.latest(asked.scope, 9)
        runs.delete_by_id("r1", asked.scope)
        assert (runs.latest(asked.scope, 9), runs.recorder(asked).records) == ([], {})
        runs.begin(asked)
        assert runs.find("r1", asked.scope).feedback is None
