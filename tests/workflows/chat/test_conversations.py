"""Conversations over the bundled examples, without a chat model: which way each turn goes, and what it cites."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from docmind.corpus.load.limits import Limits
from docmind.domain.answers import Status
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.settings import ChatSettings, IngestSettings, ModelSettings, Settings
from tests.workflows.chat.conftest import EXAMPLES

SCOPE = Scope("examples")
BOARD, MINUTES = "Board paper: European expansion", "Minutes of the investment committee"
SURVEY, HR, ROADMAP = (
    "Customer survey 2025: results",
    "HR and capacity plan 2026 to 2028",
    "Product roadmap 2026 to 2029",
)
RIVALS, MARKET = "Competitor analysis: high-temperature heat pumps", "Market study: industrial process heat in Europe"
RISKS = "Risk register: Project Heron"
DIRECT, SEARCH, REWRITE = "DIRECT_ANSWER", "RETRIEVE", "REWRITE_THEN_RETRIEVE"
ASK, PLACE = "ASK_CLARIFICATION", "LOCATION_SEARCH"


class Said(NamedTuple):
    message: str
    route: str
    cites: str = ""
    says: str = ""
    replies: tuple[str, ...] = ()
    """What is replied to the questions of the turn."""


CONVERSATIONS: dict[str, list[Said]] = {
    "a pronoun for a thing": [
        Said("When does series delivery of the VT-200 start?", SEARCH, cites=ROADMAP, says="second quarter of 2028"),
        Said("How much budget does it have?", REWRITE),
    ],
    "a pronoun for what the answer named": [
        Said("Who sells a ten-year full service contract?", SEARCH, cites=RIVALS, says="Kaltwerk"),
        Said("What is its price per kilowatt?", REWRITE, RIVALS),
    ],
    "there": [
        Said("What does a third shift in Ostrava require?", SEARCH, cites=HR, says="noise permit"),
        Said("When does production there start?", REWRITE, says="October 2027"),
    ],
    "an ellipsis with another name": [
        Said("How many units a year can the Limerick plant build?", SEARCH, cites=BOARD, says="310"),
        Said("What about Ostrava?", REWRITE),
    ],
    "two ellipses in a row": [
        Said("What is the price per kilowatt of a Kaltwerk heat pump?", SEARCH, cites=RIVALS),
        Said("And Nakagiri?", REWRITE),
        Said("And Varmoor?", REWRITE),
    ],
    "a condition carried over": [
        Said("What happens to the return of Project Heron if unit prices fall by 5 percent?", SEARCH),
        Said("and if the ramp-up slips by two quarters?", REWRITE, BOARD, "12.1"),
    ],
    "another number": [
        Said("What happens to the return of Project Heron if unit prices fall by 5 percent?", SEARCH),
        Said("what about 10?", REWRITE),
    ],
    "a correction": [
        Said(
            "How long does a stronger grid connection take in the Netherlands?", SEARCH, cites=MARKET, says="34 months"
        ),
        Said("No, I meant France", REWRITE),
    ],
    "a bare question word": [
        Said("By when must the VT-200 test rig be ordered?", SEARCH, cites=MINUTES, says="30 April 2026"),
        Said("By whom?", REWRITE),
    ],
    "why, where the documents say it": [
        Said("Does the HR plan recommend to open the position of plant manager early?", SEARCH, cites=HR),
        Said("Why should the positions be opened in April 2026?", REWRITE, HR, "because"),
    ],
    "sources that disagree": [
        Said("What is the capital budget of Project Heron?", SEARCH, cites=MINUTES, says="The sources disagree"),
    ],
    "a change of topic, and back": [
        Said("What is the longest delivery time that customers accept?", SEARCH, cites=SURVEY, says="26 weeks"),
        Said("Who abstained from resolution IC-2026-07?", SEARCH, cites=MINUTES, says="Okonjo"),
        Said("Back to the market study: which countries should Varmoor enter first?", SEARCH, cites=MARKET),
    ],
    "what was not answered is taken up": [
        Said("How much budget does the VT-300 have?", SEARCH),
        Said("Who is responsible for it?", REWRITE),
    ],
    "where it is written": [
        Said("Who sells a ten-year full service contract?", SEARCH, cites=RIVALS, says="21 weeks"),
        Said("Where does it say that?", DIRECT, cites=RIVALS, says="21 weeks"),
    ],
    "a follow-up that the sources answer": [
        Said("What is the price of Nakagiri?", SEARCH, cites=RIVALS, says="540"),
        Said("and Kaltwerk?", REWRITE, RIVALS, "655"),
    ],
    "courtesies": [
        Said("hello", DIRECT, says="Ask me anything"),
        Said(
            "What net debt covenant comes with the loan from Shannon Mercantile Bank?", SEARCH, cites=BOARD, says="2.5"
        ),
        Said("thanks!", DIRECT, says="You’re welcome."),
        Said("How many units a year can the Limerick plant build?", REWRITE, cites=BOARD, says="310"),
    ],
    "out of scope, and it stays so": [
        Said(
            "Who won the world cup in 1998?",
            SEARCH,
            says="do not give a reliable answer",
            replies=("football", "France"),
        ),
    ],
    "nothing to point to": [
        Said("What does it cost?", ASK, cites=BOARD, replies=("1",)),
    ],
    "nothing said": [Said("Can you tell me more?", ASK)],
    "places": [
        Said("clinics open on Sunday near Springfield with vaccination", PLACE, says="Lincoln Row", replies=("1",)),
        Said("what about on Monday?", PLACE, says="Monday 08:30–17:30"),
        Said("and pharmacies?", PLACE, says="Bluestem Pharmacy"),
        Said("By when must the VT-200 test rig be ordered?", SEARCH, says="30 April 2026"),
    ],
    "a place and a paper": [
        Said("Where is the Lincoln Row Clinic?", PLACE, says="420 E Adams St"),
        Said("Where is the new plant built?", SEARCH),
    ],
}


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    """Half as many passages as elsewhere: reading them is what takes the time."""
    chosen = Settings(
        data_dir=tmp_path_factory.mktemp("examples"),
        models=ModelSettings(embedder="static"),
        ingest=IngestSettings(workers=1),
        chat=ChatSettings(passages=4),
    )
    with DocMind(chosen) as engine:
        engine.ingest([EXAMPLES / "strategy"], SCOPE)
        engine.facilities.import_table(EXAMPLES / "facilities" / "facilities.csv", SCOPE, Limits())
        yield engine


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_every_turn_of_a_conversation_goes_its_way(examples: DocMind, name: str) -> None:
    for turn in CONVERSATIONS[name]:
        result = examples.run(turn.message, SCOPE, workflow="chat", thread=name)
        for reply in turn.replies:
            assert result.status is Status.NEEDS_CLARIFICATION, result.answer
            result = examples.resume(result.run_id, SCOPE, reply)
        assert result.trace[0].decision == turn.route, turn.message
        assert turn.says in result.answer
        assert not turn.cites or turn.cites in {citation.title for citation in result.citations}


@pytest.mark.parametrize(
    ("question", "says"),
    [("Which competitor delivers fastest?", "Kaltwerk"), ("What is the hurdle rate?", "11 percent")],
)
def test_a_plain_question_in_the_papers_words_is_answered(examples: DocMind, question: str, says: str) -> None:
    assert says in examples.run(question, SCOPE, workflow="chat", thread=question).answer


def test_why_is_not_answered_with_what_was_just_said(examples: DocMind) -> None:
    first = examples.run("Who sells a ten-year full service contract?", SCOPE, workflow="chat", thread="why")
    second = examples.run("Why?", SCOPE, workflow="chat", thread="why")
    assert second.answer != first.answer
    if second.status is Status.NEEDS_CLARIFICATION:
        assert second.clarification is not None
        assert second.clarification.question.startswith("I found no reliable answer to “Why?”")


@pytest.mark.parametrize("conversational", [True, False])
def test_an_answer_that_sources_disagree_on_names_both_and_is_half_believed(
    examples: DocMind, conversational: bool
) -> None:
    question = "What is the capital budget of Project Heron?"
    result = examples.run(question, SCOPE, workflow="chat", conversational=conversational)
    assert result.status is Status.CAVEAT
    assert f"“{BOARD}” says EUR 42.0 million" in result.answer
    assert f"“{MINUTES}” says EUR 47.5 million" in result.answer
    assert result.confidence < 0.6  # it was nearly certain without the other


def test_every_turn_of_a_thread_can_be_replayed(examples: DocMind) -> None:
    for message in ("Who sells a ten-year full service contract?", "What is its price per kilowatt?", "And Nakagiri?"):
        examples.run(message, SCOPE, workflow="chat", thread="replayed")
    asked = examples.run("clinics near Springfield", SCOPE, workflow="chat", thread="replayed")
    examples.resume(asked.run_id, SCOPE, "2")
    for run in examples.find_thread("replayed", SCOPE).runs:
        assert examples.replay(run.id, SCOPE).difference is None
