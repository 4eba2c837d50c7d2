"""Every edge of both diagrams, every counter and every limit, on the real graph with a chat model that plays a part."""

from typing import Any

import pytest

from docmind.domain.answers import RunUsage, Status
from docmind.skills.judge import Opinion, judge_by_both
from docmind.skills.nearest import NO_RELIABLE_ANSWER
from docmind.workflows.chat import nodes, validation
from docmind.workflows.chat.graph import build_chat_graph, build_simple_graph
from docmind.workflows.chat.result import result_of
from tests.workflows.chat.conftest import Begin, Playing, path

QUESTION = "How long are receipts kept?"
ALL, NONE = [0.9] * 4, [0.1] * 4
RIGHT, WRONG = "Receipts are kept for ten years [1].", "Receipts are kept for six years in a vault in Vienna [1]."
ROUND = ["retrieve", "grade", "generate", "validate"]


def drawn(graph: object) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in graph.get_graph().edges}  # type: ignore[attr-defined]


def test_the_conversation_is_wired_as_it_is_drawn() -> None:
    assert drawn(build_chat_graph()) == {
        ("__start__", "router"),
        *(("router", node) for node in ("generate", "retrieve", "rewrite", "clarify", "location")),
        ("rewrite", "retrieve"),
        ("clarify", "retrieve"),
        ("retrieve", "grade"),
        *(("grade", node) for node in ("generate", "rewrite_retry", "generate_caveat")),
        ("rewrite_retry", "retrieve"),
        ("generate", "validate"),
        ("generate_caveat", "validate"),
        *(("validate", node) for node in ("__end__", "rewrite_final", "clarify_final")),
        ("rewrite_final", "retrieve"),
        ("clarify_final", "retrieve"),
        ("location", "__end__"),
    }


def test_simple_mode_is_wired_as_it_is_drawn() -> None:
    assert drawn(build_simple_graph()) == {
        ("__start__", "classify"),
        ("classify", "retrieve"),
        ("classify", "location"),
        ("retrieve", "rerank"),
        ("rerank", "generate"),
        ("generate", "__end__"),
        ("location", "__end__"),
    }


def test_a_factual_question_is_retrieved_graded_answered_and_validated(begin: Begin) -> None:
    state = begin(Playing(["RETRIEVE"], grades=[ALL], drafts=[RIGHT])).say(QUESTION)
    assert path(state) == ["router", *ROUND]
    assert (state["final_answer"], state["route_decision"], state["retry_count"]) == (RIGHT, "RETRIEVE", 0)
    assert [source["source"] for source in state["sources"]] == ["papers/receipts.md"]
    assert state["confidence"] > 0.5
    assert [message.type for message in state["messages"]] == ["human", "ai"]


def test_a_rewrite_that_the_router_asks_for_is_no_retry(begin: Begin) -> None:
    playing = Playing(
        ["RETRIEVE", "REWRITE_THEN_RETRIEVE"],
        [f"{QUESTION} In the archive?"],
        grades=[ALL, ALL],
        drafts=[RIGHT, RIGHT],
    )
    talk = begin(playing)
    talk.say("What about receipts?")
    state = talk.say("How long are they kept?")
    assert path(state) == ["router", "rewrite", *ROUND]
    assert (state["rewritten_query"], state["retry_count"]) == (f"{QUESTION} In the archive?", 0)


def test_too_few_relevant_passages_are_looked_for_from_two_more_sides_then_answered_with_a_caveat(begin: Begin) -> None:
    playing = Playing(
        ["RETRIEVE"],
        queries=["retention of receipts", "ten years"],
        grades=[NONE, NONE, [0.9, *NONE[1:]]],
        drafts=[RIGHT],
    )
    state = begin(playing).say(QUESTION)
    again = ["retrieve", "grade"]
    assert path(state) == [
        "router", *again, "rewrite_retry", *again, "rewrite_retry", *again, "generate_caveat", "validate",
    ]  # fmt: skip
    assert (state["retry_count"], state["final_answer"]) == (2, RIGHT)
    assert state["queries"] == [QUESTION, "retention of receipts", "ten years"]
    assert state["caveat"] == "Only one passage about this was found."


