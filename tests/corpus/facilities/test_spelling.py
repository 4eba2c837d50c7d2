"""Names are compared as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.corpus.facilities.spelling import bags, closest, fold, term

CITIES = ["springfield", "springvale", "boston", "berlin", "bern", "dublin", "new york"]


def meant(name: str) -> list[str]:
    return closest(name, CITIES, bags(CITIES))[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("München", "munchen"),
        ("SAINT-DENIS", "saint denis"),
        ("St. Mary's", "st marys"),
        ("  a   b ", "a b"),
        ("Ｋöln", "koln"),
    ],
)
def test_case_accents_and_marks_do_not_count(one: str, other: str) -> None:
    assert fold(one) == fold(other) == other


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("clinics", "clinic"),
        ("Pharmacies", "pharmacy"),
        ("Dental Practices", "dental practice"),
        ("vaccination centers", "vaccination centre"),
        ("churches", "church"),
        ("campus", "campus"),
    ],
)
def test_a_plural_is_its_singular(many: str, one: str) -> None:
    assert term(many) == tuple(one.split())


@pytest.mark.parametrize("slip", ["sprngfield", "springfeild", "sprimgfield", "sspringfield", "sprngfeld"])
def test_a_letter_lost_wrong_doubled_or_swapped_is_a_slip(slip: str) -> None:
    assert meant(slip) == ["springfield"]


def test_short_names_allow_fewer_slips() -> None:
    assert meant("berlni") == ["berlin"]
    assert meant("brn") == []
    assert meant("bostno") == ["boston"]
    assert meant("obstno") == []


def test_the_fewest_slips_win() -> None:
    assert meant("springvael") == ["springvale"]


@given(st.text(alphabet="abcdé ", max_size=12), st.lists(st.text(alphabet="abcd ", max_size=12), max_size=8))
def test_what_is_found_is_never_further_than_another(name: str, names: list[str]) -> None:
    found, slips = closest(name, names, bags(names))
    assert set(found) <= set(names)
    if len(name) >= 4 and name in names:
        assert name in found
        assert slips == 0
