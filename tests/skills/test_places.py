"""A request in plain words becomes the query it means, with a chat model and without."""

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.corpus.facilities import Day, FacilityQuery, Opening
from docmind.corpus.facilities.directory import Directory
from docmind.corpus.facilities.table_import import check_rows, read_rows
from docmind.corpus.load.limits import Limits
from docmind.models.chat.recording import ScriptedChat
from docmind.skills.places import by_words, hear, prompt, read_request

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "facilities" / "facilities.csv"
REQUEST = "clinics open on Sunday near Springfield with vaccination"
READ = FacilityQuery("clinic", ("vaccination",), Opening(Day.SUNDAY), "Springfield")


@pytest.fixture(scope="session")
def directory() -> Directory:
    return Directory(check_rows(read_rows(EXAMPLES.read_bytes(), EXAMPLES.name, Limits())).facilities)


@pytest.mark.parametrize(
    ("request_", "query"),
    [
        (REQUEST, READ),
        ("Where can I get a flu shot in Berlin?", FacilityQuery(services=("flu jab",), place="Berlin")),
        ("blood test around 62701", FacilityQuery(services=("blood test",), place="62701")),
        ("labs near 39.80, -89.64", FacilityQuery("laboratory", place="39.80, -89.64")),
        ("hospitals in Germany", FacilityQuery("hospital", place="Germany")),
        ("emergency room near Manchster", FacilityQuery(services=("emergency",), place="Manchster")),
        ("Pharmacy Munich", FacilityQuery("pharmacy", place="Munich")),
        ("travel vaccination near NW1 2AA", FacilityQuery(services=("travel vaccination",), place="NW1 2AA")),
        ("show me clinics", FacilityQuery("clinic")),
        (
            "physiotherapist in springfield, massachusetts",
            FacilityQuery("physiotherapy", place="springfield, massachusetts"),
        ),
        ("drug store near springfield, missouri, please", FacilityQuery("pharmacy", place="springfield, missouri")),
        ("I am in The Hague, is there a clinic?", FacilityQuery("clinic", place="The Hague")),
        ("a doctor in the morning in Lyon", FacilityQuery("clinic", place="Lyon")),
        (
            "Are there clinics with general practice and blood test in Chicago?",
            FacilityQuery("clinic", ("general practice", "blood test"), place="Chicago"),
        ),
    ],
)
def test_kind_services_and_place_are_read_from_plain_words(
    directory: Directory, request_: str, query: FacilityQuery
) -> None:
    assert by_words(request_, directory) == query


def test_a_word_that_is_kind_and_service_is_a_service_where_it_is_offered(directory: Directory) -> None:
    read = by_words("clinics with physiotherapy in Boston", directory)
    assert (read.kind, read.services) == ("clinic", ("physiotherapy",))
    assert by_words("physiotherapy in Boston", directory).kind == "physiotherapy"


@pytest.mark.parametrize(
    ("request_", "opening"),
    [
        ("clinics open now", Opening(Day.NOW)),
        ("Which clinics are open in Cambridge, MA?", Opening(Day.NOW)),
        ("I need a dentist tomorrow", Opening(Day.TOMORROW)),
        ("pharmacy open at 9pm in paris", Opening(Day.TODAY, 21 * 60)),
        ("clinic open on Mondays at 17:30", Opening(Day.MONDAY, 17 * 60 + 30)),
        ("pharmacy open tonight", Opening(Day.TODAY, 20 * 60)),
        ("a 24/7 pharmacy", Opening(Day.TODAY, 3 * 60)),
        ("clinics open on weekends", Opening(Day.WEEKEND)),
        ("vaccination on thurs", Opening(Day.THURSDAY)),
        ("clinics in Dublin", None),
        ("What are the opening hours of Nightjar Pharmacy?", None),
    ],
)
def test_when_it_has_to_be_open_is_read(directory: Directory, request_: str, opening: Opening | None) -> None:
    assert by_words(request_, directory).opening == opening


@pytest.mark.parametrize(
    ("request_", "radius_km"),
    [
        ("clinics within 10 km of Boston", 10),
        ("clinics within 5 miles of Boston", 8.04672),
        ("pharmacy within 800 m of Boston", 0.8),
        ("clinics near Boston", None),
    ],
)
def test_how_far_it_may_be_is_read(directory: Directory, request_: str, radius_km: float | None) -> None:
    read = by_words(request_, directory)
    assert read.radius_km == (radius_km and pytest.approx(radius_km))
    assert read.place == "Boston"


@pytest.mark.parametrize("request_", ["nearest pharmacy", "Is there a hospital near me?", "closest clinic to my home"])
def test_near_me_names_no_place(directory: Directory, request_: str) -> None:
    read = by_words(request_, directory)
    assert (read.place, read.nearest) == ("", True)


def test_one_facility_is_known_by_its_name(directory: Directory) -> None:
    assert by_words("phone number of Harborlight Hospital", directory) == FacilityQuery(name="Harborlight Hospital")


def test_misspelt_kinds_are_understood(directory: Directory) -> None:
    assert by_words("pharmcies and labratory", directory).kind == "pharmacy"


@given(text=st.text(max_size=120))
def test_any_text_can_be_read(text: str, directory: Directory) -> None:
    assert isinstance(by_words(text, directory), FacilityQuery)


def test_what_the_chat_model_says_is_used(directory: Directory) -> None:
    said = {"kind": "clinic", "services": ["vaccination"], "day": "sunday", "time": "10:30", "place": "Springfield"}
    chat = ScriptedChat([json.dumps(said)])
    read = asyncio.run(read_request(REQUEST, hear(REQUEST, directory), chat))
    assert read == (FacilityQuery("clinic", ("vaccination",), Opening(Day.SUNDAY, 630), "Springfield"), "")
    assert REQUEST in chat.requests[0][-1].content


def test_the_chat_model_is_told_the_words_of_the_table(directory: Directory) -> None:
    told = prompt(REQUEST, hear(REQUEST, directory))[0].content
    assert "vaccination centre" in told
    assert "blood test" in told


def test_a_kind_that_the_model_made_up_is_not_used(directory: Directory) -> None:
    read = asyncio.run(read_request(REQUEST, hear(REQUEST, directory), ScriptedChat([json.dumps({"kind": "spa"})])))
    assert read.query == READ
    assert read.note == "The request was read by rules instead. The model scripted made up 'spa'."


def test_garbage_twice_is_read_by_words_with_a_note(directory: Directory) -> None:
    read = asyncio.run(read_request(REQUEST, hear(REQUEST, directory), ScriptedChat(["hm", "{no"])))
    assert read.query == READ
    assert "gave no usable reply" in read.note


def test_without_a_chat_model_words_decide(directory: Directory) -> None:
    assert asyncio.run(read_request(REQUEST, hear(REQUEST, directory))) == (READ, "")


def test_a_name_that_the_sentence_does_not_resemble_is_made_up(directory: Directory) -> None:
    near, far = (json.dumps({"name": name}) for name in ("Harborlight Hospital", "Lincoln Row Clinic"))
    asked = "Is the Harborlight open?"
    heard = hear(asked, directory)
    assert asyncio.run(read_request(asked, heard, ScriptedChat([near]))).query.name == "Harborlight Hospital"
    assert "made up" in asyncio.run(read_request(asked, heard, ScriptedChat([far]))).note