def test_three_relevant_passages_are_enough_and_all_of_fewer_are(begin: Begin) -> None:
    enough = Playing(["RETRIEVE"], grades=[[0.71, 0.71, 0.71, 0.1]], drafts=[RIGHT])
    assert "generate" in path(begin(enough).say(QUESTION))
    at_the_threshold = Playing(["RETRIEVE"], grades=[[0.9, 0.9, 0.7, 0.7], ALL], queries=["x"], drafts=[RIGHT])
    assert "rewrite_retry" in path(begin(at_the_threshold).say(QUESTION))
    fewer = Playing(["RETRIEVE"], grades=[[0.9, 0.9]], drafts=[RIGHT])
    assert "rewrite_retry" not in path(begin(fewer, passages=2).say(QUESTION))


def test_a_draft_that_is_not_grounded_is_looked_for_from_another_side(begin: Begin) -> None:
    playing = Playing(["RETRIEVE"], queries=["retention"], grades=[ALL, ALL], drafts=[WRONG, RIGHT])
    talk = begin(playing)
    state = talk.say(QUESTION)
    assert path(state) == ["router", *ROUND, "rewrite_final", *ROUND]
    assert (state["final_answer"], state["retry_count"]) == (RIGHT, 1)
    assert talk.chat is not None
    assert "six years" in talk.chat.requests[-1][-1].content


def test_retries_of_grading_and_validation_are_counted_together(begin: Begin) -> None:
    playing = Playing(["RETRIEVE"], queries=["a", "b"], grades=[NONE, ALL, NONE], drafts=[WRONG, WRONG])
    talk = begin(playing)
    state = talk.say(QUESTION)
    assert path(state) == [
        "router", "retrieve", "grade", "rewrite_retry", *ROUND, "rewrite_final", "retrieve", "grade",
        "generate_caveat", "validate",
    ]  # fmt: skip
    assert state["retry_count"] == 2
    assert talk.asked is not None
    assert state["final_answer"] is None


def test_a_person_is_asked_when_retries_are_spent_and_the_counter_starts_anew_with_the_reply(begin: Begin) -> None:
    talk = begin(Playing(["RETRIEVE"], grades=[ALL] * 4, drafts=[WRONG, WRONG, WRONG, RIGHT]))
    state = talk.say(QUESTION)
    assert path(state) == ["router", *ROUND, "rewrite_final", *ROUND, "rewrite_final", *ROUND]
    assert talk.asked is not None
    assert talk.asked["type"] == "clarification"
    assert talk.asked["question"] == state["needs_clarification"]
    assert 2 <= len(talk.asked["options"]) <= 4
    state = talk.say("those in the archive")
    assert path(state)[-5:] == ["clarify_final", *ROUND]
    assert state["question"] == "How long are receipts kept (those in the archive)?"
    assert (state["retry_count"], state["clarifications"], state["needs_clarification"]) == (0, 1, None)
    assert state["final_answer"] == RIGHT.replace("[1]", "[2]")


def test_a_turn_asks_twice_at_most_and_then_says_that_it_has_no_answer(begin: Begin) -> None:
    talk = begin(Playing(["RETRIEVE"], grades=[ALL] * 9, drafts=[WRONG] * 9))
    talk.say(QUESTION)
    talk.say("the first")
    state = talk.say("the second")
    assert talk.asked is None
    assert (state["final_answer"], state["clarifications"]) == (validation.NO_ANSWER, 2)
    assert path(state).count("validate") == 9


@pytest.mark.parametrize("reply", ["none of these", "never mind", "No, thanks."])
def test_whoever_has_nothing_to_add_is_not_asked_again(begin: Begin, reply: str) -> None:
    talk = begin()
    talk.say("Who composed the opera about Vienna?")
    assert talk.asked is not None
    assert talk.asked["gave_up"]
    assert talk.say(reply)["final_answer"] == validation.NO_ANSWER


def test_what_is_taken_as_known_and_not_found_is_asked_about(begin: Begin) -> None:
    talk = begin()
    talk.say("When was the basketball player born?")
    assert talk.asked is not None
    assert talk.asked["question"].endswith("Which basketball player do you mean?")
    assert not talk.asked["gave_up"]


