"""Whoever looks on: told of each run, each node and each model call while it happens, and nothing of what is said."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from langchain_core.callbacks import BaseCallbackHandler

    from docmind.domain.answers import RunResult
    from docmind.domain.budget import Usage
    from docmind.models.chat.model import ChatModel
    from docmind.models.chat.roles import Roles


class Watch(Protocol):
    """One that looks on. What it opens is closed when the thing ends, however that is; a good end is told."""

    def run(self, run_id: str, workflow: str, /) -> "AbstractContextManager[Callable[[RunResult], None]]": ...

    def model_call(self, model: str) -> "AbstractContextManager[Callable[[Usage], None]]": ...

    def on_nodes(self) -> "list[BaseCallbackHandler]":
        """What LangGraph tells of the nodes of a run."""
        ...


class Watches(list[Watch]):
    """All that look on, as one."""

    @contextmanager
    def run(self, run_id: str, workflow: str) -> "Iterator[Callable[[RunResult], None]]":
        with ExitStack() as looking:
            told = [looking.enter_context(watch.run(run_id, workflow)) for watch in self]

            def ended(result: "RunResult") -> None:
                for tell in told:
                    tell(result)

            yield ended

    @contextmanager
    def model_call(self, model: str) -> "Iterator[Callable[[Usage], None]]":
        with ExitStack() as looking:
            told = [looking.enter_context(watch.model_call(model)) for watch in self]

            def ended(usage: "Usage") -> None:
                for tell in told:
                    tell(usage)

            yield ended

    def on_nodes(self) -> "list[BaseCallbackHandler]":
        return [handler for watch in self for handler in watch.on_nodes()]

    def around(self, roles: "Roles") -> "Roles":
        """The same chat models, each call of which is seen."""
        from docmind.models.chat.roles import WatchedChat

        def seen(model: "ChatModel | None") -> "ChatModel | None":
            return model and WatchedChat(model, self.model_call)

        return replace(roles, writer=seen(roles.writer), fallback=seen(roles.fallback), judge=seen(roles.judge))
