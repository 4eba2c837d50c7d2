"""A workflow that asks a person, keeps a thread, and is one descriptor: run, answered, killed, replayed."""

import operator
from collections.abc import Callable
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Checkpointer, interrupt

from docmind.domain.answers import RunResult, RunUsage, Status
from docmind.domain.budget import Most, Requests
from docmind.domain.errors import InvalidQuery
from docmind.domain.scope import Scope
from docmind.domain.trace import Event
from docmind.memory.run import RunState
from docmind.models.chat.model import MAX_TOKENS, Message
from docmind.models.chat.recording import ScriptedChat
from docmind.runtime import workflows
from docmind.runtime.engine import DocMind
from docmind.runtime.workflows import Graph, Workflow
from docmind.workflows.services import Services
from docmind.workflows.step import Step

SCOPE = Scope("w")

Open = Callable[..., DocMind]


class Talk(TypedDict, total=False):
    question: str
    place: str
    heard: Annotated[list[str], operator.add]
    answer: str
    trace: list[dict[str, Any]]


async def greet(state: Talk, runtime: Runtime[Services]) -> Talk:
    step = Step("greet", state, runtime)
    assert step.services.writer is not None
    reply = await step.services.writer.complete([Message("user", f"Greet: {state['question']}")])
    return {"answer": reply.text, "trace": [*state.get("trace", []), step.decided("greeted")]}


async def clarify(state: Talk, runtime: Runtime[Services]) -> Talk:
    step = Step("clarify", state, runtime)
    assert step.services.writer is not None
    wording = await step.services.writer.complete([Message("user", "Ask where.")])
    place = interrupt({"type": "place", "question": wording.text, "options": ["Halden", "Orrin"]})
    return {"place": place, "trace": [*state["trace"], step.decided("asked", f"It is {place}.")]}


async def answer(state: Talk, runtime: Runtime[Services]) -> Talk:
    step = Step("answer", state, runtime)
    said = f"{state['answer']} In {state['place']}, after {len(state.get('heard', []))} earlier turns."
    return {"answer": said, "heard": [state["question"]], "trace": [*state["trace"], step.decided("answered")]}


def build(_services: Services, checkpointer: Checkpointer) -> Graph:
    graph = StateGraph(Talk, context_schema=Services)
    for name, node in (("greet", greet), ("clarify", clarify), ("answer", answer)):
        graph.add_node(name, node)
    graph.add_edge(START, "greet")
    graph.add_edge("greet", "clarify")
    graph.add_edge("clarify", "answer")
    graph.add_edge("answer", END)
    return graph.compile(checkpointer=checkpointer)


def finish(state: Any, *, run_id: str, usage: RunUsage) -> RunResult:
    trace = [Event.model_validate(event) for event in state["trace"]]
    return RunResult(
        run_id=run_id, workflow="talk", status=Status.ANSWERED, answer=state["answer"], usage=usage, trace=trace
    )


TALK = Workflow(
    name="talk",
    title="Talk",
    about="Asks back.",
    build=build,
    start=lambda question: {"question": question, "trace": []},
    finish=finish,
    bounds=lambda _services: Most(steps=3, requests=(Requests(2, MAX_TOKENS),)),
    converses=True,
)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(workflows.WORKFLOWS, "talk", TALK)


def hello() -> ScriptedChat:
    return ScriptedChat(["Hello.", "Where is it?"])


def test_a_run_waits_for_a_person_and_goes_on_with_the_answer_in_another_process(opened: Open) -> None:
    asked = opened(hello()).run("Where?", SCOPE, workflow="talk")
    assert asked.status is Status.NEEDS_CLARIFICATION
    assert asked.clarification is not None
    assert (asked.clarification.question, asked.clarification.options) == ("Where is it?", ["Halden", "Orrin"])
    assert [event.node for event in asked.trace] == ["greet"]

    engine = opened(later := ScriptedChat([]))
    assert engine.find_run(asked.run_id, SCOPE).state is RunState.WAITING
    with pytest.raises(InvalidQuery, match="is waiting for an answer"):
        engine.resume(asked.run_id, SCOPE)
    result = engine.resume(asked.run_id, SCOPE, "Halden")
    assert (result.status, result.answer) == (Status.ANSWERED, "Hello. In Halden, after 0 earlier turns.")
    # What the node had asked before it waited is on record, and nobody is asked twice.
    assert (later.calls, result.usage.model_calls) == (0, 2)


def test_an_answer_that_nobody_asked_for_is_refused(opened: Open) -> None:
    with pytest.raises(RuntimeError, match="out of order"):
        opened(ScriptedChat([RuntimeError("out of order")])).run("Where?", SCOPE, workflow="talk")
    engine = opened(hello())
    (stopped,) = engine.runs(SCOPE)
    with pytest.raises(InvalidQuery, match="is not waiting"):
        engine.resume(stopped.id, SCOPE, "Halden")


def test_a_run_with_an_answer_of_a_person_is_replayed_with_it(opened: Open) -> None:
    engine = opened(hello())
    asked = engine.run("Where?", SCOPE, workflow="talk")
    waiting = engine.replay(asked.run_id, SCOPE)
    assert (waiting.difference, waiting.result and waiting.result.clarification) == (None, asked.clarification)
    engine.resume(asked.run_id, SCOPE, "Orrin")
    replayed = engine.replay(asked.run_id, SCOPE)
    assert replayed.difference is None
    assert replayed.result is not None
    assert replayed.result.answer == "Hello. In Orrin, after 0 earlier turns."


def test_the_runs_of_a_thread_share_its_state_and_each_is_replayed_from_where_it_began(opened: Open) -> None:
    engine = opened(ScriptedChat(lambda messages: "Where is it?" if "Ask" in messages[-1].content else "Hello."))
    for turn in range(3):
        asked = engine.run(f"Where, {turn}?", SCOPE, workflow="talk", thread="t")
        result = engine.resume(asked.run_id, SCOPE, "Halden")
        assert result.answer == f"Hello. In Halden, after {turn} earlier turns."
    for run in engine.runs(SCOPE):
        assert engine.replay(run.id, SCOPE).difference is None
    for other in (Scope("w", "ada"), Scope("v")):
        asked = engine.run("Where?", other, workflow="talk", thread="t")
        assert engine.resume(asked.run_id, other, "Orrin").answer.endswith("after 0 earlier turns.")


def test_a_conversation_that_has_gone_on_does_not_go_back(opened: Open) -> None:
    engine = opened(ScriptedChat(lambda _: "Hello."))
    first = engine.run("Where?", SCOPE, workflow="talk", thread="t")
    engine.run("Where now?", SCOPE, workflow="talk", thread="t")
    with pytest.raises(InvalidQuery, match="has moved on"):
        engine.resume(first.run_id, SCOPE, "Halden")


def test_an_answer_that_was_given_before_the_process_died_is_not_asked_for_again(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = opened(hello()).run("Where?", SCOPE, workflow="talk")

    async def out_of_order(state: Talk, runtime: Runtime[Services]) -> Talk:
        raise RuntimeError("out of order")

    with monkeypatch.context() as broken:
        broken.setitem(globals(), "answer", out_of_order)
        with pytest.raises(RuntimeError, match="out of order"):
            opened(hello()).resume(asked.run_id, SCOPE, "Halden")
    assert opened(hello()).resume(asked.run_id, SCOPE).answer == "Hello. In Halden, after 0 earlier turns."


def test_a_node_that_asks_twice_does_not_take_the_first_answer_for_the_second(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask_twice(state: Talk, runtime: Runtime[Services]) -> Talk:
        step = Step("clarify", state, runtime)
        place, floor = interrupt({"question": "Where?"}), interrupt({"question": "On which floor?"})
        return {"place": f"{place}, {floor}", "trace": [*state["trace"], step.decided("asked")]}

    monkeypatch.setitem(globals(), "clarify", ask_twice)
    engine = opened(ScriptedChat(["Hello."]))
    asked = engine.run("Where?", SCOPE, workflow="talk")
    again = engine.resume(asked.run_id, SCOPE, "Halden")
    assert again.clarification is not None
    assert again.clarification.question == "On which floor?"
    with pytest.raises(InvalidQuery, match="is waiting for an answer"):
        engine.resume(asked.run_id, SCOPE)
    assert engine.resume(asked.run_id, SCOPE, "the second").answer.startswith("Hello. In Halden, the second")
    assert engine.replay(asked.run_id, SCOPE).difference is None
