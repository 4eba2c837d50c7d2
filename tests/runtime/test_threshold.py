"""How many wrong answers somebody allows: what is less sure is withheld or called unsure, in every workflow."""

from collections.abc import Callable
from typing import Any

import pytest

from docmind.domain.answers import CheckedClaim, Citation, Clarification, MessageKind, RunResult, Status
from docmind.domain.confidence import Below, Threshold
from docmind.domain.errors import InvalidQuery
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.runtime.threshold import held_to, passed_on
from docmind.settings import AnswersSettings

SCOPE = Scope("w")
QUESTION = "How long are receipts kept?"
Open = Callable[..., DocMind]

CITATION = Citation(
    marker="[1]", document="d", title="Receipts", source="receipts.md", page=2, start=12, end=45,
    quote="Receipts are kept for ten years.", support=0.99,
)  # fmt: skip
CLAIM = CheckedClaim(
    text="Receipts are kept for ten years.", start=0, end=32, kind="general", status="supported", citations=["1"],
    confidence_score=0.99,
)  # fmt: skip


def answered(**given: Any) -> RunResult:
    shown = {
        "run_id": "r", "workflow": "docs", "status": Status.ANSWERED, "answer": "Receipts are kept for ten years. [1]",
        "citations": [CITATION], "claims": [CLAIM], "confidence": 0.6195,
    }  # fmt: skip
    return RunResult.model_validate({**shown, **given})


def test_an_answer_below_the_threshold_is_withheld_with_a_clear_sentence_and_kept() -> None:
    result = held_to(Threshold(0.2), answered(charts=[{"number": 1, "config": {}}]))
    assert (result.status, result.confidence, result.confidence_in_words) == (Status.REFUSED, 0.0, None)
    assert result.answer == (
        "An answer was found, but it is only 61% likely right, and you allow at most 20% wrong answers."
    )
    assert (result.citations, result.claims, result.charts) == ([], [], [])
    assert result.withheld is not None
    assert (result.withheld.answer, result.withheld.confidence) == ("Receipts are kept for ten years. [1]", 0.6195)
    assert (result.withheld.citations, len(result.withheld.charts)) == ([CITATION], 1)
    (near,) = result.nearest
    assert (near.excerpt, near.source, near.page, near.start, near.end) == (CITATION.quote, "receipts.md", 2, 12, 44)


def test_it_can_be_shown_as_unsure_instead() -> None:
    result = held_to(Threshold(0.2, Below.SHOW_UNSURE), answered())
    assert (result.status, result.unsure, result.confidence) == (Status.CAVEAT, True, 0.6195)
    assert result.confidence_in_words == "unsure, 61%"
    assert result.answer.startswith("Receipts are kept for ten years. [1]\n\nThis answer is less likely right")
    assert "%" not in result.answer.replace("at most 20% wrong", "")
    assert (result.citations, result.claims, result.withheld) == ([CITATION], [CLAIM], None)


@pytest.mark.parametrize(
    ("threshold", "given"),
    [
        (Threshold(), {"confidence": 0.01}),
        (Threshold(0.3805), {}),
        (Threshold(0.0), {"confidence": 0.0, "message_kind": MessageKind.SUMMARISE}),
        (Threshold(0.1), {"confidence": 0.0, "claims": [], "actions": [{"type": "map"}]}),
        (Threshold(0.1), {"status": Status.REFUSED, "claims": []}),
        (
            Threshold(0.1),
            {"status": Status.NEEDS_CLARIFICATION, "clarification": Clarification(question="Which source?")},
        ),
    ],
    ids=["no threshold", "just enough", "no question", "places", "refused", "asks a person"],
)
def test_what_meets_the_threshold_or_is_no_estimated_answer_stays_as_it_is(
    threshold: Threshold, given: dict[str, Any]
) -> None:
    assert held_to(threshold, answered(**given)) == answered(**given)


def test_an_answer_that_could_not_be_checked_is_withheld_without_a_number() -> None:
    result = held_to(Threshold(0.5), answered(claims=[], citations=[], confidence=0.0, status=Status.CAVEAT))
    assert result.status is Status.REFUSED
    assert "could be checked" in result.answer
    assert "0%" not in result.answer.replace("50%", "")


