"""What every task works with: the public sets, a temporary folder, and what an earlier task already built."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from docmind.domain.errors import BenchError
from docmind.domain.scope import Scope
from docmind.models.chat.roles import Roles
from docmind.runtime.engine import DocMind
from docmind.settings import DatabaseSettings, IndexSettings, ModelSettings, Settings

Built = TypeVar("Built")

SCOPE = Scope("bench")


class Workbench:
    """Made once a run; its folder goes when the run ends."""

    def __init__(self, data: Path, scratch: Path, console: Console) -> None:
        self.data = data
        self.scratch = scratch
        self._console = console
        self._built: dict[str, Any] = {}

    def dataset(self, name: str) -> Path:
        """The folder of a public set."""
        folder = self.data / name
        if not folder.is_dir():
            raise BenchError(
                f"The set {name!r} is not there: it was expected in {folder}. "
                "Unpack it, or name the folder that holds the sets with --data or DOCMIND_BENCH_DATA."
            )
        return folder

    def once(self, key: str, build: Callable[[], Built]) -> Built:
        """What `build` makes, made by the first task that needs it and kept for the others."""
        if key not in self._built:
            self._built[key] = build()
        built: Built = self._built[key]
        return built

    def note(self, sentence: str) -> None:
        """Something the reader should know that is not a number."""
        self._console.print(sentence)

    @contextmanager
    def steps(self, title: str, total: int) -> Iterator[Callable[[int], None]]:
        """A progress bar; the function sets how many steps are done."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=self._console) as progress:
            bar = progress.add_task(title, total=total)
            yield lambda done: progress.update(bar, completed=done)


@contextmanager
def workbench(data: Path, console: Console) -> Iterator[Workbench]:
    scratch = Path(tempfile.mkdtemp(prefix="docmind-bench-"))
    try:
        yield Workbench(data, scratch, console)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def open_engine(
    data_dir: Path,
    embedder: str,
    *,
    roles: Roles | None = None,
    index_url: str | None = None,
) -> DocMind:
    """DocMind with its stores in `data_dir`: benchmarks fill no server that the environment names."""
    return DocMind(
        Settings.load(
            data_dir=data_dir,
            models=ModelSettings(embedder=embedder),
            index=IndexSettings(url=index_url),
            database=DatabaseSettings(),
        ),
        roles=roles,
    )
