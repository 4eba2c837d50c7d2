"""Whoever looks on at an engine is told of every run, node and model call, however it ends."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler

from docmind.domain.answers import RunResult
from docmind.domain.budget import Usage
from docmind.domain.errors import ModelError
from docmind.domain.scope import Scope
from docmind.models.chat.model import Message
from docmind.models.chat.recording import ScriptedChat, Silence
from docmind.models.chat.roles import Roles, WatchedChat
from docmind.runtime.engine import DocMind
from docmind.runtime.watching import Watches
from docmind.settings import Settings

ASKED = [Message("user", "Well?")]


class Diary:
    """A watch that writes down what it sees, in order."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    @contextmanager
    def run(self, _run_id: str, workflow: str) -> Iterator[Callable[[RunResult], None]]:
        with self._noting(f"run {workflow}"):
            yield lambda result: self.seen.append(result.status.value)

    @contextmanager
    def model_call(self, model: str) -> Iterator[Callable[[Usage], None]]:
        with self._noting(f"call {model}"):
            yield lambda usage: self.seen.append(f"{usage.model_calls} call")

    def on_nodes(self) -> list[BaseCallbackHandler]:
        return [Nodes(self.seen)]

    @contextmanager
    def _noting(self, what: str) -> Iterator[None]:
        self.seen.append(f"{what} begins")
        try:
            yield
        except Exception as error:
            self.seen.append(type(error).__name__)
            raise
        finally:
            self.seen.append(f"{what} ends")


class Nodes(BaseCallbackHandler):
    def __init__(self, seen: list[str]) -> None:
        self._seen = seen

    def on_chain_start(self, *_: Any, metadata: dict[str, Any] | None = None, **told: Any) -> None:
        if told.get("name") == (metadata or {}).get("langgraph_node"):
            self._seen.append(f"node {told['name']}")


@pytest.fixture
def diary() -> Diary:
    return Diary()


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """A document that does not answer; a workspace without any is answered before a graph runs."""
    file = tmp_path / "office.md"
    file.write_text("# Office\n\nThe office opens at nine.\n", encoding="utf-8")
    return file


def test_a_run_is_seen_from_its_beginning_to_its_end(engine: DocMind, diary: Diary, paper: Path) -> None:
    engine.ingest([paper], Scope("default"))
    engine.watches.append(diary)
    engine.run("How much was the mill?", Scope("default"))
    assert diary.seen[:2] == ["run docs begins", "node decompose"]
    assert diary.seen[-3:] == ["node output", "refused", "run docs ends"]


def test_a_run_that_nobody_waits_for_any_more_is_seen_to_end(settings: Settings, diary: Diary) -> None:
    with DocMind(settings, roles=Roles(writer=ScriptedChat([Silence()]))) as engine:
        engine.watches.append(diary)
        events = engine.stream("How much was the mill?", Scope("default"))
        next(events)
        events.close()  # type: ignore[attr-defined]
    assert diary.seen[0] == "run docs begins"
    assert diary.seen[-1] == "run docs ends"
    assert "refused" not in diary.seen


def test_model_calls_are_seen_inside_the_node_that_makes_them(settings: Settings, diary: Diary, paper: Path) -> None:
    with DocMind(settings, roles=Roles(writer=ScriptedChat(lambda _: ModelError("Down.")))) as engine:
        engine.ingest([paper], Scope("default"))
        engine.watches.append(diary)
        engine.run("How much was the mill?", Scope("default"))
    first = diary.seen.index("call scripted begins")
    assert diary.seen[first - 1] == "node decompose"
    assert diary.seen[first : first + 3] == ["call scripted begins", "ModelError", "call scripted ends"]


def test_all_that_look_on_are_told_and_the_last_to_come_leaves_first(diary: Diary) -> None:
    other = Diary()
    other.seen = diary.seen
    with Watches([diary, other]).model_call("m") as took:
        took(Usage(model_calls=1))
    assert diary.seen == ["call m begins", "call m begins", "1 call", "1 call", "call m ends", "call m ends"]


async def _streamed(chat: WatchedChat) -> list[Any]:
    return [item async for item in chat.stream(ASKED)]


def test_a_watched_model_says_what_it_would_have_said(diary: Diary) -> None:
    model = ScriptedChat(["Yes.", "No.", ModelError("Down.")], name="m")
    chat = WatchedChat(model, Watches([diary]).model_call)
    assert (chat.name, chat.price) == (model.name, model.price)
    assert asyncio.run(chat.complete(ASKED)).text == "Yes."
    *pieces, reply = asyncio.run(_streamed(chat))
    assert "".join(pieces) == reply.text == "No."
    with pytest.raises(ModelError, match="Down"):
        asyncio.run(_streamed(chat))
    answered = ["call m begins", "1 call", "call m ends"]
    assert diary.seen == [*answered, *answered, "call m begins", "ModelError", "call m ends"]
