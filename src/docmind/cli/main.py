"""The program `docmind`, from its start to its end; what a command needs is loaded when one is run."""

import os
import sys
from collections.abc import Sequence

from docmind.version import VERSION

BROKEN_PIPE = 141
INTERRUPTED = 130


def main() -> None:
    # Checking multiplies many small matrices, and threads that share one spend their time waiting for each other: it
    # takes three times as long with two. Models bring threads of their own. Read when numpy is first imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Names of files may hold bytes that no encoding can print; a replacement beats a crash.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit code."""
    try:
        if list(arguments) == ["--version"]:
            sys.stdout.write(f"docmind {VERSION}\n")
            sys.stdout.flush()
            return 0
        if arguments[:1] == ["ask"]:
            from docmind.cli.service_client import perform_by_service

            if (code := perform_by_service(arguments)) is not None:
                return code
        from docmind.cli.commands import perform

        return perform(arguments)
    except BrokenPipeError:
        # Whoever read the output has seen enough. The interpreter's last flush must not complain about it either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        # Before a command had begun, or again while it ended.
        sys.stderr.write("docmind: Interrupted.\n")
        return INTERRUPTED
