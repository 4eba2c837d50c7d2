"""Runs the tasks asked for, one after the other; one that cannot run says why and the others go on."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console

from docmind.bench.report import Row
from docmind.bench.tasks import (
    aws_docs,
    calibration,
    canard,
    chat,
    checking,
    claims,
    conflicts,
    convfinqa,
    dialogues,
    docs,
    embedding,
    filings,
    finance,
    ingest,
    latency,
    loop,
    messages,
    model,
    mtrag_un,
    overhead,
    ragtruth,
    reading,
    scale,
    scifact,
    sec_10q,
    service,
    start,
    strategy,
    tatqa,
    viewing,
    wice,
)
from docmind.bench.workbench import Workbench, workbench
from docmind.domain.errors import BenchError, DocMindError

Task = Callable[[Workbench], list[Row]]

TASKS: dict[str, Task] = {
    "scifact": scifact.run,
    "aws-docs": aws_docs.run,
    "calibration": calibration.run,
    "reading": reading.run,
    "claims": claims.run,
    "dialogues": dialogues.run,
    "messages": messages.run,
    "conflicts": conflicts.run,
    "docs": docs.run,
    "strategy": strategy.run,
    "model": model.run,
    "loop": loop.run,
    "ragtruth": ragtruth.run,
    "wice": wice.run,
    "checking": checking.run,
    "tatqa": tatqa.run,
    "convfinqa": convfinqa.run,
    "sec-10q": sec_10q.run,
    "filings": filings.run,
    "finance": finance.run,
    "canard": canard.run,
    "chat": chat.run,
    "mtrag-un": mtrag_un.run,
    "embedding": embedding.run,
    "ingest": ingest.run,
    "latency": latency.run,
    "scale": scale.run,
    "overhead": overhead.run,
    "service": service.run,
    "start": start.run,
    "viewing": viewing.run,
}
PARTS: dict[str, tuple[str, ...]] = {"chat": ("canard", "mtrag-un"), "finance": ("convfinqa", "sec-10q", "filings")}
"""Sets that measure a workflow: whoever names the workflow means them too."""
NAMED_ONLY = {"scale", "loop"}
"""Tasks that take hours, or gigabytes of disk: whoever wants one says so."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a task: its rows, or the reason why there are none."""

    task: str
    rows: list[Row] = field(default_factory=list)
    failure: str | None = None


def chosen(names: Sequence[str]) -> dict[str, Task]:
    """The tasks of these names with their parts, in the order of the table above; all but the longest without names."""
    unknown = [name for name in names if name not in TASKS]
    if unknown:
        raise BenchError(
            f"There is no benchmark called {', '.join(map(repr, unknown))}: choose from {', '.join(TASKS)}."
        )
    wanted = {*names, *(part for name in names for part in PARTS.get(name, ()))} or TASKS.keys() - NAMED_ONLY
    return {name: task for name, task in TASKS.items() if name in wanted}


def run(tasks: dict[str, Task], data: Path, console: Console) -> Iterator[Outcome]:
    """Outcomes as they come; progress goes to the console."""
    with workbench(data, console) as bench:
        for name, task in tasks.items():
            try:
                yield Outcome(name, rows=task(bench))
            except DocMindError as error:
                yield Outcome(name, failure=str(error))
