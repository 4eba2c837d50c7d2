"""Writes what the code knows best into the documentation: every setting, the help of every command, every graph, and
the public Python API.

    python scripts/write_docs.py [FOLDER]

writes them to docs/ unless another folder is named. A test fails when a page is not what this script would write.
"""

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer
from pydantic import BaseModel

from api_page import api
from docmind.cli.commands import app
from docmind.runtime.configuration import takes_effect_at_once
from docmind.runtime.engine import DocMind
from docmind.runtime.settings import docstrings
from docmind.settings import Settings, variable, variables

DOCS = Path(__file__).resolve().parent.parent / "docs"
HELP_WIDTH = 100
BETWEEN_MARKS = re.compile(r"(?<=<!-- graphs -->\n).*?(?=<!-- /graphs -->)", re.DOTALL)
INTRODUCTION = """# Settings

Every choice is an environment variable, or a line of the file `~/.docmind/.env`; the environment goes first. A file
`.env` in the folder where `docmind` is started is read too, and goes before your own; since it may have come with
somebody else's folder, it cannot set who sees your documents: models and their keys, Qdrant, PostgreSQL, and the names
of the service ([why](security.md)). A misspelt name is an error, and a variable set to nothing is not set. `docmind
settings` shows what is set and where, `docmind doctor --settings` everything; `.env.example` is a file to start from.

There are three ways to write into `~/.docmind/.env`: an editor, `docmind settings set answers.most_wrong 0.2` (for
the chat model also `docmind models use NAME`), and the settings [on the page](web.md#settings). The last two check a
value first and refuse what is set in the environment. A running service follows the file: what is marked **now**
below is used from the next question on, by every worker of the machine, and a question that is being answered keeps
the settings it began with. Everything else is used from the next start on ([why](decisions/settings-of-a-folder.md)).
"""


def main(folder: Path) -> None:
    (folder / "configuration.md").write_text(configuration(), encoding="utf-8")
    (folder / "commands.md").write_text(commands(), encoding="utf-8")
    (folder / "api.md").write_text(api(), encoding="utf-8")
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    (folder / "architecture.md").write_text(BETWEEN_MARKS.sub(lambda _: graphs(), page), encoding="utf-8")


def configuration() -> str:
    """The settings' own docstrings beside their variables and defaults, a table a group."""
    fields = Settings.model_fields
    groups = {name: type(field.default) for name, field in fields.items() if isinstance(field.default, BaseModel)}
    parts = [INTRODUCTION, _table(Settings, "", [name for name in fields if name not in groups])]
    for name, group in groups.items():
        parts.append(f"## {name.capitalize()}\n\n{inspect.getdoc(group)}\n")
        parts.append(_table(group, f"{name}__", list(group.model_fields)))
    return "\n".join(parts)


def _table(settings: type[BaseModel], prefix: str, names: list[str]) -> str:
    defaults, meanings = variables(), docstrings(settings)
    lines = ["| variable | default | used | meaning |", "|---|---|---|---|"]
    for name in names:
        chosen = variable(f"{prefix}{name}")
        default = f"`{defaults[chosen]}`" if defaults[chosen] else ""
        used = "now" if takes_effect_at_once(f"{prefix}{name}".replace("__", ".")) else ""
        lines.append(f"| `{chosen}` | {default} | {used} | {meanings[name]} |")
    return "\n".join(lines) + "\n"


def commands() -> str:
    """What `--help` says, command by command."""
    sections = (
        f"\n## {path}\n\n```text\n{text}\n```\n" for path, text in _helps(typer.main.get_command(app), "docmind")
    )
    return "# Commands\n" + "".join(sections)


def _helps(command: Any, name: str, parent: typer.Context | None = None) -> Iterator[tuple[str, str]]:
    """The command's own help, then that of each command below it."""
    context = command.context_class(
        command, info_name=name, parent=parent, terminal_width=HELP_WIDTH, **command.context_settings
    )
    yield context.command_path, command.get_help(context)
    for below in command.list_commands(context) if hasattr(command, "list_commands") else ():
        yield from _helps(command.get_command(context, below), below, context)


def graphs() -> str:
    """Every workflow as it is wired, a diagram each, which GitHub and most readers of Markdown draw."""
    with TemporaryDirectory() as nowhere, DocMind(Settings(data_dir=Path(nowhere))) as engine:
        return "".join(
            f"\n### {each.title}\n\n{each.description}\n\n```mermaid\n{engine.drawing(each.name)}```\n\n"
            for each in engine.workflows()
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS)
