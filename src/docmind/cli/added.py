"""Commands of other packages, the benchmarks among them: found by entry point when one is asked for."""

from collections.abc import Collection
from typing import Any

import typer

from docmind.cli.help import App, Group
from docmind.domain.errors import BenchError, DocMindError
from docmind.domain.extensions import Extensions, Unusable

NO_BENCH = (
    "The benchmarks are a package of their own. Install it with `pip install docmind-bench`, "
    "or with `pip install ./bench` in a clone."
)


def added_commands(shipped: Collection[str]) -> Extensions[Any]:
    return Extensions("command", shipped, _misfit)


def _misfit(_: str, value: object) -> str:
    return "" if callable(value) else "is neither a function nor a Typer app"


class Program(Group):
    """The commands that ship and, after them, those that other packages add."""

    def list_commands(self, context: Any) -> list[str]:
        return [*super().list_commands(context), *added_commands(self.commands).usable()]

    def get_command(self, context: Any, name: str) -> Any:
        if command := super().get_command(context, name):
            return command
        try:
            found = added_commands(self.commands).get(name)
        except Unusable as error:
            raise DocMindError(str(error)) from error
        if found is None and name == "bench":
            raise BenchError(NO_BENCH)
        return None if found is None else _built(name, found)


def _built(name: str, found: Any) -> Any:
    app = found
    if not isinstance(found, typer.Typer):
        app = App(name)
        app.command(name)(found)
    return typer.main.get_command(app)
