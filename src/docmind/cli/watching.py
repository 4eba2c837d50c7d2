"""A run as it happens: on a terminal the node that is at work, and for whoever interrupts it the way to go on."""

from collections.abc import Iterable
from contextlib import nullcontext
from typing import TYPE_CHECKING

from docmind.cli.options import DEFAULT_WORKSPACE
from docmind.cli.terminal import err, out
from docmind.domain.answers import RunResult
from docmind.domain.scope import Scope
from docmind.domain.stream import NodeDecided, NodeStarted, Resulted, RunStarted, StreamEvent

if TYPE_CHECKING:
    from docmind.runtime.engine import DocMind

_DOING = {
    "decompose": "taking the question apart",
    "retrieve": "searching",
    "generate": "writing",
    "judge": "checking every claim",
    "output": "giving it out",
}


def watch(events: Iterable[StreamEvent], scope: Scope) -> RunResult:
    """Show progress on standard error, if that is a terminal; returns the result."""
    console, run_id, steps, most = err(), "", 0, 0
    with console.status("starting") if console.is_terminal else nullcontext() as status:
        try:
            for event in events:
                match event:
                    case RunStarted():
                        run_id, most = event.run_id, event.most_steps
                    case NodeStarted() if status:
                        status.update(f"{_DOING.get(event.node, event.node)} (step {steps + 1} of at most {most})")
                    case NodeDecided():
                        steps += 1
                    case Resulted():
                        return event.result
        except KeyboardInterrupt:
            if not run_id:
                raise
            raise KeyboardInterrupt(f"Interrupted. `{resume_command(run_id, scope)}` goes on from there.") from None
    raise AssertionError("Every run gives a result or raises.")


def resume_command(run_id: str, scope: Scope) -> str:
    """What to type to go on with a run."""
    workspace = [] if scope.workspace == DEFAULT_WORKSPACE else ["--workspace", scope.workspace]
    return " ".join(("docmind runs resume", run_id[:8], *workspace, *(["--user", scope.user] if scope.user else [])))


def show(engine: "DocMind", result: RunResult, scope: Scope, *, with_trace: bool = False) -> None:
    """Print what a run gave, with the names of the documents it cites and the way to go on with it."""
    from docmind.cli import answers

    names = {document.id: document.name for document in engine.documents(scope)}
    waits = engine.find_run(result.run_id, scope).state == "waiting"
    resume = resume_command(result.run_id, scope) if waits else None
    answers.show(out(), result, names, resume=resume, with_trace=with_trace)
