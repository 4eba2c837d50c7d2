"""A chat model beside the embedded way, in miniature."""

import pytest

from docmind.bench.model_questions import ANSWERS, DECLINES, SESSIONS, ModelQuestion, Session
from docmind.bench.tasks import model
from docmind.bench.workbench import Workbench
from docmind.domain.answers import RunResult
from docmind.domain.errors import BenchError
from docmind.domain.stream import ClaimChecked, StreamEvent
from docmind.models.chat.recording import ScriptedChat
from docmind.models.chat.roles import Roles

TOLD, NOT_TOLD = (
    ModelQuestion("How long are pressure welders trained in Limerick?", ("14 weeks",)),
    ModelQuestion("Who is the mayor?"),
)
LIED = "Pressure welders are trained in Lisbon for 99 years [1]."
TRUE = "The 16 pressure welders are trained in Limerick for 14 weeks each [1]."
DECLINED = "The passages do not answer the question."


def test_right_answers_retries_calls_and_refused_claims_are_counted(bench: Workbench) -> None:
    """The first draft is a lie that the checks refuse, the second is true; of what is not told, nothing is said."""
    writer = ScriptedChat(["no JSON", "nor now", LIED, TRUE, "no JSON", "nor now", DECLINED])
    sessions = [Session("docs", "strategy", (asked,)) for asked in (TOLD, NOT_TOLD)]
    heard: list[tuple[str, str]] = []

    def listen(_session: Session, _asked: ModelQuestion, told: StreamEvent) -> None:
        if isinstance(told, ClaimChecked):
            heard.append((told.claim.text, told.claim.status))

    rows = model.run(bench, sessions=sessions, embedder="static", roles=Roles(writer=writer), listen=listen)
    measured = {(row.system, row.metric): row.value for row in rows}
    assert {metric: value for (system, metric), value in measured.items() if system == "model@docs"} == {
        "right": 1.0,
        "supported": 1.0,
        "retries": 0.5,
        "model_calls": 3.5,
        "claims_refused": 0.5,
        "seconds": measured["model@docs", "seconds"],
    }
    assert [status != "supported" for _, status in heard] == [True, False]
    assert measured["embedded@docs", "model_calls"] == 0


def test_an_answer_is_right_in_either_way_to_put_it_and_wrong_where_none_can_be_given() -> None:
    result = RunResult(run_id="r", workflow="docs", status=next(iter(ANSWERS)), answer="It starts in Q2 2028.")
    assert model.is_right(result, ModelQuestion("When?", ("second quarter of 2028|q2 2028",)))
    assert not model.is_right(result, ModelQuestion("When?", ("q3 2028",)))
    assert not model.is_right(result, ModelQuestion("When?"))
    assert model.is_right(result.model_copy(update={"status": next(iter(DECLINES))}), ModelQuestion("When?"))


def test_every_workflow_is_asked() -> None:
    assert {session.workflow for session in SESSIONS} == set(model.DRAFTING)


def test_without_a_model_the_benchmark_says_what_to_set(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DOCMIND_MODELS__CHAT", raising=False)
    with pytest.raises(BenchError, match="set DOCMIND_MODELS__CHAT"):
        model.run(bench)
