"""What a command line may name, for the shell to complete: read from the databases alone, without index or models."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from docmind.domain.scope import Scope

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from docmind.corpus.catalogue import Catalogue
    from docmind.memory.run import Run
    from docmind.memory.runs import Runs

Named = tuple[str, str]
"""A value and what it stands for, which some shells show beside it."""

WORKFLOWS = ("docs", "strategy", "finance", "chat")
DEFAULT_WORKSPACE = "default"
_MOST_RUNS = 100
_LONGEST = 60


def workflows(incomplete: str) -> list[str]:
    return _beginning((*WORKFLOWS, *_added_workflows()), incomplete)


def drawn_workflows(incomplete: str) -> list[str]:
    """Those with a graph of their own."""
    return _beginning((*WORKFLOWS, "chat-simple", *_added_workflows()), incomplete)


def _added_workflows() -> list[str]:
    """Those of other packages, by name; nothing of them is imported for it."""
    from docmind.domain.extensions import installed

    return [point.name for point in installed("docmind.workflows")]


def workspaces(incomplete: str) -> list[str]:
    """Those that hold documents or runs, and those that are empty still."""
    from docmind.corpus.catalogue import Catalogue
    from docmind.corpus.workspaces import Register

    names: set[str] = set()
    with _opened("catalogue.db") as engine:
        if engine is not None:
            names = {*Catalogue(engine).workspaces(), *Register(engine).names()}
    with _runs() as found:
        names.update(found.workspaces() if found else ())
    return _beginning(sorted(names), incomplete)


def documents(context: typer.Context, incomplete: str) -> list[Named]:
    """By their names, or by the last part of these where somebody began with that."""
    with _catalogue() as catalogue:
        found = [(one.name, one.title) for one in catalogue.documents(_scope(context))] if catalogue else []
    return _named(found, incomplete) or _named([(name.rpartition("/")[2], title) for name, title in found], incomplete)


def runs(context: typer.Context, incomplete: str) -> list[Named]:
    return _named([(run.id[:8], run.question) for run in _latest(context)], incomplete)


def threads(context: typer.Context, incomplete: str) -> list[Named]:
    """Each with the last question of its conversation."""
    found: dict[str, str] = {}
    for run in _latest(context):
        if run.thread is not None:
            found.setdefault(run.thread, run.question)
    return _named(list(found.items()), incomplete)


def _latest(context: typer.Context) -> "list[Run]":
    with _runs() as found:
        return found.latest(_scope(context), _MOST_RUNS) if found else []


def _scope(context: typer.Context) -> Scope:
    """What the line names so far, before or after the command."""
    return Scope(_given(context, "workspace") or DEFAULT_WORKSPACE, _given(context, "user"))


def _given(context: Any, name: str) -> str | None:
    while context is not None:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            return str(context.params[name])
        context = context.parent
    return None


def _beginning(names: Sequence[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _named(found: Sequence[Named], incomplete: str) -> list[Named]:
    return [(value, " ".join(told.split())[:_LONGEST]) for value, told in found if value.startswith(incomplete)]


@contextmanager
def _catalogue() -> "Iterator[Catalogue | None]":
    from docmind.corpus.catalogue import Catalogue

    with _opened("catalogue.db") as engine:
        yield Catalogue(engine) if engine is not None else None


@contextmanager
def _runs() -> "Iterator[Runs | None]":
    from docmind.memory.runs import Runs

    with _opened("runs.db") as engine:
        yield Runs(engine) if engine is not None else None


@contextmanager
def _opened(file: str) -> "Iterator[Engine | None]":
    from docmind.database import look_into
    from docmind.settings import Settings

    settings = Settings.load()
    engine = look_into(settings.database.url, settings.home / file)
    try:
        yield engine
    finally:
        if engine is not None:
            engine.dispose()