def test_an_unclear_message_is_asked_about_before_anything_is_searched(begin: Begin) -> None:
    talk = begin(Playing(["ASK_CLARIFICATION"], grades=[ALL], drafts=[RIGHT]))
    assert path(talk.say("How long are they kept?")) == ["router"]
    assert talk.asked is not None
    number = str(talk.asked["options"].index("Receipts") + 1)
    state = talk.say(number)
    assert path(state) == ["router", "clarify", *ROUND]
    assert state["question"] == "How long are they kept (Receipts)?"


def test_a_follow_up_is_answered_from_the_sources_already_shown(begin: Begin) -> None:
    playing = Playing(
        ["RETRIEVE", "DIRECT_ANSWER"],
        ["When are receipts scanned?"],
        grades=[ALL],
        drafts=[RIGHT, "They are scanned on arrival [1]."],
    )
    talk = begin(playing)
    talk.say(QUESTION)
    state = talk.say("When are they scanned?")
    assert path(state) == ["router", "generate", "validate"]
    assert state["final_answer"] == "They are scanned on arrival [1]."
    assert [doc["source"] for doc in state["retrieved_docs"]] == ["papers/receipts.md"]


def test_a_direct_answer_without_sources_becomes_a_search(begin: Begin) -> None:
    state = begin(Playing(["DIRECT_ANSWER"], grades=[ALL], drafts=[RIGHT])).say(QUESTION)
    assert path(state) == ["router", *ROUND]
    assert state["route_decision"] == "RETRIEVE"


def test_a_place_is_found_and_the_turn_ends(begin: Begin) -> None:
    state = begin().say("Which clinics near Springfield, Illinois offer vaccination?")
    assert path(state) == ["router", "location"]
    assert "Lincoln Row Clinic" in (state["final_answer"] or "")
    assert state["facilities"] is not None
    assert state["facilities"]["actions"]


def test_a_place_of_several_is_asked_back_and_the_reply_finds_it(begin: Begin) -> None:
    talk = begin()
    talk.say("clinics open on Sunday near Springfield with vaccination")
    assert talk.asked is not None
    assert talk.asked["type"] == "place"
    state = talk.say("1")
    assert "Lincoln Row Clinic" in (state["final_answer"] or "")
    state = talk.say("and pharmacies?")
    assert state["route_decision"] == "LOCATION_SEARCH"
    assert "Bluestem Pharmacy" in (state["final_answer"] or "")


def test_a_router_whose_model_fails_reads_the_words_instead(begin: Begin) -> None:
    state = begin(Playing(grades=[ALL], drafts=[RIGHT])).say(QUESTION)
    assert state["route_decision"] == "RETRIEVE"
    assert "by rules instead" in state["trace"][0]["note"]


def test_a_router_that_fails_altogether_sends_the_message_to_the_search(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nodes, "route", out_of_order)
    state = begin(Playing(grades=[ALL], drafts=[RIGHT])).say(QUESTION)
    assert path(state) == ["router", *ROUND]
    assert "The router failed" in state["trace"][0]["note"]


