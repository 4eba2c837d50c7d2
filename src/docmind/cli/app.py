"""What the program's commands are made of: help in whole sentences, and the commands of other packages among them."""

import re
from collections.abc import Callable, Collection, Sequence
from inspect import cleandoc
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from docmind.cli.wrapping import lines
from docmind.domain.errors import BenchError, DocMindError
from docmind.domain.extensions import Extensions, Unusable

_WIDEST = 10_000
"""A terminal is narrower, so its own width counts."""
_NARROWEST_COLUMN = 28
"""With less room beside the names, an explanation goes below its name."""
_BELOW = 6
_UNWRAPPED = "\b"
"""Before a block of lines that are kept as they are."""
_QUOTED = re.compile(r'"[^"]*"')
_RANGE = re.compile(r"(\d+)<=x<=(\d+)")
_AT_LEAST = re.compile(r"x>=(\d+)")


class Formatter(typer.Context.formatter_class):  # type: ignore[misc,valid-type]
    """Breaks lines at spaces only."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        opening = f"{'Usage: ' if prefix is None else prefix}{prog} "
        self.write("\n".join(self._lines(opening + args, 0, len(opening) if len(opening) < self.width // 2 else 4)))
        self.write("\n")

    def write_text(self, text: str) -> None:
        self.write("\n\n".join(self._paragraph(each) for each in cleandoc(text).split("\n\n")))
        self.write("\n")

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        names = [name for name, _ in rows if len(name) <= col_max]
        column = self.current_indent + col_spacing + max(map(len, names), default=0)
        below = self.width - column < _NARROWEST_COLUMN
        column = _BELOW if below else column
        for name, told in rows:
            first = f"{'':{self.current_indent}}{name}"
            told_lines = self._lines(" ".join(told.split()), column, column)
            if told_lines and not below and len(first) + col_spacing <= column:
                told_lines[0] = f"{first:{column}}{told_lines[0].lstrip()}"
            else:
                told_lines.insert(0, first)
            self.write("\n".join(told_lines) + "\n")

    def _paragraph(self, text: str) -> str:
        if not text.startswith(_UNWRAPPED):
            return "\n".join(self._lines(" ".join(text.split()), self.current_indent, self.current_indent))
        kept = text.removeprefix(_UNWRAPPED).strip("\n").split("\n")
        return "\n".join(self._command(f"{'':{self.current_indent}}{line}") for line in kept)

    def _command(self, line: str) -> str:
        """A command goes on over lines as a shell reads it, and not within quotes where they fit on a line."""
        if len(line) <= self.width:
            return line
        indent, width = len(line) - len(line.lstrip()) + 2, self.width - 2
        whole = _QUOTED.sub(
            lambda found: found[0].replace(" ", "\0") if len(found[0]) + indent <= width else found[0], line
        )
        return " \\\n".join(lines(whole, width, "", " " * indent)).replace("\0", " ")

    def _lines(self, text: str, first: int, others: int) -> list[str]:
        return lines(text, self.width, " " * first, " " * others)


class Context(typer.Context):
    formatter_class = Formatter


class _Whole:
    """What commands and groups of commands have in common."""

    context_class = Context

    def collect_usage_pieces(self, context: Any) -> list[str]:
        pieces: list[str] = super().collect_usage_pieces(context)  # type: ignore[misc]
        return [piece.replace("{", "").replace("}", "") for piece in pieces]

    def format_options(self, context: Any, formatter: Any) -> None:
        """Arguments by their names alone, and ranges in words."""
        arguments, options = [], []
        for param in self.get_params(context):  # type: ignore[attr-defined]
            if (record := param.get_help_record(context)) is None:
                continue
            name, told = record[0], _in_words(record[1])
            if param.param_type_name == "argument":
                arguments.append((name.partition(" ")[0], told))
            else:
                options.append((name, told))
        for heading, rows in (("Arguments", arguments), ("Options", options)):
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)


class Command(_Whole, TyperCommand):  # type: ignore[misc]
    """A command whose help is whole."""


class Group(_Whole, TyperGroup):  # type: ignore[misc]
    """Commands under one name, each listed with the whole first paragraph of its help."""

    def format_options(self, context: Any, formatter: Any) -> None:
        super().format_options(context, formatter)
        self.format_commands(context, formatter)

    def format_commands(self, context: Any, formatter: Any) -> None:
        found = [(name, self.get_command(context, name)) for name in self.list_commands(context)]
        rows = [(name, summary(command.help or "")) for name, command in found if command and not command.hidden]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


class App(typer.Typer):
    """Commands with plain help: it starts faster than boxed help and can be searched with grep."""

    def __init__(self, name: str, cls: type[Group] = Group) -> None:
        super().__init__(
            name=name,
            cls=cls,
            rich_markup_mode=None,
            add_completion=False,
            context_settings={"help_option_names": ["-h", "--help"], "max_content_width": _WIDEST},
        )

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        return super().command(name, **{"cls": Command, **settings})


def summary(text: str) -> str:
    """The first paragraph of a help text, in one line."""
    return " ".join(cleandoc(text).split("\n\n")[0].split())


def _in_words(told: str) -> str:
    return _AT_LEAST.sub(r"at least \1", _RANGE.sub(r"\1 to \2", told))


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
