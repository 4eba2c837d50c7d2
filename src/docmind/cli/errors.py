"""Errors at the command line: whatever went wrong inside becomes one line and an exit code."""

import textwrap
import traceback

import typer

from docmind.cli.wrapping import echo, say
from docmind.domain.errors import DocMindError

FAILED = 1
INTERRUPTED = 130

_LONGEST_LINE = 800


def report(error: BaseException, *, debug: bool = False) -> int:
    """Say what happened on standard error, with the traceback where it was asked for; returns the exit code."""
    # Here, because what prints takes longer to import than most commands take.
    from docmind.cli.terminal import printable

    if debug:
        echo(printable("".join(traceback.format_exception(error))), err=True, nl=False)
    message, code = explain(error)
    # A model, a server or a file may have worded it.
    say(f"docmind: {textwrap.shorten(printable(message), _LONGEST_LINE, placeholder=' …')}", err=True)
    return code


def explain(error: BaseException) -> tuple[str, int]:
    match error:
        case KeyboardInterrupt():
            return str(error) or "Interrupted.", INTERRUPTED
        case typer.Abort():
            return "Stopped. Nothing was changed.", FAILED
        case typer.TyperException():
            return _usage(error), error.exit_code
        case DocMindError():
            return str(error), FAILED
        case OSError() if error.filename is not None:
            return f"{str(error.filename)!r} cannot be used: {error.strerror}.", FAILED
        case _:
            said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            return f"Something unexpected went wrong ({said}). `docmind --debug …` shows where.", FAILED


def _usage(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    sentence = error.format_message().strip()
    sentence = sentence if sentence.endswith((".", "?")) else f"{sentence}."
    return f"{sentence} See `{context.command_path} --help`." if context else sentence