def test_a_grader_that_fails_keeps_the_order_of_the_search(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    unusable = begin(Playing(["RETRIEVE"], grades=[[0.9]], drafts=[RIGHT])).say(QUESTION)
    assert "keep the order of the search" in unusable["trace"][2]["note"]
    monkeypatch.setattr(nodes, "grade", out_of_order)
    state = begin(Playing(["RETRIEVE"], drafts=[RIGHT] * 3)).say(QUESTION)
    assert [doc["passage_id"] for doc in state["retrieved_docs"]] == [
        doc["passage_id"] for doc in unusable["retrieved_docs"]
    ]
    assert "The grader failed" in state["trace"][2]["note"]


def test_an_answer_that_cannot_be_checked_goes_out_marked(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "judge_by_both", out_of_order)
    state = begin(Playing(["RETRIEVE"], grades=[ALL], drafts=[RIGHT])).say(QUESTION)
    assert (state["final_answer"], state["caveat"]) == (RIGHT, validation.UNVALIDATED)
    assert "The check failed" in state["trace"][-1]["note"]
    assert not state["grounded"]
    result = result_of(state, run_id="r", usage=RunUsage())
    assert (result.status, result.confidence, result.claims) == (Status.CAVEAT, 0.0, [])
    assert result.answer == f"{RIGHT}\n\n{validation.UNVALIDATED}"


def test_a_check_that_fails_on_a_second_draft_leaves_nothing_of_the_first_to_speak_for_it(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = []

    async def fails_the_second_time(draft: str, *given: Any, **named: Any) -> Opinion:
        checked.append(draft)
        if len(checked) > 1:
            out_of_order()
        return await judge_by_both(draft, *given, **named)

    monkeypatch.setattr(validation, "judge_by_both", fails_the_second_time)
    playing = Playing(["RETRIEVE"], queries=["retention"], grades=[ALL, ALL], drafts=[f"{RIGHT} {WRONG}", RIGHT])
    state = begin(playing).say(QUESTION)
    assert (state["retry_count"], state["final_answer"], state["claims"]) == (1, RIGHT, [])
    assert not state["grounded"]


def test_the_turn_after_a_failed_check_is_checked_again(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    talk = begin(Playing(["RETRIEVE", "RETRIEVE"], grades=[ALL, ALL], drafts=[RIGHT, RIGHT]))
    with monkeypatch.context() as broken:
        broken.setattr(validation, "judge_by_both", out_of_order)
        assert talk.say(QUESTION)["unchecked"]
    state = talk.say(QUESTION)
    assert (state["grounded"], state["unchecked"], state["caveat"]) == (True, False, None)


def test_simple_mode_answers_in_one_pass_and_remembers_nothing(begin: Begin) -> None:
    talk = begin(simple=True)
    state = talk.say(QUESTION)
    assert path(state) == ["classify", "retrieve", "rerank", "generate"]
    assert "kept for ten years" in (state["final_answer"] or "")
    assert state["sources"]
    assert not state.get("messages")


def test_simple_mode_scores_with_the_chat_model_and_marks_what_is_not_borne_out(begin: Begin) -> None:
    state = begin(Playing(grades=[ALL], drafts=[f"{RIGHT} {WRONG}"]), simple=True).say(QUESTION)
    assert state["doc_relevance_scores"] == ALL
    assert state["caveat"] == "Not everything in this answer is supported by the documents."


def test_simple_mode_gives_no_answer_of_which_nothing_is_borne_out(begin: Begin) -> None:
    state = begin(Playing(grades=[ALL], drafts=[WRONG]), simple=True).say(QUESTION)
    assert state["final_answer"] == validation.NO_ANSWER
    assert "not supported" in (state["refusal"] or "")
    result = result_of(state, run_id="r", usage=RunUsage())
    assert (result.status, result.citations) == (Status.REFUSED, [])
    assert "kept for ten years" in result.nearest[0].excerpt


def test_a_turn_that_ends_without_an_answer_shows_the_nearest_passages_and_the_next_one_forgets_them(
    begin: Begin,
) -> None:
    playing = Playing(["RETRIEVE"] * 2, grades=[ALL] * 2, drafts=[WRONG, RIGHT])
    talk = begin(playing, max_retries=0, max_clarifications=0)
    refused = result_of(talk.say(QUESTION), run_id="r", usage=RunUsage())
    assert (refused.status, refused.answer) == (Status.REFUSED, NO_RELIABLE_ANSWER)
    assert "kept for ten years" in refused.nearest[0].excerpt
    answered = result_of(talk.say(QUESTION), run_id="r", usage=RunUsage())
    assert (answered.status, answered.nearest) == (Status.ANSWERED, [])


def test_simple_mode_finds_places_and_asks_nobody(begin: Begin) -> None:
    talk = begin(simple=True)
    state = talk.say("clinics near Springfield")
    assert path(state) == ["classify", "location"]
    assert talk.asked is None
    assert state["facilities"] is not None
    assert state["facilities"]["clarification"]["question"] == "Which Springfield do you mean?"


def out_of_order(*_: object, **__: object) -> None:
    raise RuntimeError("out of order")
