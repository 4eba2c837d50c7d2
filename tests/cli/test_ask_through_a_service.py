"""`docmind ask` beside a running service: the same to the letter, without loading what answers it."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

import httpx
import pytest

from docmind.cli import commands, service_client
from docmind.domain import socket_file
from tests.cli.at_terminal import shown
from tests.cli.test_ask_finance import GROWTH, REPORT
from tests.cli.test_ask_strategy import PAPERS
from tests.cli.test_ask_strategy import QUESTION as DISPUTED
from tests.cli.test_serve import started
from tests.cli.test_starting import loaded_by

DocMind = Callable[..., Any]

QUESTION = "What did the board approve the purchase of?"
LINES = [
    [QUESTION],
    [QUESTION, "--json"],
    [QUESTION, "--trace"],
    ["Who sold the Halden mill?"],
    ["Who won the chess championship in Reykjavik?", "--json"],
    [QUESTION, "--most-wrong", "0.0001"],
    ["Hello there!"],
    ["???"],
    ["\x01\x02\x7f\udcff\udcfe 東京都"],
    [DISPUTED, "--workflow", "strategy", "--workspace", "strategy"],
    [DISPUTED, "--workflow", "strategy", "--workspace", "strategy", "--json"],
    [GROWTH, "--workflow", "finance", "--workspace", "finance", "--charts", "pictures/new"],
    [GROWTH, "--workflow", "finance", "--workspace", "finance", "--json"],
    [GROWTH, "--workflow", "finance", "--workspace", "finance", "--charts", "taken"],
    ["What about it?", "--workflow", "chat", "--conversational", "--thread", "THREAD"],
    [QUESTION, "--workflow", "chat", "--simple", "--user", "ann"],
    [QUESTION, "--workspace", "empty"],
    [QUESTION, "--workspace", "empty", "--json"],
    [QUESTION, "--workspace", "a/b"],
    [QUESTION, "--workflow", "poetry"],
    [QUESTION, "--thread", "T"],
    [QUESTION, "--max-retries", "3"],
    [QUESTION, "--most-wrong", "20"],
    [QUESTION, "--no-such-option"],
    ["x" * 100_000],
    ["  "],
    [],
    ["--help"],
]


@contextmanager
def serving(data: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A service that performs commands already."""
    with started(*arguments) as (process, address):
        while (line := socket_file.connect(data / service_client.SOCKET)) is None:
            time.sleep(0.02)
        line.close()
        yield process, address


@pytest.fixture
def data(filled: DocMind, tmp_path: Path) -> Path:
    """The data folder, with the papers in it."""
    return tmp_path / "data"


