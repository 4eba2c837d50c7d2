"""A run as it happens: on a terminal the node that is at work, and for whoever interrupts it the way to go on."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from docmind.cli import requester, spending
from docmind.cli.options import DEFAULT_WORKSPACE
from docmind.cli.terminal import err, out, printable
from docmind.domain.answers import RunResult
from docmind.domain.scope import Scope
from docmind.domain.stream import DraftText, NodeDecided, NodeStarted, Resulted, RunStarted, StreamEvent

if TYPE_CHECKING:
    from rich.spinner import Spinner

    from docmind.runtime.engine import DocMind

_TAIL = 60
"""Characters of a draft that are shown while it is written."""
_TURNS_PER_S = 12.5


def watch(events: Iterable[StreamEvent], scope: Scope, *, announced: bool = False) -> RunResult:
    """Show progress on standard error, if that is a terminal; returns the result.

    The most that chat models can take is told before the run begins, unless it was `announced` already.
    """
    console, run_id, drafted, steps, most = err(), "", "", 0, 0
    with _spinner(console) if console.is_terminal else nullcontext() as spinner:
        try:
            for event in events:
                match event:
                    case RunStarted():
                        run_id, most = event.run_id, event.most_steps
                        if (told := spending.most(event)) and not announced:
                            console.print(Text(told, style="dim"), soft_wrap=True)
                    case NodeStarted() if spinner:
                        spinner.update(text=f"{event.doing} (step {steps + 1} of at most {most})")
                    case DraftText() if spinner:
                        drafted = event.text if event.fresh else drafted + event.text
                        # As text, not as markup: a document must not be able to colour the reader's terminal.
                        spinner.update(text=Text(f"writing: {' '.join(printable(drafted).split())[-_TAIL:]}"))
                    case NodeDecided():
                        steps += 1
                    case Resulted():
                        return event.result
        except KeyboardInterrupt:
            if not run_id:
                raise
            raise KeyboardInterrupt(f"Interrupted. Continue with `{resume_command(run_id, scope)}`.") from None
    raise AssertionError("Every run gives a result or raises.")


@contextmanager
def _spinner(console: Console) -> "Iterator[Spinner]":
    """Turns on the terminal beside what is being done, for as long as the block runs."""
    from rich.live import Live
    from rich.spinner import Spinner

    spinner = Spinner("dots", "starting", style="status.spinner")
    # What else this process writes goes above it; a service writes for others too.
    ours = requester.REQUESTER.get() is None
    with Live(
        spinner,
        console=console,
        refresh_per_second=_TURNS_PER_S,
        transient=True,
        redirect_stdout=ours,
        redirect_stderr=ours,
    ):
        yield spinner


def resume_command(run_id: str, scope: Scope) -> str:
    """What to type to go on with a run."""
    workspace = [] if scope.workspace == DEFAULT_WORKSPACE else ["--workspace", scope.workspace]
    return " ".join(("docmind runs resume", run_id[:8], *workspace, *(["--user", scope.user] if scope.user else [])))


def show(
    engine: "DocMind", result: RunResult, scope: Scope, *, with_trace: bool = False, images: Path | None = None
) -> None:
    """Print what a run gave, with the names of the documents it cites and the way to go on with it.

    `images` is the folder that its charts are written to.
    """
    from docmind.cli import answers

    names = {document.id: document.name for document in engine.documents(scope)}
    waits = engine.find_run(result.run_id, scope).state == "waiting"
    resume = resume_command(result.run_id, scope) if waits else None
    files = _written(result, images) if images is not None else {}
    answers.show(out(), result, names, resume=resume, with_trace=with_trace, images=files)


def _written(result: RunResult, folder: Path) -> dict[int, Path]:
    """Each chart as an image in a file of its own, by its number."""
    if not result.charts:
        return {}
    from docmind.cli.charts import drawing_of, png

    files = {}
    for chart in result.charts:
        files[chart["number"]] = folder / f"docmind-{result.run_id[:8]}-chart-{chart['number']}.png"
        requester.save(files[chart["number"]], png(drawing_of(chart["config"])))
    return files
