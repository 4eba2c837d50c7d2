"""`docmind facilities` as a person meets it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docmind.cli.main import run
from tests.stores import copied

DocMind = Callable[..., Any]

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "facilities" / "facilities.csv"
REQUEST = "clinics open on Sunday near {} with vaccination"


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of an installation that has imported the example facilities, made once."""
    data = tmp_path_factory.mktemp("facilities") / "data"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOCMIND_DATA_DIR", str(data))
        assert run(["facilities", "import", str(EXAMPLES)]) == 0
    return data


@pytest.fixture
def finder(docmind: DocMind, imported: Path, tmp_path: Path) -> DocMind:
    """Run a command line where the example facilities are there already."""
    copied(imported, tmp_path / "data")
    return docmind


def test_alone_it_shows_what_it_can_do(docmind: DocMind) -> None:
    shown = docmind("facilities")
    assert shown.code == 0
    assert "import  Replace the facilities of a workspace with those of a table." in shown.out


def test_an_ambiguous_place_lists_its_candidates_and_each_of_them_is_understood(finder: DocMind) -> None:
    asked = finder("facilities", "search", *REQUEST.format("Springfield").split())
    assert asked.code == 0
    question, *options = asked.out.splitlines()
    assert question == "Which Springfield do you mean?"
    assert options[0] == "  Springfield, Illinois, United States"
    found = finder("facilities", "search", REQUEST.format(options[0].strip()))
    assert "1. Lincoln Row Clinic (clinic), 380 m." in found.out
    assert "Sunday 09:00–12:00. Phone +1 217-555-0112." in found.out


def test_options_go_before_words(finder: DocMind) -> None:
    options = (
        "--kind",
        "pharmacy",
        "--near",
        "Dublin",
        "--open",
        "sunday 10:30",
        "--service",
        "flu jab",
        "--radius",
        "5",
    )
    found = finder("facilities", "search", "clinics", "in", "Paris", *options)
    assert found.out.startswith(
        "1 facility fits (pharmacy, flu jab, open on Sunday at 10:30) within 5 km of Dublin, Leinster, Ireland:\n"
        "1. Silver Birch Pharmacy (pharmacy), "
    )


def test_programs_get_text_actions_and_a_map(finder: DocMind) -> None:
    answer = json.loads(finder("facilities", "search", "--near", "53.35,-6.26", "-n", "2", "--json").out)
    assert list(answer) == ["text", "clarification", "actions", "geojson"]
    assert len(answer["geojson"]["features"]) == 2
    assert [action["type"] for action in answer["actions"]] == ["call", "directions"] * 2


def test_a_bad_table_is_refused_with_every_problem_and_nothing_changes(finder: DocMind, tmp_path: Path) -> None:
    table = tmp_path / "bad.csv"
    table.write_text("name,kind,lat,lon,hours,colour\nA,clinic,x,1,,red\nB,clinic,1,1,whenever,blue\n")
    refused = finder("facilities", "import", table)
    assert refused.code == 1
    assert refused.out.splitlines() == [
        "Row 2: the latitude 'x' is not a number of degrees between -90 and 90.",
        "Row 3: the opening hours 'whenever' cannot be read: 'whenever' gives no times.",
        "Nothing was imported: bad.csv has 2 problems. Columns not used: colour.",
    ]
    assert "64 facilities are here" in finder("facilities", "search").out


def test_what_is_no_table_is_refused_by_name(docmind: DocMind, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    refused = docmind("facilities", "import", tmp_path / "notes.txt")
    assert refused.code == 1
    assert refused.err == "docmind: notes.txt is not a table of facilities: CSV, TSV, XLSX and GeoJSON can be read.\n"
    assert "There is no file" in docmind("facilities", "import", tmp_path / "none.csv").err


def test_an_empty_workspace_says_how_to_fill_it(docmind: DocMind) -> None:
    empty = docmind("facilities", "search", "clinics", "--workspace", "w2")
    assert empty.out == "No facilities have been imported into this workspace yet.\n"
    assert "`docmind facilities import FILE --workspace w2`" in empty.err


def test_facilities_of_a_user_are_theirs(docmind: DocMind) -> None:
    brought = docmind("facilities", "import", EXAMPLES, "--user", "alice")
    assert brought.out == "64 facilities imported into workspace 'default'.\n"
    assert "No facilities" in docmind("facilities", "search", "--user", "bob").out
    assert "64 facilities" in docmind("facilities", "search", "--user", "alice").out


@pytest.mark.parametrize("wrong", ["noon", "sunday 25:00", "now 10:00"])
def test_a_time_that_is_none_is_told_with_an_example(docmind: DocMind, wrong: str) -> None:
    refused = docmind("facilities", "search", "--open", wrong)
    assert refused.code == 2
    assert "is not a day like 'sunday' or 'sunday 10:30'" in refused.err
