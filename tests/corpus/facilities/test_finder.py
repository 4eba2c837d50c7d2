"""The finder over the example facilities: what fits, nearest first, or what has to be asked first."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from docmind.corpus.facilities import Day, FacilityAnswer, FacilityQuery, Opening
from docmind.corpus.facilities.answer import tell
from docmind.corpus.facilities.directory import Directory
from docmind.corpus.facilities.facility import Facility
from docmind.corpus.facilities.finder import find
from docmind.corpus.facilities.geography import Gazetteer

Ask = Callable[..., FacilityAnswer]
SUNDAY = Opening(Day.SUNDAY)


def names(answer: FacilityAnswer) -> list[str]:
    return [feature["properties"]["name"] for feature in answer.geojson["features"]]


def distances(answer: FacilityAnswer) -> list[float]:
    return [feature["properties"]["distance_km"] for feature in answer.geojson["features"]]


def test_an_ambiguous_place_is_asked_back_with_options(ask: Ask) -> None:
    answer = ask(FacilityQuery("clinic", ("vaccination",), SUNDAY, "Springfield"))
    assert answer.clarification is not None
    assert answer.clarification.question == answer.text == "Which Springfield do you mean?"
    assert len(answer.clarification.options) == 3
    chosen = ask(FacilityQuery("clinic", ("vaccination",), SUNDAY, answer.clarification.options[0]))
    assert names(chosen) == ["Lincoln Row Clinic"]
    assert "Sunday 09:00–12:00" in chosen.text


def test_the_nearest_come_first_with_their_distance(ask: Ask) -> None:
    answer = ask(FacilityQuery(place="Dublin"))
    assert len(names(answer)) == 4
    assert distances(answer) == sorted(distances(answer))
    assert answer.text.startswith("4 facilities lie within 50 km of Dublin, Leinster, Ireland, nearest first:\n1. ")


def test_kind_and_services_all_have_to_hold(ask: Ask) -> None:
    assert names(ask(FacilityQuery("Pharmacies", place="Dublin"))) == ["Silver Birch Pharmacy"]
    assert names(ask(FacilityQuery(services=("flu jab", "prescriptions"), place="Dublin"))) == ["Silver Birch Pharmacy"]
    assert len(names(ask(FacilityQuery(services=("vaccination",), place="Dublin")))) == 3


def test_what_lies_outside_the_radius_is_left_out_and_the_nearest_of_it_named(ask: Ask) -> None:
    answer = ask(FacilityQuery("hospital", place="Cambridge, England", radius_km=30))
    assert not answer.found
    assert answer.text == (
        "No facility fits (hospital) within 30 km of Cambridge, England, United Kingdom. "
        "The nearest that does is Thamesbridge Hospital in London, 80 km away."
    )
    assert names(ask(FacilityQuery("hospital", place="Cambridge, England", radius_km=100))) == ["Thamesbridge Hospital"]


def test_other_kinds_that_fit_are_offered_as_such(ask: Ask) -> None:
    answer = ask(FacilityQuery("laboratory", ("vaccination",), SUNDAY, "Dublin"))
    assert answer.text.startswith(
        "No facility of the kind 'laboratory' within 50 km of Dublin, Leinster, Ireland fits (vaccination, open on "
        "Sunday). These of other kinds do:"
    )
    assert names(answer) == ["Silver Birch Pharmacy", "Rowan Gate Vaccination Centre"]


def test_only_the_first_are_shown_and_all_are_counted(ask: Ask) -> None:
    answer = ask(FacilityQuery("clinic", limit=2))
    assert len(names(answer)) == 2
    assert "facilities fit (clinic); the first 2:" in answer.text


def test_open_now_goes_by_the_clock_of_the_facility(ask: Ask) -> None:
    # 12:30 in Dublin, and 6:30 in the morning in Chicago.
    now = datetime(2026, 11, 16, 12, 30, tzinfo=UTC)
    query = FacilityQuery(opening=Opening(Day.NOW))
    assert len(names(ask(replace(query, place="Dublin"), now))) == 4
    assert names(ask(replace(query, place="Chicago"), now)) == ["Windmere Lake Hospital"]


def test_today_and_tomorrow_go_by_the_day_of_the_facility(ask: Ask) -> None:
    # Early Monday in London is still Sunday in Chicago.
    now = datetime(2026, 11, 16, 3, 0, tzinfo=UTC)
    today = ask(FacilityQuery("clinic", opening=Opening(Day.TODAY), place="Chicago"), now)
    assert names(today) == ["Juniper Community Clinic"]
    assert len(names(ask(FacilityQuery("clinic", opening=Opening(Day.TOMORROW), place="Chicago"), now))) == 2


def test_a_time_of_a_day_has_to_be_inside_the_hours(ask: Ask) -> None:
    late = Opening(Day.SUNDAY, 17 * 60)
    assert names(ask(FacilityQuery("pharmacy", opening=late, place="Springfield, Illinois"))) == ["Bluestem Pharmacy"]
    later = Opening(Day.SUNDAY, 18 * 60)
    assert not ask(FacilityQuery("clinic", opening=later, place="Springfield, Illinois")).text.startswith("1 ")


def test_the_weekend_is_either_of_its_days(ask: Ask) -> None:
    answer = ask(FacilityQuery("clinic", opening=Opening(Day.WEEKEND), place="Springfield, Missouri"))
    assert names(answer) == ["Limestone Ridge Clinic"]
    assert "Saturday 09:00–13:00, Sunday closed" in answer.text


def test_facilities_that_do_not_say_when_they_are_open_are_counted_apart(gazetteer: Gazetteer) -> None:
    silent = Facility("A", "Silent", "kiosk", 53.35, -6.26, timezone="Europe/Dublin")
    loud = replace(silent, id="B", name="Loud", opening_hours="24/7")
    query = FacilityQuery("kiosk", opening=SUNDAY, place="Dublin")
    answer = tell(find(query, Directory([silent, loud]), gazetteer, datetime.now(UTC)))
    assert names(answer) == ["Loud"]
    assert answer.text.endswith("1 facility that fits otherwise does not say when it is open.")


def test_an_area_has_no_distances(ask: Ask) -> None:
    answer = ask(FacilityQuery("hospital", place="Germany"))
    assert names(answer) == ["Klinikum Spreebogen", "Klinik Isarhang"]
    assert all("distance_km" not in feature["properties"] for feature in answer.geojson["features"])


def test_one_facility_is_found_by_its_name(ask: Ask) -> None:
    assert names(ask(FacilityQuery(name="nightjar pharmacy"))) == ["Nightjar Pharmacy"]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (FacilityQuery("bakery"), "No facility here is of the kind 'bakery'. The kinds are: "),
        (FacilityQuery(services=("haircut",)), "No facility here offers 'haircut'. The services are: "),
        (FacilityQuery(name="Nowhere Inn"), "No facility here is called 'Nowhere Inn'."),
    ],
)
def test_words_that_the_table_does_not_have_are_said_with_those_it_has(
    ask: Ask, query: FacilityQuery, sentence: str
) -> None:
    assert ask(query).text.startswith(sentence)


def test_nearest_without_a_place_asks_for_one(ask: Ask) -> None:
    answer = ask(FacilityQuery("clinic", nearest=True))
    assert answer.clarification is not None
    assert answer.text == "Near which place?"
    assert 2 <= len(answer.clarification.options) <= 4


def test_an_unknown_place_is_asked_back(ask: Ask) -> None:
    answer = ask(FacilityQuery("clinic", place="Qwertzuiop"))
    assert answer.clarification is not None
    assert answer.text == "No place called 'Qwertzuiop' is known. Which place is it near?"


def test_a_misspelt_place_is_told_before_the_answer(ask: Ask) -> None:
    assert ask(FacilityQuery(place="Berln")).text.startswith("'Berln' is taken for Berlin, Germany.\n")


def test_each_facility_can_be_called_and_travelled_to(ask: Ask) -> None:
    answer = ask(FacilityQuery("pharmacy", place="Dublin"))
    call, directions = answer.actions
    assert call == {
        "type": "call",
        "label": "Call Silver Birch Pharmacy",
        "facility": "F049",
        "phone": "+353 20 911 0113",
        "url": "tel:+353209110113",
    }
    assert directions["type"] == "directions"
    assert (directions["latitude"], directions["longitude"]) == (53.3228, -6.2643)
    assert "to=53.3228%2C-6.2643&from=" in directions["url"]


def test_a_telephone_number_is_dialled_without_its_extension(gazetteer: Gazetteer) -> None:
    facility = Facility("A", "A", "kiosk", 1.5, 1.5, phone="(020) 79-46.0111 ext. 12")
    answer = tell(find(FacilityQuery(), Directory([facility]), gazetteer, datetime.now(UTC)))
    assert answer.actions[0]["url"] == "tel:02079460111"


def test_the_map_is_geojson_with_longitude_first(ask: Ask) -> None:
    collection = ask(FacilityQuery("pharmacy", place="Dublin")).geojson
    (feature,) = collection["features"]
    assert collection["type"] == "FeatureCollection"
    assert feature["geometry"] == {"type": "Point", "coordinates": [-6.2643, 53.3228]}
    assert feature["id"] == "F049"
