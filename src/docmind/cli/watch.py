"""`docmind watch`: keep folders and a workspace in step until Ctrl-C."""

import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, User, Workspace
from docmind.domain.errors import DocMindError, NotFound, StoreLocked
from docmind.domain.scope import Scope

if TYPE_CHECKING:
    from docmind.corpus.discover import Folders
    from docmind.corpus.report import Filed, IngestReport

QUIET_MS = 600
"""How long nothing may change before files are read: a copy or a save takes several steps."""
LONGEST_BURST_MS = 15_000
"""When files are read though they still change."""
AGAIN_S = 5.0
"""When what could not be done is tried again."""


def watch(
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER", help="Folders to keep in step with.")],
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    as_json: AsJson = False,
) -> None:
    """Keep a workspace in step with folders until Ctrl-C.

    Files that are added, changed, renamed or deleted are brought in, replaced or taken out within seconds. Documents
    from elsewhere are left alone, and so are those of a folder that has disappeared, because its disk may have been
    unplugged. Other commands and the service may work on the same documents meanwhile.

    \b
    Example:
      docmind watch ~/papers --workspace papers
    """
    from docmind.corpus.discover import Folders, separate_roots
    from docmind.settings import Settings

    for folder in folders:
        if not folder.is_dir():
            raise NotFound(f"There is no folder {str(folder)!r}.")
    scope = Scope(workspace, user)
    watched = Folders(separate_roots(folders), Settings.load().home.resolve())
    # A service manager's stop is a Ctrl-C by another name.
    signal.signal(signal.SIGTERM, _interrupt)
    report = _Report(as_json)
    try:
        # What is wrong from the beginning ends the command; later on it is waited for.
        _bring_in_step(watched, scope, report)
        report.say(f"Watching {len(watched.roots):,} folder{'s' if len(watched.roots) > 1 else ''} (Ctrl-C stops).")
        for _ in _changes(watched.roots, watched.excluded):
            _bring_in_step_at_last(watched, scope, report)
    except KeyboardInterrupt:
        report.say("Stopped.")


def _changes(roots: Sequence[Path], excluded: Path) -> Iterator[None]:
    """Something is different in the folders; comes again when a folder that was away may be back."""
    import watchfiles

    def matters(_change: watchfiles.Change, path: str) -> bool:
        place = Path(path)
        if place.is_relative_to(excluded):
            return False
        parts = next((place.relative_to(root).parts for root in roots if place.is_relative_to(root)), ())
        return not any(part.startswith(".") for part in parts)

    while True:
        there = [root for root in roots if root.exists()]
        if there:
            told = watchfiles.watch(
                *there,
                watch_filter=matters,
                debounce=LONGEST_BURST_MS,
                step=QUIET_MS,
                yield_on_timeout=True,
                rust_timeout=int(AGAIN_S * 1000),
                ignore_permission_denied=True,
            )
            for changes in told:
                if changes:
                    yield
                if [root for root in roots if root.exists()] != there:
                    break
        else:
            time.sleep(AGAIN_S)
        # Somebody may have changed it while nobody looked.
        yield


def _bring_in_step(folders: "Folders", scope: Scope, report: "_Report") -> None:
    """Opened for as long as it takes: between changes there is nothing to hold."""
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        for document in engine.keep_in_step(folders, scope, report.tell):
            report.line("deleted", document.name)
    for folder in folders.missing():
        report.say(f"The folder {str(folder)!r} is not there; its documents stay until it is back.")


def _bring_in_step_at_last(folders: "Folders", scope: Scope, report: "_Report") -> None:
    """As often as it takes. What is wrong is said once."""
    said = ""
    while True:
        try:
            return _bring_in_step(folders, scope, report)
        except (DocMindError, OSError) as error:
            waits = "another program holds the store" if isinstance(error, StoreLocked) else "something went wrong"
            if str(error) != said:
                said = str(error)
                report.say(f"Changes wait, because {waits}: {said}")
            time.sleep(AGAIN_S)


class _Report:
    """A line for each file that something became of, or an object for programs."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json

    def tell(self, filed: "Filed", _so_far: "IngestReport") -> None:
        if filed.outcome != "unchanged":
            self.line(str(filed.outcome), filed.name, filed.reason)

    def line(self, outcome: str, name: str, reason: str = "") -> None:
        from docmind.cli.terminal import printable

        if self._as_json:
            import json

            typer.echo(json.dumps({"name": name, "outcome": outcome, "reason": reason}))
        else:
            typer.echo(printable(f"{time.strftime('%H:%M:%S')}  {outcome:<9} {name}{f': {reason}' if reason else ''}"))

    def say(self, sentence: str) -> None:
        from docmind.cli.terminal import printable

        typer.echo(printable(sentence), err=True)


def _interrupt(_signal: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt
