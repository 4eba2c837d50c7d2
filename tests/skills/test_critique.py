"""A draft is criticised by the local checks and by a judging model, and pays for careless citing."""

import asyncio
import json
from statistics import fmean
from typing import Any

import pytest

from docmind.domain.documents import Passage, Span
from docmind.domain.limits import StrategyLimits
from docmind.models.chat.recording import ScriptedChat
from docmind.models.reader import Reader
from docmind.quality.grounding import Grounder
from docmind.skills.critique import Criticised, criticise

TEXT = "Travel above EUR 500 needs the approval of the head of department. Receipts are kept for ten years."
PASSAGES = [Passage("chunk_1", "d1", 0, Span(0, len(TEXT)), TEXT)]
CITED = "Receipts are kept for ten years [chunk_1]."
ADDED = "Receipts are kept for ten years after payment [chunk_1]."
"""The local checks let it pass, though not for certain."""
ALTERED = "Receipts are kept for six years [chunk_1]."
UNCITED = "Travel above EUR 500 needs the approval of the head of department."
NOWHERE = "Receipts are kept for ten years [chunk_9]."


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    return Grounder(Reader())


def found(grounder: Grounder, draft: str, said: object = None, **given: Any) -> Criticised:
    chat = None if said is None else ScriptedChat([said if isinstance(said, str) else json.dumps(said)] * 2)
    return asyncio.run(criticise("What is the rule?", draft, PASSAGES, grounder, StrategyLimits(), chat, **given))


def verdict(confidence: float, **more: object) -> dict[str, object]:
    return {"confidence": confidence, "hallucination_detected": False, **more}


@pytest.mark.parametrize(
    ("uncited", "factor", "retry"),
    [
        (0, 1.0, False),
        (1, 0.97, False),
        (4, 0.88, False),
        (5, 0.85, True),
        (13, 0.61, True),
        (14, 0.60, True),
        (30, 0.60, True),
    ],
)
def test_each_uncited_sentence_takes_three_percent_and_forty_at_most(
    grounder: Grounder, uncited: int, factor: float, retry: bool
) -> None:
    critique = found(grounder, " ".join([CITED, *[UNCITED] * uncited]), verdict(0.8)).critique
    assert critique["confidence"] == pytest.approx(0.8 * factor, abs=1e-4)
    assert critique["needs_retry"] is retry
    assert bool(critique["penalties"]) is bool(uncited)


def test_a_citation_that_leads_nowhere_halves_the_confidence_on_top(grounder: Grounder) -> None:
    critique = found(grounder, f"{CITED} {UNCITED} {NOWHERE}").critique
    unpenalised = fmean([0.99, 0.99, 0.5])
    assert critique["confidence"] == pytest.approx(unpenalised * 0.97 * 0.5, abs=1e-4)
    assert critique["invalid_citations"] == ["chunk_9"]
    assert critique["penalties"] == [
        "1 sentence cites nothing: confidence lowered by 3%.",
        "1 citation leads nowhere: confidence multiplied by 0.5.",
    ]


def test_hedges_need_no_citation_and_are_gaps(grounder: Grounder) -> None:
    critique = found(grounder, f"{CITED} Insufficient evidence on hotels.").critique
    assert critique["uncited_sentences"] == []
    assert critique["logical_gaps"] == ["Insufficient evidence on hotels."]


def test_a_gap_is_the_question_that_a_hedge_quotes(grounder: Grounder) -> None:
    critique = found(
        grounder, f"{CITED} The documents found do not answer the question “Who pays for hotels?”."
    ).critique
    assert critique["logical_gaps"] == ["Who pays for hotels?"]


def test_a_gap_is_worth_one_more_look(grounder: Grounder) -> None:
    draft = f"{CITED} Insufficient evidence on hotels."
    assert found(grounder, draft, look_again=True).critique["needs_retry"]
    assert not found(grounder, draft, look_again=False).critique["needs_retry"]


@pytest.mark.parametrize(
    ("parts", "share"), [(["Who pays for hotels?"], 0.5), (["Who pays for hotels?", "How long?"], 0.75)]
)
def test_a_part_of_the_question_that_is_left_open_halves_what_it_counts_for(
    grounder: Grounder, parts: list[str], share: float
) -> None:
    draft = f"{CITED} The documents found do not answer the question “Who pays for hotels?”."
    critique = found(grounder, draft, parts=parts, look_again=False).critique
    assert critique["confidence"] == pytest.approx(found(grounder, CITED).critique["confidence"] * share, abs=1e-3)
    assert critique["penalties"] == [f"Part of the question is left open: confidence lowered by {1 - share:.0%}."]


