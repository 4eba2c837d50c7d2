"""`docmind completion`: what a shell needs to complete commands, options and the names of what there is."""

import os
import re
from enum import StrEnum
from typing import Annotated, Any

import typer

PROGRAM = "docmind"
VARIABLE = "_DOCMIND_COMPLETE"
"""Set by the shell when it asks what may come next."""

_NOT_PLAIN = re.compile(r"([^\w@%+=:,./-])")


class Shell(StrEnum):
    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completion(shell: Annotated[Shell, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")]) -> None:
    """Print the script that lets your shell complete DocMind's commands, options and names.

    `docmind --install-completion` installs it for the shell you are in. To try it in this session alone:

    \b
    Example:
      source <(docmind completion bash)
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    typer.echo(get_completion_script(prog_name=PROGRAM, complete_var=VARIABLE, shell=shell))


def install(wanted: bool) -> None:
    """Put the script where the shell that is running finds it, and say where that is."""
    if not wanted:
        return
    from shellingham import ShellDetectionFailure, detect_shell  # type: ignore[import-untyped]
    from typer.completion import install as put  # type: ignore[attr-defined]

    try:
        shell = Shell(detect_shell()[0])
    except (ShellDetectionFailure, ValueError):
        raise typer.BadParameter(
            f"DocMind can complete in {', '.join(Shell)}, and this is none of them. "
            "`docmind completion bash` prints the script for bash.",
            param_hint="--install-completion",
        ) from None
    _, file = put(shell=shell, prog_name=PROGRAM, complete_var=VARIABLE)
    typer.echo(f"Completion for {shell} is installed in {file}. Open a new terminal to use it.")
    raise typer.Exit


def answer_shell(command: Any) -> int | None:
    """Say what may come next where a shell asks, and return the exit code; None where a person started the program."""
    instruction = os.environ.get(VARIABLE)
    if not instruction:
        return None
    from typer.completion import (  # type: ignore[attr-defined]
        completion_init,
        shell_complete,
        shell_completion,
    )

    completion_init()
    plain = shell_completion.get_completion_class(Shell.BASH)

    class Bash(plain):  # type: ignore[misc,valid-type]
        def format_completion(self, item: object) -> str:
            """As it has to be typed: a document's name may hold spaces."""
            return _NOT_PLAIN.sub(r"\\\1", super().format_completion(item))

    shell_completion.add_completion_class(Bash, Shell.BASH)
    try:
        return int(shell_complete(command, {}, PROGRAM, VARIABLE, instruction))
    except Exception:  # noqa: BLE001 - the edge: a store that cannot be read must not fill the line with errors
        return 1
