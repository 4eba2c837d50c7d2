"""The walkthroughs of the strategy workflow, step by step with their numbers, on the real graph, search and store."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from docmind.domain.answers import RunUsage, Status
from docmind.domain.scope import Scope
from docmind.models.chat.recording import ScriptedChat
from docmind.runtime.engine import DocMind
from docmind.skills.nearest import NO_RELIABLE_ANSWER
from docmind.workflows.strategy.nodes import REPHRASE, UPLOAD
from docmind.workflows.strategy.result import result_of

Ask = Callable[..., Any]
ROUND = ["researcher", "synthesizer", "critic", "evaluator", "supervisor"]
SCORES = json.dumps({"faithfulness": 0.91, "relevance": 0.88, "completeness": 0.8, "reasoning_quality": 0.8})


def audit(
    confidence: float, *, hallucination: bool = False, claims: Sequence[str] = (), gaps: Sequence[str] = ()
) -> str:
    """What a judging model says of a draft."""
    found = {"hallucination_detected": hallucination, "unsupported_claims": list(claims), "logical_gaps": list(gaps)}
    return json.dumps({"confidence": confidence, **found})


def verdicts(*audits: str) -> list[str]:
    return [line for one in audits for line in (one, SCORES)]


@pytest.fixture(scope="module")
def faithful(ids: dict[str, str]) -> str:
    return f"Customers accept a delivery time of 26 weeks [{ids['survey']}]."


@pytest.fixture(scope="module")
def careless(faithful: str) -> str:
    """One sentence that says what a document says, and does not cite it."""
    return f"{faithful} The net promoter score is 41."


def test_the_happy_path_takes_three_calls_and_ends_at_85_percent(ask: Ask, careless: str) -> None:
    run = ask(drafts=[careless], verdicts=verdicts(audit(0.88)))
    state = run.state
    assert run.nodes == ["supervisor", *ROUND]
    assert [event["decision"] for event in state["trace"] if event["node"] == "supervisor"] == ["first_run", "finalize"]
    assert state["confidence"] == pytest.approx(0.88 * 0.97, abs=1e-4)
    assert f"{state['confidence']:.3f}" == "0.854"
    assert state["critique"]["penalties"] == ["1 sentence cites nothing: confidence lowered by 3%."]
    assert state["final_answer"] == state["draft_answer"] == careless
    assert (run.calls, run.writer.calls, run.judge.calls) == (3, 1, 2)
    assert state["retry_count"] == 0
    assert not state["requires_human_review"]


def test_a_draft_that_only_quotes_costs_no_call_of_the_judge_where_that_is_set(ask: Ask, faithful: str) -> None:
    run = ask(drafts=[faithful], verdicts=verdicts(audit(0.2)), judge_quotes=False)
    assert (run.writer.calls, run.judge.calls) == (1, 0)
    assert run.state["metrics"]["evaluation"]["scored_by"] == "code"
    assert run.state["final_answer"] == faithful
    assert not run.state["requires_human_review"]


def test_the_happy_path_leaves_its_figures_in_the_metrics(ask: Ask, careless: str) -> None:
    metrics = ask(drafts=[careless], verdicts=verdicts(audit(0.88))).state["metrics"]
    assert metrics["evaluation"] == {
        "faithfulness": 0.91,
        "relevance": 0.88,
        "completeness": 0.8,
        "reasoning_quality": 0.8,
        "overall": pytest.approx(0.35 * 0.91 + 0.25 * 0.88 + 0.25 * 0.8 + 0.15 * 0.8, abs=1e-4),
        "clamps": [],
        "scored_by": "judge",
    }
    retrieval = metrics["retrieval"]
    assert (retrieval["limit"], retrieval["threshold"]) == (10, 0.60)
    assert (retrieval["candidates"], retrieval["filtered_out"]) == (6, 4)
    assert retrieval["avg_score"] == pytest.approx(sum(retrieval["scores"]) / 2, abs=1e-3)
    assert metrics["last_citation_audit"]["uncited_sentences"] == ["The net promoter score is 41."]
    assert metrics["citations"] == {"passages": 1, "documents": 1, "invalid": 0, "uncited": 1}
    assert metrics["confidence_history"] == [pytest.approx(0.8536)]
    assert metrics["compression_ratio"] == 1.0
    assert {node: len(taken) for node, taken in metrics["node_latencies"].items()} == {
        "supervisor": 2, "researcher": 1, "synthesizer": 1, "critic": 1, "evaluator": 1,
    }  # fmt: skip


def test_a_doubted_draft_is_retried_wider_and_with_what_was_wrong(ask: Ask, faithful: str) -> None:
    first = audit(0.58, hallucination=True, claims=["Customers like soup."], gaps=["the price of a technician"])
    run = ask(drafts=[faithful, faithful], verdicts=verdicts(first, audit(0.83)))
    state, metrics = run.state, run.state["metrics"]
    assert run.nodes == ["supervisor", *ROUND * 2]
    assert [event["decision"] for event in state["trace"] if event["node"] == "supervisor"] == [
        "first_run", "retry", "finalize",
    ]  # fmt: skip
    assert metrics["retry_reasons"] == [
        {"confidence": 0.58, "citation_issue": False, "hallucination": True, "needs_retry": True, "conflict": False}
    ]
    assert (metrics["retrieval"]["limit"], metrics["retrieval"]["threshold"]) == (20, 0.55)
    assert metrics["retrieval"]["queries"] == 3
    # What is searched for besides the question brings in what it did not find.
    assert "papers/cafeteria.md" in [one["source"] for one in state["evidence"]]
    told = run.writer.requests[1][-1].content
    assert "Correct these issues:\n- Hallucination: True\n- Unsupported claims: Customers like soup." in told
    assert "- Logical gaps: the price of a technician" in told
    assert (run.calls, state["confidence"], state["retry_count"]) == (6, 0.83, 1)
    assert metrics["confidence_history"] == [0.58, 0.83]


def test_a_summary_is_retried_with_what_was_missing_too(ask: Ask, faithful: str) -> None:
    first = audit(0.58, hallucination=True, claims=["Customers like soup."], gaps=["what the cafeteria serves"])
    run = ask("Summarise the customer survey", drafts=[faithful, faithful], verdicts=verdicts(first, audit(0.83)))
    assert run.nodes == ["supervisor", *ROUND * 2]
    assert "papers/cafeteria.md" in [one["source"] for one in run.state["evidence"]]


def test_when_retries_are_spent_a_person_is_handed_the_best_draft(ask: Ask, faithful: str, careless: str) -> None:
    run = ask(drafts=[faithful, careless, faithful], verdicts=verdicts(audit(0.5), audit(0.5588), audit(0.4)))
    state = run.state
    assert run.nodes == ["supervisor", *ROUND * 3]
    assert state["metrics"]["confidence_history"] == [0.5, pytest.approx(0.542, abs=1e-3), 0.4]
    assert state["requires_human_review"]
    assert state["clarification_question"].startswith("After 2 refinement attempts, confidence remains 54.2%.")
    assert state["final_answer"] == careless
    assert state["retry_count"] == 2
    result = result_of(state, run_id="r", usage=RunUsage())
    assert result.status is Status.NEEDS_CLARIFICATION
    assert result.clarification is not None
    assert result.clarification.question == state["clarification_question"]
    assert result.answer.startswith("Customers accept a delivery time of 26 weeks [1].")
    assert result.evaluation is not None
    assert result.evaluation["faithfulness"] == 0.91


def test_a_question_that_nothing_bears_on_asks_to_rephrase_without_a_model_call(ask: Ask) -> None:
    run = ask("What is the weather in Paris?", drafts=[], verdicts=[])
    state = run.state
    assert run.nodes == ["supervisor", "researcher", "supervisor"]
    assert run.calls == 0
    assert (state["evidence"], state["draft_answer"]) == ([], None)
    assert state["metrics"]["retrieval"]["filtered_out"] == 6
    assert state["requires_human_review"]
    assert state["clarification_question"] == REPHRASE
    assert REPHRASE.startswith("Your query did not match any documents with sufficient relevance")
    result = result_of(state, run_id="r", usage=RunUsage())
    assert (result.status, result.answer, result.evaluation) == (Status.NEEDS_CLARIFICATION, "", None)
    # The result shows the nearest passages, and asks nobody for other words.
    assert result.nearest
    assert result.clarification is not None
    assert result.clarification.question == NO_RELIABLE_ANSWER


def test_an_empty_workspace_asks_for_documents_without_a_model_call(ask: Ask) -> None:
    run = ask(workspace="empty", drafts=[], verdicts=[])
    assert run.calls == 0
    assert run.state["clarification_question"] == UPLOAD


@pytest.mark.parametrize(("retries", "attempts"), [(None, 3), (0, 1), (1, 2), (3, 4)])
def test_only_none_leaves_the_retries_to_the_settings(
    ask: Ask, faithful: str, retries: int | None, attempts: int
) -> None:
    run = ask(drafts=[faithful] * 5, verdicts=verdicts(*[audit(0.3)] * 5), max_retries=retries)
    assert run.writer.calls == attempts
    times = "1 refinement attempt" if attempts == 2 else f"{attempts - 1} refinement attempts"
    assert run.state["clarification_question"].startswith(f"After {times}, confidence remains 30.0%.")


def test_where_judging_is_local_one_call_is_enough(ask: Ask, faithful: str) -> None:
    run = ask(drafts=[faithful])
    assert (run.calls, run.state["retry_count"]) == (1, 0)
    assert run.state["metrics"]["evaluation"]["scored_by"] == "code"
    assert run.state["confidence"] > 0.9


def test_an_invented_claim_is_retried_by_code_alone_and_clamped(ask: Ask, ids: dict[str, str]) -> None:
    wrong = f"Customers accept a delivery time of 52 weeks and pay in gold [{ids['survey']}]."
    state = ask(drafts=[wrong], max_retries=0).state
    assert state["critique"]["hallucination_detected"]
    assert state["critique"]["unsupported_claims"] == ["Customers accept a delivery time of 52 weeks and pay in gold."]
    assert state["requires_human_review"]
    assert state["metrics"]["evaluation"]["faithfulness"] <= 0.40


def test_a_citation_that_leads_nowhere_halves_the_confidence(ask: Ask, faithful: str) -> None:
    nowhere = f"{faithful} The net promoter score is 41 [00000000-0000-0000-0000-000000000000]."
    run = ask(drafts=[nowhere, faithful], verdicts=verdicts(audit(0.6), audit(0.9)))
    assert run.state["metrics"]["confidence_history"] == [0.3, 0.9]
    assert run.state["metrics"]["retry_reasons"][0]["citation_issue"]
    assert "- Citations that lead nowhere: 00000000" in run.writer.requests[1][-1].content


def test_a_hedge_is_looked_for_once_more_and_then_told(ask: Ask, faithful: str) -> None:
    hedged = f"{faithful} Insufficient evidence on the price of delivery."
    run = ask(drafts=[hedged] * 3)
    assert run.state["retry_count"] == 1
    assert not run.state["requires_human_review"]
    result = result_of(run.state, run_id="r", usage=RunUsage())
    assert result.status is Status.CAVEAT
    assert result.evaluation is not None
    assert result.evaluation["logical_gaps"] == ["Insufficient evidence on the price of delivery."]


def test_a_quoted_answer_is_as_likely_right_as_the_reader_says_and_passes_by_the_critic(ask: Ask) -> None:
    state = ask().state
    result = result_of(state, run_id="r", usage=RunUsage())
    assert state["attempt"]["draft_confidence"] is not None
    assert result.confidence == round(state["attempt"]["draft_confidence"], 4)
    assert result.confidence < state["confidence"]
    assert (state["metrics"]["confidence_history"], state["confidence"]) == ([state["confidence"]], 0.99)


def test_what_a_model_wrote_is_as_sure_as_the_critic_says(ask: Ask, faithful: str) -> None:
    state = ask(drafts=[faithful], verdicts=verdicts(audit(0.7))).state
    assert result_of(state, run_id="r", usage=RunUsage()).confidence == state["confidence"] == 0.7


def test_a_critic_that_doubts_a_quoted_answer_is_heard(ask: Ask) -> None:
    state = ask(verdicts=verdicts(audit(0.1)), max_retries=0).state
    assert state["requires_human_review"]
    assert result_of(state, run_id="r", usage=RunUsage()).confidence == state["confidence"] == 0.1


def test_where_nothing_is_answered_the_nearest_passages_are_given(ask: Ask) -> None:
    hedged = ["The documents do not say which delivery time customers accept."]
    for state in (ask("Who painted the Sistine Chapel?").state, ask(drafts=hedged, max_retries=0).state):
        result = result_of(state, run_id="r", usage=RunUsage())
        assert result.status is Status.NEEDS_CLARIFICATION
        assert 1 <= len(result.nearest) <= 3
    assert "Customers accept a delivery time of 26 weeks." in result.nearest[0].excerpt


def test_an_answer_comes_without_nearest_passages(ask: Ask, faithful: str) -> None:
    assert result_of(ask(drafts=[faithful]).state, run_id="r", usage=RunUsage()).nearest == []


def test_a_draft_that_only_hedges_ends_with_a_person(ask: Ask) -> None:
    state = ask(drafts=["The documents do not say which delivery time customers accept."] * 3).state
    assert state["retry_count"] == 2
    assert state["confidence"] == 0.0
    assert state["requires_human_review"]


def test_an_embedded_answer_that_only_comes_near_ends_with_a_person_who_is_told_what_is_open(ask: Ask) -> None:
    question = "Would the delivery time planned with Project Heron satisfy customers in Poland and in Spain next year?"
    state = ask(question, min_score=0.1, retry_min_score=0.1).state
    assert state["requires_human_review"]
    assert "Left open: " in state["clarification_question"]
    assert "They say of it:" in state["final_answer"]
    assert state["metrics"]["evaluation"]["completeness"] == 0.0


def test_numbers_in_a_draft_become_passage_ids(ask: Ask, ids: dict[str, str]) -> None:
    state = ask(drafts=["Customers accept a delivery time of 26 weeks [1]."]).state
    assert state["draft_answer"] == f"Customers accept a delivery time of 26 weeks [{ids['survey']}]."


def test_a_model_that_fails_leaves_the_documents_own_sentences(ask: Ask) -> None:
    run = ask(drafts=[], verdicts=["no", "no", "no", "no"])
    assert "Customers accept a delivery time of 26 weeks." in run.state["final_answer"]
    notes = {event["node"]: event["note"] for event in run.state["trace"]}
    assert "quoted from the documents" in notes["synthesizer"]
    assert "Only the local checks judged it." in notes["critic"]
    assert "The scores are those of the local checks." in notes["evaluator"]


def test_the_writer_is_told_whom_to_write_for_and_how_to_cite(ask: Ask, ids: dict[str, str]) -> None:
    run = ask(drafts=["Customers accept a delivery time of 26 weeks [1]."])
    writer: ScriptedChat = run.writer
    system, user = writer.requests[0]
    assert "strategic intelligence analyst" in system.content
    assert f"[{ids['survey']}] Customer survey\n" in user.content


def test_the_embedded_answer_is_by_sub_question_and_from_several_documents(ask: Ask) -> None:
    state = ask("Which delivery time does Varmoor have, and what is the net promoter score?").state
    result = result_of(state, run_id="r", usage=RunUsage())
    assert result.status is Status.ANSWERED
    assert result.answer.count("## ") == 2
    assert {"Customer survey", "Competitors"} <= {citation.title for citation in result.citations}
    assert "38 weeks" in result.answer
    assert "41" in result.answer


def test_every_claim_and_citation_of_a_result_stands_where_it_says(ask: Ask, stocked: DocMind) -> None:
    state = ask("Which delivery time does Varmoor have, and what delivery time do customers accept?").state
    result = result_of(state, run_id="r", usage=RunUsage())
    assert result.claims
    for claim in result.claims:
        assert claim.text.rstrip(".") in result.answer[claim.start : claim.end]
        assert all(f"[{number}]" in result.answer for number in claim.citations)
    texts = {document.id: stocked.text(document) for document in stocked.documents(Scope("heron"))}
    for citation in result.citations:
        assert texts[citation.document][citation.start : citation.end] == citation.quote
        assert citation.marker in result.answer