@pytest.mark.parametrize(("ratio", "lost"), [(1.0, False), (0.35, False), (0.34, True)])
def test_evidence_lost_in_compression_is_a_gap_that_needs_a_retry(grounder: Grounder, ratio: float, lost: bool) -> None:
    critique = found(grounder, CITED, ratio=ratio, look_again=False).critique
    assert critique["needs_retry"] is lost
    assert critique["logical_gaps"] == (["Only 34% of the evidence fitted into the prompt."] if lost else [])


def test_a_judging_model_cannot_acquit_what_code_is_certain_of(grounder: Grounder) -> None:
    critique = found(grounder, ALTERED, verdict(0.95)).critique
    assert critique["hallucination_detected"]
    assert critique["unsupported_claims"] == ["Receipts are kept for six years."]
    assert critique["confidence"] < 0.65


def test_a_judging_model_says_how_sure_it_is_where_the_local_checks_find_nothing_wrong(grounder: Grounder) -> None:
    assert found(grounder, ADDED, verdict(0.95)).critique["confidence"] == 0.95
    assert found(grounder, ADDED, verdict(0.6)).critique["confidence"] == 0.6


def test_a_judging_model_may_condemn_what_the_local_checks_pass(grounder: Grounder) -> None:
    assert not found(grounder, ADDED).critique["hallucination_detected"]
    said = verdict(
        0.58, hallucination_detected=True, unsupported_claims=[ADDED.partition(" [")[0]], logical_gaps=["hotels"]
    )
    critique = found(grounder, ADDED, said).critique
    assert critique["hallucination_detected"]
    assert critique["unsupported_claims"] == ["Receipts are kept for ten years after payment."]
    assert critique["logical_gaps"] == ["hotels"]


def test_a_judging_model_that_names_no_claim_and_believes_nothing_doubts_all(grounder: Grounder) -> None:
    critique = found(grounder, f"{ADDED} {CITED}", verdict(0.2)).critique
    assert critique["unsupported_claims"] == ["Receipts are kept for ten years after payment."]


def test_a_judging_model_that_makes_no_sense_leaves_the_local_checks(grounder: Grounder) -> None:
    criticised = found(grounder, CITED, "I like it.")
    assert criticised.critique["confidence"] > 0.9
    assert criticised.note.startswith("Only the local checks judged it.")


@pytest.mark.parametrize(
    "named",
    [UNCITED, f"{UNCITED} [chunk_1]", "the approval of the head of department", "Receipts are kept for ten years."],
)
def test_a_judging_model_that_calls_a_sentence_of_the_passages_wrong_is_not_believed(
    grounder: Grounder, named: str
) -> None:
    said = verdict(0.1, hallucination_detected=True, unsupported_claims=[ADDED, named], logical_gaps=["hotels"])
    criticised = found(grounder, ADDED, said)
    assert criticised.critique == found(grounder, ADDED).critique
    assert criticised.note == "Only the local checks judged it: scripted calls a sentence of the passages wrong."


def test_the_answer_that_is_judged_begins_and_ends_with_a_sentence_of_the_passages(grounder: Grounder) -> None:
    chat = ScriptedChat([json.dumps(verdict(0.9))])
    asyncio.run(criticise("What is the rule?", ADDED, PASSAGES, grounder, StrategyLimits(), chat))
    answer = chat.requests[0][-1].content.rpartition("Answer:\n")[2]
    assert answer.splitlines() == [f"{UNCITED} [chunk_1]", ADDED, "Receipts are kept for ten years. [chunk_1]"]


@pytest.mark.parametrize(
    ("draft", "asked"), [(CITED, False), (f"{CITED} {ADDED}", True), (ALTERED, True), ("Insufficient evidence.", True)]
)
def test_a_draft_that_only_quotes_need_not_be_judged_by_a_model(grounder: Grounder, draft: str, asked: bool) -> None:
    chats = ScriptedChat([json.dumps(verdict(0.6))]), ScriptedChat([json.dumps(verdict(0.6))])
    for chat, limits in zip(chats, (StrategyLimits(judge_quotes=False), StrategyLimits()), strict=True):
        asyncio.run(criticise("What is the rule?", draft, PASSAGES, grounder, limits, chat))
    assert [chat.calls for chat in chats] == [int(asked), 1]


@pytest.mark.parametrize("draft", ["", "Insufficient evidence on hotels."])
def test_a_draft_that_asserts_nothing_has_no_confidence(grounder: Grounder, draft: str) -> None:
    critique = found(grounder, draft, look_again=False).critique
    assert (critique["confidence"], critique["needs_retry"]) == (0.0, True)