@pytest.mark.parametrize("workflow", ["docs", "strategy", "finance", "chat"])
def test_every_workflow_withholds_and_keeps_what_is_not_sure_enough(opened: Open, workflow: str) -> None:
    engine = opened()
    usual = engine.run(QUESTION, SCOPE, workflow=workflow)
    assert usual.status in (Status.ANSWERED, Status.CAVEAT), usual.answer
    assert 0 < usual.confidence < 1
    assert usual.confidence_in_words is not None
    strict = engine.run(QUESTION, SCOPE, workflow=workflow, most_wrong=0)
    assert (strict.status, strict.citations) == (Status.REFUSED, [])
    assert strict.answer.startswith("An answer was found, but it is only ")
    assert strict.withheld is not None
    assert (strict.withheld.answer, strict.withheld.confidence) == (usual.answer, usual.confidence)
    assert engine.run(QUESTION, SCOPE, workflow=workflow, most_wrong=1).answer == usual.answer


def test_the_settings_say_it_for_every_run_and_a_run_for_itself(opened: Open) -> None:
    engine = opened(answers=AnswersSettings(most_wrong=0.0, below=Below.SHOW_UNSURE))
    assert engine.run(QUESTION, SCOPE).unsure
    assert not engine.run(QUESTION, SCOPE, most_wrong=1.0).unsure


def test_a_run_keeps_its_threshold_when_it_is_replayed_under_other_settings(opened: Open) -> None:
    run = opened().run(QUESTION, SCOPE, most_wrong=0.0)
    engine = opened(answers=AnswersSettings(most_wrong=0.9, below=Below.SHOW_UNSURE))
    assert engine.replay(run.run_id, SCOPE).difference is None
    assert engine.find_run(run.run_id, SCOPE).threshold == Threshold(0.0)
    assert engine.resume(run.run_id, SCOPE) == run


@pytest.mark.parametrize("most_wrong", [-0.1, 1.5, 20.0, float("nan")])
def test_a_share_that_is_none_is_refused(opened: Open, most_wrong: float) -> None:
    with pytest.raises(InvalidQuery, match="must be between 0 and 1"):
        opened().run(QUESTION, SCOPE, most_wrong=most_wrong)


DRAFT = RunResult(
    run_id="r",
    workflow="strategy",
    status=Status.ANSWERED,
    answer="The mill cost 14.2 million euros [1].",
    citations=[
        Citation(
            marker="[1]", document="d", title="Minutes", source="m.md", page=None,
            start=3, end=9, quote="14.2 million euros", support=0.9,
        )
    ],
    claims=[
        CheckedClaim(
            text="The mill cost 14.2 million euros.", start=0, end=33, kind="number", status="supported",
            citations=["1"], confidence_score=0.9,
        )
    ],
    confidence=0.9,
    evaluation={"logical_gaps": ["Who signed?"]},
)  # fmt: skip


def test_what_an_answer_leaves_open_is_passed_on_in_its_text() -> None:
    caveat = DRAFT.model_copy(update={"status": Status.CAVEAT})
    assert passed_on(caveat).answer == f"{DRAFT.answer}\n\nLeft open: “Who signed?”."
    assert passed_on(DRAFT) is DRAFT


def test_a_draft_that_waits_for_a_person_is_not_passed_on() -> None:
    asked = Clarification(question="Which of the two?", options=["14.2", "15.0"])
    waiting = DRAFT.model_copy(update={"status": Status.NEEDS_CLARIFICATION, "clarification": asked})
    given = passed_on(waiting)
    assert given.clarification == asked
    assert (given.answer, given.claims, given.citations, given.evaluation) == ("", [], [], None)
    assert [near.excerpt for near in given.nearest] == ["14.2 million euros"]


def test_an_answer_that_is_hardly_one_is_not_passed_on() -> None:
    given = passed_on(DRAFT.model_copy(update={"confidence": 0.02}))
    assert given.status is Status.REFUSED
    assert given.answer == "An answer was found, but it is only 2% likely right, and such an answer is not given here."