@pytest.fixture
def performed_here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that were not performed by a service."""
    here: list[str] = []
    perform = commands.perform

    def noted(arguments: list[str]) -> int:
        here.append(" ".join(arguments))
        return perform(arguments)

    monkeypatch.setattr(commands, "perform", noted)
    return here


def without_what_differs(text: str) -> str:
    """What no two runs have in common: their ids and how long they and their steps took."""
    short = "|".join(rf"(?<={before})[0-9a-f]{{8}}" for before in ("run ", "resume ", "docmind-"))
    text = re.sub(rf"\b(?:[0-9a-f]{{32}}|{short})\b", "RUN", re.sub(r" +", " ", text))
    text = re.sub(r'("(?:seconds|started)": )[\d.e-]+', r"\1TIME", text)
    # In the panel of scores the steps' times are numbers on lines of their own.
    return re.sub(r"\b[\d.]+ m?s\b|^ [\d.e-]+(?=,?$)", "TIME", text, flags=re.MULTILINE)


def test_whatever_is_asked_the_same_is_printed(
    filled: DocMind, data: Path, tmp_path: Path, performed_here: list[str]
) -> None:
    for name, text in {
        "finance/anvil.md": REPORT,
        **{f"strategy/{name}": text for name, text in PAPERS.items()},
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    for workspace in ("finance", "strategy"):
        assert filled("ingest", tmp_path / workspace, "--workspace", workspace).code == 0
    (tmp_path / "taken").write_text("A file where a folder is wanted.")

    def told(line: list[str], thread: str) -> list[str]:
        done = filled("ask", *(part.replace("THREAD", thread) for part in line))
        pictures = [f"{len(list(tmp_path.glob('pictures/new/*.png')))} pictures"]
        return [str(done.code), *(without_what_differs(done.out + done.err)).splitlines(), *pictures]

    alone = [told(line, "alone") for line in LINES]
    for picture in tmp_path.glob("pictures/new/*"):
        picture.unlink()
    performed_here.clear()
    with serving(data):
        for line, before in zip(LINES, alone, strict=True):
            pairs = zip_longest(told(line, "service"), before)
            assert [(now, then) for now, then in pairs if now != then] == [], line
    assert performed_here == ["ask --help"]
    shown = "\n".join(line for lines in alone for line in lines)
    for part in ("Which source should the answer follow?", "'a/b' cannot be a workspace name", "1 pictures"):
        assert part in shown


def test_on_a_terminal_the_same_is_shown(data: Path) -> None:
    def seen() -> list[str]:
        lines = [("ask", QUESTION), ("ask", QUESTION, "--trace"), ("ask", QUESTION, "--workspace", "nothing-here")]
        return [without_what_differs(shown(width, *line)) for width in (60, 120) for line in lines]

    alone = seen()
    with serving(data):
        assert seen() == alone


def test_next_to_nothing_is_loaded_for_it(data: Path) -> None:
    with serving(data):
        said, loaded = loaded_by(f"from docmind.cli.main import run; run(['ask', {QUESTION!r}])")
    assert "14.2 million euros" in said
    assert not loaded & {"typer", "rich", "pydantic", "numpy", "langgraph", "sqlalchemy", "asyncio", "http.client"}


def test_only_its_own_user_reaches_it_and_the_web_does_not(
    filled: DocMind, data: Path, performed_here: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data.chmod(0o755)
    assert filled("keys", "create", "--workspace", "default").code == 0
    performed_here.clear()
    with serving(data) as (_process, address):
        assert stat.S_IMODE(data.stat().st_mode) == 0o700
        assert stat.S_IMODE((data / service_client.SOCKET).stat().st_mode) == 0o600
        assert httpx.post(f"{address}/v1/ask", json={"question": QUESTION}, trust_env=False).status_code == 401
        assert "14.2 million euros" in filled("ask", QUESTION).out
        assert performed_here == []
        # What another user listens on is not told what is asked.
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        assert "14.2 million euros" in filled("ask", QUESTION).out
    assert performed_here == [f"ask {QUESTION}"]


@pytest.mark.parametrize(
    ("name", "value"), [("DOCMIND_DOCS__SECTIONS", "3"), ("CONVERSATIONAL_MODE", "true"), ("DOCMIND_MISSPELT", "1")]
)
def test_with_other_settings_a_command_answers_by_itself(
    filled: DocMind, data: Path, performed_here: list[str], monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    with serving(data):
        monkeypatch.setenv(name, value)
        filled("ask", QUESTION)
        # What the service alone depends on is nothing to the answer, and no reason to load everything once more.
        monkeypatch.delenv(name)
        monkeypatch.setenv("DOCMIND_SERVER__RUNS", "3")
        filled("ask", QUESTION)
    assert performed_here == [f"ask {QUESTION}"]


def test_settings_in_the_folder_count_and_a_change_is_followed(
    filled: DocMind, data: Path, performed_here: list[str], tmp_path: Path
) -> None:
    here = tmp_path / ".env"
    with serving(data):
        here.write_text("DOCMIND_ANSWERS__MOST_WRONG=0.0001\n")
        assert "you allow at most 0.01% wrong answers" in filled("ask", QUESTION).out
        assert performed_here == []
        # It is read at the start alone, so the service goes on with what it had.
        here.write_text("DOCMIND_SEARCH__CANDIDATES=7\n")
        assert "14.2 million euros" in filled("ask", QUESTION).out
    assert performed_here == [f"ask {QUESTION}"]


def test_another_version_is_not_asked(
    filled: DocMind, data: Path, performed_here: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(data):
        monkeypatch.setattr(service_client, "VERSION", "0.0.1")
        assert "14.2 million euros" in filled("ask", QUESTION).out
    assert performed_here == [f"ask {QUESTION}"]


def test_a_path_too_long_for_a_socket_is_no_hindrance(
    filled: DocMind, data: Path, performed_here: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    long = data.parent / ("a" * 60) / ("b" * 60)
    long.parent.mkdir()
    data.rename(long)
    monkeypatch.setenv("DOCMIND_DATA_DIR", str(long))
    with serving(long):
        assert "14.2 million euros" in filled("ask", QUESTION).out
    assert performed_here == []


def test_one_of_several_workers_performs_commands_and_another_when_that_one_dies(
    filled: DocMind, data: Path, performed_here: list[str]
) -> None:
    with serving(data, "--workers", "2") as (process, _address):
        assert "14.2 million euros" in filled("ask", QUESTION).out
        assert performed_here == []
        with serving(data):
            # A second service on the folder leaves it to the first.
            assert "14.2 million euros" in filled("ask", QUESTION).out
        assert "14.2 million euros" in filled("ask", QUESTION).out
        assert performed_here == []
        process.terminate()
        assert process.communicate(timeout=60)[0] == "Stopped.\n"
    assert not (data / service_client.SOCKET).exists()


@pytest.mark.fault(
    "kill -9",
    "`docmind serve`, before somebody asks at the command line",
    left="A socket that nobody listens on",
    seen="The command answers by itself; the next service listens again",
)
def test_the_socket_of_a_killed_service_is_no_hindrance(filled: DocMind, data: Path, performed_here: list[str]) -> None:
    with serving(data) as (process, _address):
        process.kill()
        process.wait()
    assert (data / service_client.SOCKET).exists()
    assert "14.2 million euros" in filled("ask", QUESTION).out
    assert performed_here == [f"ask {QUESTION}"]
    with serving(data):
        assert "14.2 million euros" in filled("ask", QUESTION).out
    assert performed_here == [f"ask {QUESTION}"]


@pytest.fixture
def hanging(chat_server: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A chat model that never answers."""
    monkeypatch.setenv("DOCMIND_MODELS__CHAT", f"{chat_server.url}#m")
    chat_server.play(chat_server.hangs())
    return chat_server


