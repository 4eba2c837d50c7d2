"""What a message needs, read from its words and from what was said before."""

import asyncio
import json
from collections.abc import Callable

import pytest

from docmind.corpus.facilities import Facility
from docmind.corpus.facilities.directory import Directory
from docmind.domain.search import Hit
from docmind.models.chat.recording import ScriptedChat
from docmind.quality.grounding import Grounder
from docmind.skills.dialogue import History, Turn
from docmind.skills.extract.statement_scorer import StatementScorer
from docmind.skills.places import FacilityContext, hear
from docmind.skills.route import Decision, Routed, ShownSources, by_reading, route

FindHits = Callable[..., list[Hit]]
TABLE = Directory((
    Facility("1", "Lincoln Row Clinic", "clinic", 39.8, -89.6, ("vaccination",), city="Springfield", region="Illinois"),
    Facility("2", "Bluestem Pharmacy", "pharmacy", 39.8, -89.6, ("flu jab",), city="Springfield", region="Illinois"),
))  # fmt: skip
RECEIPTS = Turn("How long are receipts kept?", "Receipts are kept for ten years.")


@pytest.fixture
def shown(find_hits: FindHits, grounder: Grounder, scorer: StatementScorer) -> ShownSources:
    return ShownSources(
        find_hits("Receipts are kept for ten years. Receipts are scanned on arrival."), grounder, scorer
    )


@pytest.fixture
def nothing(shown: ShownSources) -> ShownSources:
    return shown._replace(hits=())


@pytest.mark.parametrize(
    ("message", "decision"),
    [
        ("How long are receipts kept?", Decision.RETRIEVE),
        ("How long are they kept?", Decision.ASK_CLARIFICATION),
        ("and in 2024?", Decision.ASK_CLARIFICATION),
        ("Can you tell me more?", Decision.ASK_CLARIFICATION),
        ("2", Decision.ASK_CLARIFICATION),
        ("When is Ann Birkbeck packing it in?", Decision.RETRIEVE),
        ("Does this animal have antlers?", Decision.ASK_CLARIFICATION),
        ("clinics near Springfield", Decision.LOCATION_SEARCH),
        ("Where can I get a flu shot?", Decision.LOCATION_SEARCH),
        ("Is there a pharmacy open on Sunday?", Decision.LOCATION_SEARCH),
        ("What is the phone number of the Lincoln Row Clinic?", Decision.LOCATION_SEARCH),
        ("Where is the new plant built?", Decision.RETRIEVE),
        ("How much did the clinic project cost in 2021?", Decision.RETRIEVE),
    ],
)
def test_a_first_message_is_routed_by_its_words(message: str, decision: Decision, nothing: ShownSources) -> None:
    assert by_reading(message, History(), nothing, hear(message, TABLE)).decision is decision


@pytest.mark.parametrize(
    ("message", "decision"),
    [
        ("And invoices?", Decision.REWRITE_THEN_RETRIEVE),
        ("Who signs them?", Decision.REWRITE_THEN_RETRIEVE),
        ("When are they scanned?", Decision.DIRECT_ANSWER),
        ("Where does it say that?", Decision.DIRECT_ANSWER),
        ("Who approves travel?", Decision.RETRIEVE),
        ("Where is this language spoken?", Decision.ASK_CLARIFICATION),
        ("Who signs those receipts?", Decision.REWRITE_THEN_RETRIEVE),
    ],
)
def test_a_later_message_is_routed_by_what_it_leans_on(message: str, decision: Decision, shown: ShownSources) -> None:
    assert by_reading(message, History((RECEIPTS,)), shown, hear(message, TABLE)).decision is decision


def test_an_answer_that_was_just_given_is_no_answer_to_a_follow_up(shown: ShownSources) -> None:
    assert not shown.answers("How long are receipts kept?", RECEIPTS.answer + " They are scanned on arrival.")


@pytest.mark.parametrize("message", ["only those open on Sunday", "and pharmacies?", "what about in Boston?"])
def test_after_places_a_fragment_is_about_places(message: str, nothing: ShownSources) -> None:
    history = History((Turn("clinics near Springfield", "1 facility fits."),))
    route = by_reading(message, history, nothing, hear(message, TABLE), about_places=True)
    assert route.decision is Decision.LOCATION_SEARCH


def test_without_a_table_only_plain_words_for_nearness_look_for_a_place(nothing: ShownSources) -> None:
    nowhere = FacilityContext()
    assert by_reading("Where is the nearest clinic?", History(), nothing, nowhere).decision is Decision.LOCATION_SEARCH
    assert by_reading("Which clinics opened in 2021?", History(), nothing, nowhere).decision is Decision.RETRIEVE


def asked(message: str, history: History, shown: ShownSources, *lines: str) -> Routed:
    return asyncio.run(route(message, history, shown, hear(message, TABLE), ScriptedChat(lines)))


def test_a_chat_model_decides_within_what_there_is(shown: ShownSources, nothing: ShownSources) -> None:
    direct = json.dumps({"decision": "DIRECT_ANSWER", "reason": "It was shown."})
    assert asked("And?", History((RECEIPTS,)), shown, direct).route.decision is Decision.DIRECT_ANSWER
    assert asked("And?", History((RECEIPTS,)), nothing, direct).route.decision is Decision.RETRIEVE
    rewrite = json.dumps({"decision": "REWRITE_THEN_RETRIEVE"})
    assert asked("Receipts?", History(), nothing, rewrite).route.decision is Decision.RETRIEVE


def test_a_chat_model_that_takes_any_where_for_a_place_is_not_followed(nothing: ShownSources) -> None:
    place = json.dumps({"decision": "LOCATION_SEARCH"})
    assert asked("Where is the plant built?", History(), nothing, place).route.decision is Decision.RETRIEVE
    assert asked("I need a clinic", History(), nothing, place).route.decision is Decision.LOCATION_SEARCH


def test_a_chat_model_that_decides_for_nothing_there_is_leaves_it_to_the_words(shown: ShownSources) -> None:
    routed = asked("And invoices?", History((RECEIPTS,)), shown, '{"decision": "SLEEP"}', "{}")
    assert routed.route.decision is Decision.REWRITE_THEN_RETRIEVE
    assert routed.note.startswith("The way was chosen by rules instead.")
