"""Completion as somebody at a real bash meets it, and what it may name."""

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DocMind = Callable[..., Any]

BIN = Path(sys.executable).parent
PATIENCE_S = 120


@pytest.fixture
def complete(docmind: DocMind, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """What bash is told may come where a line ends."""

    def call(line: str) -> list[str]:
        words = line.split(" ")
        monkeypatch.setenv("COMP_WORDS", "\n".join(words))
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        monkeypatch.setenv("_DOCMIND_COMPLETE", "complete_bash")
        told = docmind()
        assert told.code == 0
        monkeypatch.delenv("_DOCMIND_COMPLETE")
        return [each for each in told.out.splitlines() if each]

    return call


def test_commands_and_options_are_completed(complete: Callable[[str], list[str]]) -> None:
    assert complete("docmind sea") == ["search"]
    assert complete("docmind runs re") == ["resume"]
    assert "--most-wrong" in complete("docmind ask --")
    assert complete("docmind ask --workflow f") == ["finance"]
    assert complete("docmind graph chat") == ["chat", "chat-simple"]


def test_names_come_from_the_data_folder(filled: DocMind, complete: Callable[[str], list[str]], tmp_path: Path) -> None:
    (tmp_path / "My notes.md").write_text("# Notes\n\nThe boiler was serviced in May.\n")
    filled("ingest", tmp_path / "My notes.md", "--workspace", "home")
    filled("workspaces", "create", "empty")
    filled("ask", "how much did the Halden mill cost?", "--workflow", "chat", "--thread", "mill")

    assert complete("docmind ask -w ") == ["default", "empty", "home"]
    assert complete("docmind documents show ") == ["papers/guide.md", "papers/minutes.md", "papers/prices.csv"]
    assert complete("docmind documents show gui") == ["guide.md"]
    assert complete("docmind documents show -w home ") == ["My\\ notes.md"]
    assert complete("docmind documents -w home show ") == ["My\\ notes.md"]
    assert complete("docmind chat --thread m") == ["mill"]
    assert complete("docmind chat -w home --thread m") == []
    (run,) = complete("docmind runs show ")
    assert filled("runs", "show", run).code == 0


def test_before_there_is_a_data_folder_nothing_is_named_and_none_is_made(
    complete: Callable[[str], list[str]], tmp_path: Path
) -> None:
    assert complete("docmind documents show ") == complete("docmind ask -w ") == []
    assert not (tmp_path / "data").exists()


def test_a_damaged_store_leaves_the_line_as_it_is(filled: DocMind, tmp_path: Path) -> None:
    (tmp_path / "data" / "catalogue.db").write_bytes(b"no database")
    asked = {"COMP_WORDS": "docmind\ndocuments\nshow\n", "COMP_CWORD": "3", "_DOCMIND_COMPLETE": "complete_bash"}
    told = subprocess.run([BIN / "docmind"], env=os.environ | asked, capture_output=True, text=True, check=False)
    assert (told.stdout, told.stderr) == ("", "")


def test_the_tab_key_completes_in_a_real_bash(filled: DocMind) -> None:
    assert b"docmind documents show guide.md" in typed("docmind docum\tshow guid\t", until=b"guide.md")


def test_it_is_installed_for_the_shell_that_asks(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "PATH": f"{BIN}:{os.environ['PATH']}"}
    told = subprocess.run(
        ["bash", "--norc", "-c", "docmind --install-completion; true"],
        env=os.environ | home,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.startswith(f"Completion for bash is installed in {tmp_path}/"), told
    loaded = subprocess.run(
        ["bash", "--norc", "-c", f"source {tmp_path}/.bashrc; complete -p docmind"],
        env=os.environ | home,
        capture_output=True,
        text=True,
        check=True,
    )
    assert loaded.stdout.endswith("docmind\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell_is_printed(docmind: DocMind, shell: str) -> None:
    told = docmind("completion", shell)
    assert told.code == 0
    assert f"_DOCMIND_COMPLETE=complete_{shell}" in told.out


def test_another_shell_is_refused_with_those_there_are(docmind: DocMind) -> None:
    refused = docmind("completion", "tcsh")
    assert refused.code == 2
    assert "'bash', 'zsh', 'fish'" in refused.err


def typed(keys: str, *, until: bytes) -> bytes:
    """What a terminal shows after somebody typed this into a bash that completes, up to the words that are awaited."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(PATH=f"{BIN}:{os.environ['PATH']}", PS1="ready> ", TERM="dumb")
        os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
    try:
        _read(terminal, b"ready> ")
        os.write(terminal, b"source <(docmind completion bash)\n")
        _read(terminal, b"ready> ")
        os.write(terminal, keys.encode())
        return _read(terminal, until)
    finally:
        os.write(terminal, b"\x03exit\n")
        os.close(terminal)
        os.waitpid(child, 0)


def _read(terminal: int, until: bytes) -> bytes:
    shown, last = b"", time.monotonic() + PATIENCE_S
    while until not in shown:
        ready, _, _ = select.select([terminal], [], [], max(0.0, last - time.monotonic()))
        assert ready, shown
        shown += os.read(terminal, 4096)
    return shown