@contextmanager
def asking(chat_server: Any) -> Iterator[subprocess.Popen[str]]:
    """A command whose run is under way."""
    command = [str(Path(sys.executable).with_name("docmind")), "ask", QUESTION]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            while not chat_server.requests:
                time.sleep(0.02)
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("service", [False, True], ids=["alone", "through a service"])
def test_an_interrupted_command_stops_the_run_and_says_how_to_go_on(
    filled: DocMind, data: Path, hanging: Any, service: bool
) -> None:
    with serving(data), asking_alone_or_not(hanging, service) as process:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    while (run := json.loads(filled("runs", "--json").out)[0])["state"] == "running":
        time.sleep(0.02)
    told = "docmind: Interrupted. Continue with `docmind runs resume {}`.\n".format(run["run_id"][:8])
    assert (process.returncode, out) == (130, "")
    assert err.splitlines(keepends=True)[-1] == told
    assert (run["state"], run["reason"]) == ("stopped", "It was interrupted.")


@contextmanager
def asking_alone_or_not(chat_server: Any, service: bool) -> Iterator[subprocess.Popen[str]]:
    with pytest.MonkeyPatch.context() as patch:
        if not service:
            patch.setenv("DOCMIND_CHAT__PASSAGES", "7")
        with asking(chat_server) as process:
            yield process


def test_whoever_interrupts_it_twice_is_not_kept_waiting(data: Path, hanging: Any) -> None:
    with serving(data) as (service, _address), asking(hanging) as process:
        # It cannot have the last word.
        service.send_signal(signal.SIGSTOP)
        process.send_signal(signal.SIGINT)
        time.sleep(1)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "docmind: Interrupted."


@pytest.mark.fault(
    "kill -9",
    "`docmind serve`, while it answers a command",
    left="The run, at its last finished node",
    seen="“The service that performed this command has ended. … `docmind runs resume RUN` goes on with it.”",
)
def test_a_service_that_is_killed_in_mid_answer_leaves_a_run_to_go_on_with(
    filled: DocMind, data: Path, hanging: Any
) -> None:
    with serving(data) as (service, _address), asking(hanging) as process:
        service.kill()
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, "")
    assert err.endswith(
        "docmind: The service that performed this command has ended. What it had begun is kept: `docmind runs` lists "
        "it, and `docmind runs resume RUN` goes on with it.\n"
    )
    hanging.play(hanging.fails(400))
    (run,) = json.loads(filled("runs", "--json").out)
    assert "14.2 million euros" in filled("runs", "resume", run["run_id"]).out


def test_a_service_that_is_stopped_in_mid_answer_says_which_run_to_go_on_with(
    filled: DocMind, data: Path, hanging: Any
) -> None:
    with serving(data) as (service, _address), asking(hanging) as process:
        service.terminate()
        out, err = process.communicate(timeout=60)
        assert service.communicate(timeout=60) == ("Stopped.\n", "")
    hanging.play(hanging.fails(400))
    (run,) = json.loads(filled("runs", "--json").out)
    assert (process.returncode, out) == (1, "")
    assert err.endswith(f"docmind: The service is stopping. Run {run['run_id']} can be resumed when it is back.\n")
    assert "14.2 million euros" in filled("runs", "resume", run["run_id"]).out


@pytest.mark.parametrize(
    "sent", [b"", b"\n", b"{}\n", b"[1]\n", b"\xff\xfe\n", b'{"installation": "x", "settings": "y", "arguments": 7}\n']
)
def test_what_no_program_of_ours_sends_is_not_accepted(filled: DocMind, data: Path, sent: bytes) -> None:
    with serving(data) as (process, _address):
        line = socket_file.connect(data / service_client.SOCKET)
        assert line is not None
        with line:
            line.sendall(sent)
            assert line.recv(1) == b""
        process.terminate()
        assert process.communicate(timeout=60) == ("Stopped.\n", "")
