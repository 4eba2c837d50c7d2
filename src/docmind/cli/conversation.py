"""A conversation at the keyboard: messages and commands come in line by line, answers and menus go out."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from docmind.cli import answers, spending, watching
from docmind.cli.history import show_thread, show_trace
from docmind.cli.terminal import err, out, printable
from docmind.domain.answers import Clarification, RunResult
from docmind.domain.errors import DocMindError
from docmind.domain.scope import Scope
from docmind.memory.run import Run, RunState
from docmind.skills.clarify import is_question

if TYPE_CHECKING:
    from docmind.runtime.engine import DocMind

_HELP = """\
/sources      the passages behind the last answer, in full
/history      the conversation so far
/new          start another conversation
/export FILE  write the conversation to a file, as JSON
/quit         leave; the conversation is kept"""


_AROUND = 200
"""Characters shown before and after a quote."""


class Conversation:
    """One person's talk with an engine."""

    def __init__(self, engine: "DocMind", scope: Scope, thread: str, *, simple: bool, with_trace: bool) -> None:
        self._engine = engine
        self._scope = scope
        self._thread = thread
        self._simple = simple
        self._with_trace = with_trace
        self._last: RunResult | None = None
        self._waiting: str | None = None
        """The run that asks something."""

    def hold(self, new_thread: Callable[[], str]) -> None:
        """Talk until the input ends."""
        self._open()
        for line in self._lines():
            match line.split(maxsplit=1):
                case []:
                    continue
                case ["/quit" | "/exit"]:
                    return
                case ["/new"]:
                    self._thread, self._last, self._waiting = new_thread(), None, None
                    self._open()
                case [command, *rest] if command.startswith("/"):
                    try:
                        self._obey(command, rest[0] if rest else "")
                    except DocMindError as error:
                        _complain(error)
                case _:
                    self._say(line)

    def _open(self) -> None:
        name = "" if self._simple else f"Thread {self._thread}. "
        err().print(Text(f"{name}/help shows what you can type.", style="dim"))
        if most := spending.most_of(self._engine.bounds("chat-simple" if self._simple else "chat")):
            err().print(Text(f"Each message: {most[0].lower()}{most[1:]}", style="dim"), soft_wrap=True)
        if (run := self._left_open()) is not None and run.result is not None:
            err().print(Text(f"You asked “{printable(run.question)}”.", style="dim"))
            self._show(run.result)

    def _left_open(self) -> Run | None:
        if self._simple:
            return None
        return next((run for run in self._engine.pending(self._scope) if run.thread == self._thread), None)

    def _lines(self) -> Iterator[str]:
        """What is typed, with a prompt where somebody types it. The shell hands over bytes that may be no text."""
        console = err()
        while True:
            if sys.stdin.isatty():
                console.print("which? " if self._waiting else "> ", end="")
            line = sys.stdin.readline()
            if not line:
                return
            yield line.encode("utf-8", "replace").decode().strip()

    def _say(self, message: str) -> None:
        """Put a message to the engine; what cannot be done is said, and the conversation goes on."""
        engine, scope = self._engine, self._scope
        try:
            # A question of its own is no reply: it begins a turn, and what was asked waits no longer.
            if self._waiting is not None and not is_question(message):
                events = engine.resume_stream(self._waiting, scope, message)
            elif self._simple:
                events = engine.stream(message, scope, workflow="chat", conversational=False)
            else:
                events = engine.stream(message, scope, workflow="chat", thread=self._thread, conversational=True)
            self._show(watching.watch(events, scope, announced=True))
        except DocMindError as error:
            self._waiting = None
            _complain(error)

    def _show(self, result: RunResult) -> None:
        self._last = result
        waits = self._engine.find_run(result.run_id, self._scope).state is RunState.WAITING
        self._waiting = result.run_id if waits else None
        if result.clarification is None:
            answers.show(out(), result, self._names(), with_trace=self._with_trace)
            return
        if self._with_trace:
            show_trace(out(), result)
        _menu(result.clarification)

    def _obey(self, command: str, rest: str) -> None:
        match command:
            case "/sources":
                self._sources()
            case "/history":
                self._history()
            case "/export":
                self._export(rest)
            case "/help":
                err().print(_HELP)
            case _:
                err().print(f"Unknown command {printable(command)}. /help lists the commands.")

    def _sources(self) -> None:
        cited = self._last.citations if self._last else []
        if not cited:
            err().print("The last answer cites nothing." if self._last else "Nothing has been answered yet.")
        names = self._names()
        for citation in cited:
            text = self._engine.text(self._engine.document(citation.document, self._scope))
            around = text[max(0, citation.start - _AROUND) : citation.end + _AROUND]
            page = f", page {citation.page}" if citation.page else ""
            title, name = printable(citation.title), printable(names.get(citation.document, ""))
            out().print(Text(f"{citation.marker} {title} ({name}{page})", "bold"))
            out().print(Text(f"… {' '.join(printable(around).split())} …"), soft_wrap=True)

    def _history(self) -> None:
        show_thread(out(), self._engine.find_thread(self._thread, self._scope))

    def _export(self, file: str) -> None:
        if not file:
            err().print("Name the file: /export FILE.")
            return
        exported = self._engine.export_thread(self._thread, self._scope)
        try:
            Path(file).write_text(json.dumps(exported, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            err().print(f"{printable(file)!r} cannot be written: {error.strerror}.", style="red")
        else:
            turns = len(exported["turns"])
            err().print(f"{turns} turn{'s' if turns != 1 else ''} written to {printable(file)}.")

    def _names(self) -> dict[str, str]:
        return {document.id: document.name for document in self._engine.documents(self._scope)}


def _complain(error: DocMindError) -> None:
    err().print(f"docmind: {printable(str(error))}", style="red", soft_wrap=True)


def _menu(asked: Clarification) -> None:
    out().print(printable(asked.question), soft_wrap=True)
    for number, option in enumerate(asked.options, start=1):
        out().print(f"  {number}. {printable(option)}", soft_wrap=True)
    if asked.options:
        err().print(Text("Type a number, or say it in words.", style="dim"))
