"""The real program, started as a person starts it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]


def test_a_folder_is_ingested_searched_shown_and_deleted(program: Program, docmind: Program, papers: Path) -> None:
    ingested = program("ingest", papers)
    assert ingested.code == 0
    assert ingested.out.splitlines()[-1].startswith("4 files: 3 added, 1 rejected; ")
    assert "rejected  papers/torn.pdf: " in ingested.out
    assert ingested.err == ""

    found = program("search", "how much did the Halden mill cost?", "--limit", "1")
    assert found.code == 0
    assert "14.2 million euros" in found.out
    assert "papers/minutes.md, characters " in found.out
    assert "\x1b" not in found.out

    hit = json.loads(docmind("search", "how much did the Halden mill cost?", "--json").out)[0]
    shown = docmind("documents", "show", hit["document"], "--span", f"{hit['start']}:{hit['end']}")
    assert shown.out == hit["text"]

    assert program("documents", "delete", "minutes.md", "--yes").out == "deleted  papers/minutes.md\n"
    left = {row["name"] for row in json.loads(docmind("documents", "--json").out)}
    assert left == {"papers/guide.md", "papers/prices.csv"}


def test_output_read_by_a_program_that_stops_early_ends_in_silence(filled: Program) -> None:
    command = [str(Path(sys.executable).with_name("docmind")), "documents"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def _heed_interrupts() -> None:
    """Programs that a shell started in the background inherit that interrupts are ignored, tests among them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_interrupted_ingest_says_so_in_one_line_and_goes_on_later(program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(20):
        (folder / f"{number}.md").write_text(f"# Note {number}\n\nThe value of item {number} is {number * 7}.\n")
    # It takes far longer to read than the interrupt takes to come, and is not there when the ingest goes on.
    book = folder / "book.txt"
    book.write_text("\n\n".join(f"Chapter {number}. The value of item {number} rose." for number in range(200_000)))
    process = subprocess.Popen(
        [str(Path(sys.executable).with_name("docmind")), "ingest", str(folder)],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_heed_interrupts,  # noqa: PLW1509 - it touches nothing that a thread could hold
    )
    lock = tmp_path / "data" / "index" / "lock"
    while not lock.exists() and process.poll() is None:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    _, told = process.communicate()
    assert process.returncode == 130
    assert told == "docmind: Interrupted. What was finished is kept. Run the same command again to continue.\n"
    book.unlink()
    report = json.loads(program("ingest", folder, "--json").out)
    assert report["added"] + report["unchanged"] == 20


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_it_introduces_itself(program: Program, argument: str) -> None:
    told = program(argument)
    assert told.code == 0
    assert "docmind" in told.out
    assert told.err == ""
