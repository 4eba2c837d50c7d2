"""A chat model alone and in the loop, in miniature: one that lies at first, and makes something up."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from docmind.bench.authored import Part, read_authored
from docmind.bench.authored_answers import questions_of, workspace
from docmind.bench.tasks import loop
from docmind.bench.workbench import Workbench, open_engine
from docmind.domain.errors import BenchError
from docmind.models.chat.model import Message
from docmind.models.chat.recording import ScriptedChat
from docmind.models.chat.roles import Roles
from tests.bench.authored_folder import write_authored

DECLINED = "The passages do not answer the question."
PRICE = "How much does a new badge cost?"


def liar(messages: Sequence[Message]) -> str:
    """Says 19 euros until it is told that this is wrong, makes up a composer, and judges what it is shown."""
    system, asked = messages[0].content, messages[-1].content
    if "You check claims" in system:
        wrong = [{"claim": 1, "words": "19 euros", "reason": "It is 12."}] if "19 euros" in asked else []
        return json.dumps({"not_borne_out": wrong})
    if "Take the question apart" in system:
        return json.dumps({"intent": "lookup", "sub_queries": [asked.rpartition("Question: ")[2].strip() or asked]})
    if PRICE in asked:
        return "A new badge costs 12 euros [1]." if "Do not say it" in asked else "A new badge costs 19 euros [1]."
    if "park" in asked.rpartition("Question: ")[2]:
        return "Visitors park in the north yard [1]."
    return "Mozart wrote the anthem [1]." if "Peru" in asked else DECLINED


def test_each_system_is_asked_the_same_and_the_loop_mends_what_the_model_alone_states(
    bench: Workbench, data: Path
) -> None:
    write_authored(data)
    rows = loop.run(bench, embedder="static", roles=Roles(writer=ScriptedChat(liar)))
    found = {(row.system, row.metric): row.value for row in rows}
    assert (found[loop.ALONE, "right"], found[loop.ALONE, "wrong_stated"]) == (0.5, 0.5)
    assert (found[loop.ALONE, "answered@unanswerable"], found[loop.ALONE, "model_calls"]) == (0.5, 1)
    for system in (loop.LOCAL, loop.BOTH):
        assert (found[system, "right"], found[system, "wrong_stated"]) == (1, 0)
        assert found[system, "right_by_retry"] == 0.5
    # A model that judges itself catches what it says is wrong, and passes what it made up.
    assert found[loop.ITSELF, "right"] == 1
    assert found[loop.ITSELF, "answered@unanswerable"] == 0.5
    (held,) = [row for row in rows if row.aim]
    assert (held.metric, held.value) == ("wrong_stated@same_right", 0)
    assert held.aim is not None
    assert held.aim.value == 0.25
    assert found[loop.BOTH, "tokens"] > found[loop.LOCAL, "tokens"] > found[loop.ALONE, "tokens"]


def test_what_each_system_said_is_kept_for_reading(bench: Workbench, data: Path) -> None:
    write_authored(data)
    folders = read_authored(data / "authored")
    (asked,) = [one for one in questions_of(folders, Part.KEPT) if one.text == PRICE]
    with open_engine(workspace(bench, folders, Part.KEPT, "static"), "static") as engine:
        systems = loop.systems(engine, Roles(writer=ScriptedChat(liar)))
        said = {name: systems[name](asked).text for name in (loop.ALONE, loop.BOTH)}
    assert "19 euros" in said[loop.ALONE]
    assert "12 euros" in said[loop.BOTH]
    assert "19 euros" not in said[loop.BOTH]


def test_without_a_model_it_says_what_to_set(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DOCMIND_MODELS__CHAT", raising=False)
    with pytest.raises(BenchError, match="set DOCMIND_MODELS__CHAT"):
        loop.run(bench)
