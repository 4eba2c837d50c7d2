"""A run again from its records: no model, no search, the same bytes; or the first step that goes another way."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from docmind.corpus.load.limits import Limits
from docmind.domain.answers import RunResult, Status
from docmind.domain.errors import InvalidQuery
from docmind.domain.scope import Scope
from docmind.domain.trace import Event
from docmind.models.chat.recording import ScriptedChat
from docmind.runtime.engine import DocMind
from docmind.runtime.replay import Difference, compare
from docmind.settings import DocsSettings

SCOPE = Scope("w")
QUESTION = "How long are receipts kept?"
BREAKDOWN = json.dumps({"intent": "quantity", "sub_queries": [QUESTION]})
FAITHFUL = "Receipts are kept for ten years [1]."
WRONG = "Receipts are kept for six years in a vault in Vienna [1]."

Open = Callable[..., DocMind]


def test_a_replay_is_equal_to_the_byte_without_model_index_or_documents(opened: Open) -> None:
    engine = opened(ScriptedChat([BREAKDOWN, WRONG, FAITHFUL]), judge=ScriptedChat(['{"not_borne_out": []}'] * 2))
    result = engine.run(QUESTION, SCOPE)
    assert result.answer == FAITHFUL
    engine.delete([document.id for document in engine.documents(SCOPE)], SCOPE)
    replayed = opened(unasked := ScriptedChat([])).replay(result.run_id, SCOPE)
    assert replayed.difference is None
    assert (replayed.original, unasked.calls) == (result, 0)
    assert replayed.result is not None
    assert replayed.result.usage.model_calls == result.usage.model_calls
    assert [event.tokens for event in replayed.result.trace] == [event.tokens for event in result.trace]


def test_other_settings_are_seen_at_the_step_they_change(opened: Open) -> None:
    run = opened(ScriptedChat([BREAKDOWN, WRONG, WRONG])).run(QUESTION, SCOPE).run_id
    replayed = opened(docs=DocsSettings(max_hallucinations=3)).replay(run, SCOPE)
    assert replayed.result is None
    assert replayed.difference is not None
    assert replayed.difference.node == "generate"
    assert "no recorded reply of scripted to this call, and a replay makes no calls" in replayed.difference.now


def test_a_record_that_was_changed_is_seen_at_the_node_that_rests_on_it(opened: Open, home: Path) -> None:
    engine = opened(ScriptedChat([BREAKDOWN, FAITHFUL]))
    run = engine.run(QUESTION, SCOPE).run_id
    engine.close()
    database = sa.create_engine(f"sqlite:///{home / 'runs.db'}")
    with database.begin() as connection:
        change = (
            "UPDATE run_records SET record = replace(record, 'ten years', 'ten long years') WHERE key LIKE '%gener%'"
        )
        assert connection.execute(sa.text(change)).rowcount == 1
    database.dispose()
    replayed = engine.replay(run, SCOPE)
    assert replayed.difference == Difference("generate", "detail.characters", "36", "41")


def test_a_run_without_a_result_is_not_replayed(opened: Open) -> None:
    with pytest.raises(RuntimeError):
        opened(ScriptedChat([RuntimeError("out of order")])).run(QUESTION, SCOPE)
    engine = opened()
    with pytest.raises(InvalidQuery, match="resume it first"):
        engine.replay(engine.runs(SCOPE)[0].id, SCOPE)


def _result(*nodes: str, answer: str = "a") -> RunResult:
    trace = [Event(node=node, decision="d", started=number) for number, node in enumerate(nodes)]
    return RunResult(run_id="r", workflow="docs", status=Status.ANSWERED, answer=answer, trace=trace)


def test_differences_are_named_by_the_node_or_by_the_result() -> None:
    one = _result("decompose", "output")
    assert compare(one, one.model_copy(update={"run_id": "other"})) is None
    assert compare(one, _result("decompose", "output", answer="b")) == Difference("result", "answer", '"a"', '"b"')
    assert compare(one, _result("decompose")) == Difference("output", "steps", "2", "1")
    assert compare(one, _result("decompose", "judge")) == Difference("output", "node", '"output"', '"judge"')
    slow, quick = (one.model_copy(update={"evaluation": {"node_latencies": {"a": took}, "b": 1}}) for took in (1, 2))
    assert compare(slow, quick) is None
    assert compare(slow, one) == Difference("result", "evaluation", '{"b": 1}', "null")
    later = one.model_copy(update={"trace": [event.model_copy(update={"started": 9.0}) for event in one.trace]})
    assert compare(one, later) is None


CLINICS = "id,name,kind,lat,lon,city\n1,{name},clinic,52.66,-8.63,Limerick\n"


@pytest.mark.parametrize("conversational", [True, False])
def test_a_search_for_a_place_is_replayed_from_its_record_whatever_the_table_says_now(
    opened: Open, tmp_path: Path, conversational: bool
) -> None:
    engine, table = opened(), tmp_path / "clinics.csv"
    for name in ("Harbour Clinic", "Bridge Clinic"):
        table.write_text(CLINICS.format(name=name))
        engine.facilities.import_table(table, SCOPE, Limits())
        if name == "Harbour Clinic":
            result = engine.run("clinics in Limerick", SCOPE, workflow="chat", conversational=conversational)
    assert "Harbour Clinic" in result.answer
    replayed = engine.replay(result.run_id, SCOPE)
    assert (replayed.difference, replayed.result is not None) == (None, True)
