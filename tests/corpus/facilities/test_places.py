"""A place is found by name, postcode or coordinates, also misspelt; a shared name is told apart or asked back."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docmind.corpus.facilities.directory import Directory
from docmind.corpus.facilities.geography import Gazetteer
from docmind.corpus.facilities.places import Ambiguous, Area, Spot, Where, locate

RADIUS_KM = 50.0
Locate = Callable[[str], Where]
SPRINGFIELDS = tuple(f"Springfield, {state}, United States" for state in ("Illinois", "Massachusetts", "Missouri"))


@pytest.fixture
def where(directory: Directory, gazetteer: Gazetteer) -> Locate:
    return lambda text: locate(text, directory, gazetteer, RADIUS_KM)


def label(found: Where) -> str:
    assert isinstance(found, Spot), found
    return found.label


def test_a_name_of_several_places_with_facilities_is_ambiguous(where: Locate) -> None:
    assert where("Springfield") == Ambiguous("Springfield", SPRINGFIELDS)
    assert where("sprignfield") == Ambiguous("Springfield", SPRINGFIELDS)


@pytest.mark.parametrize(
    "written",
    [
        "Springfield, Illinois, United States",
        "springfield illinois",
        "Springfield IL",
        "Springfield, IL, USA",
        "Sprngfield, Illinois",
        "springfeild il",
    ],
)
def test_a_region_or_country_tells_them_apart(where: Locate, written: str) -> None:
    assert label(where(written)) == SPRINGFIELDS[0]


@pytest.mark.parametrize("option", SPRINGFIELDS)
def test_every_option_that_is_asked_back_is_understood(where: Locate, option: str) -> None:
    assert label(where(option)) == option


def test_a_name_that_has_facilities_in_one_place_alone_means_that_place(where: Locate) -> None:
    assert label(where("Paris")) == "Paris, Ile-de-France, France"
    assert label(where("Manchester")) == "Manchester, England, United Kingdom"


def test_a_place_without_facilities_is_found_all_the_same(where: Locate) -> None:
    assert label(where("Nairobi")).endswith("Kenya")
    assert label(where("New York City")).startswith("New York")


@pytest.mark.parametrize("written", ["Munich", "München", "Muenchen", "munchen", "Muncih", "Monaco di Baviera"])
def test_a_city_is_found_under_its_names_in_other_languages(where: Locate, written: str) -> None:
    assert label(where(written)) == "Munich, Bavaria, Germany"


def test_a_misspelt_place_says_what_it_was_taken_for(where: Locate) -> None:
    found = where("Manchster")
    assert isinstance(found, Spot)
    assert (found.label, found.taken_for) == ("Manchester, England, United Kingdom", "Manchster")


def test_postcodes_of_the_table_are_places(where: Locate) -> None:
    assert label(where("62701")) == "62701 Springfield, Illinois, United States"
    assert label(where("n1 0pq")) == label(where("N10PQ")) == "N1 0PQ London, England, United Kingdom"
    assert label(where("SE1")) == "SE1 London, England, United Kingdom"


@pytest.mark.parametrize("written", ["39.8, -89.64", "39.8 -89.64", "39.8N, 89.64W", "39.8°N 89.64°W", "39.8;−89.64"])
def test_coordinates_are_places(where: Locate, written: str) -> None:
    assert where(written) == Spot("39.8, -89.64", 39.8, -89.64)


def test_coordinates_off_the_globe_are_no_place(where: Locate) -> None:
    assert where("95.0, 10.0") is None


def test_regions_and_countries_of_the_table_are_areas(where: Locate) -> None:
    assert where("germany") == Area("Germany")
    assert where("Ontario") == Area("Ontario")
    assert label(where("Berlin")) == "Berlin, Germany"


def test_distances_are_measured_from_the_centre_of_the_city(where: Locate, gazetteer: Gazetteer) -> None:
    found, city = where("Dublin"), gazetteer.named("dublin")[0]
    assert isinstance(found, Spot)
    assert (found.latitude, found.longitude) == (city.latitude, city.longitude)


def test_nobody_knows_where_nonsense_is(where: Locate) -> None:
    assert where("Qwertzuiop") is None
    assert where("") is None


@settings(max_examples=40)
@given(text=st.text(max_size=40))
def test_any_text_is_a_place_or_none(text: str, directory: Directory, gazetteer: Gazetteer) -> None:
    assert isinstance(locate(text, directory, gazetteer, RADIUS_KM), Spot | Area | Ambiguous | None)
