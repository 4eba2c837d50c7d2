"""At the keyboard too: a workspace and a user see their own, whichever ids of others are typed."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from docmind.cli.main import run
from docmind.cli.terminal import print_json, printable
from docmind.domain.errors import ModelError
from tests.abuse.conftest import Dweller, House
from tests.stores import copied

Call = Callable[..., tuple[int, str]]
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x9b31m\x08\x7f\u202etxt.exe\u2066"
"""What sets a terminal's title, clears it, colours it, deletes from it and turns names round."""


@pytest.fixture
def docmind(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    """Run a command line in this process; its exit code, and all it printed."""
    monkeypatch.setenv("DOCMIND_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("DOCMIND_MODELS__EMBEDDER", "static")
    monkeypatch.setenv("DOCMIND_INGEST__WORKERS", "1")

    def call(*arguments: str | Path) -> tuple[int, str]:
        code = run([str(argument) for argument in arguments])
        return code, "".join(capfd.readouterr())

    return call


@pytest.fixture
def within(docmind: Call, house: House, tmp_path: Path) -> Call:
    """As somebody who lives in a copy of the house."""
    copied(house.data, tmp_path / "data")

    def call(who: Dweller, *arguments: str) -> tuple[int, str]:
        return docmind(*arguments, "--workspace", who.scope.workspace, "--user", who.scope.user or "")

    return call


COMMANDS = {
    "documents": ("documents show {}", "documents show {} --span 0:40", "documents delete {} -y"),
    "runs": ("runs show {}", "runs resume {}", "runs delete {} -y", "replay {}"),
    "threads": ("threads show {}", "threads export {}", "threads delete {} -y"),
}  # fmt: skip


def test_no_command_reaches_what_another_has(within: Call, house: House) -> None:
    for one, other in zip(house.dwellers, (*house.dwellers[1:], house.dwellers[0]), strict=True):
        for kind, commands in COMMANDS.items():
            asked, strange = other.references[kind][0], "0" * 32
            for command in commands:
                met, nothing = (
                    within(one, *[part.format(name) for part in command.split()]) for name in (asked, strange)
                )
                assert met[0] == 1
                assert met[1].replace(repr(asked), "…") == nothing[1].replace(repr(strange), "…")
    for one in house.dwellers:
        shown = "".join(
            within(one, *command)[1] for command in (("runs",), ("threads",), ("documents",), ("search", "budget"))
        )
        assert one.document.id[:8] in shown
        assert not any(
            other.document.id[:8] in shown or other.is_told_in(shown) for other in house.dwellers if other is not one
        )


def test_nothing_a_document_holds_steers_the_terminal(docmind: Call, tmp_path: Path) -> None:
    papers = tmp_path / f"papers {ESCAPES}"
    papers.mkdir()
    # So much of it that it is still taken for text.
    filler = "The wall has no other opening. " * 300
    (papers / f"gate {ESCAPES}.md").write_text(f"# Gate {ESCAPES}\n\nThe gate {ESCAPES} opens at seven.\n\n{filler}\n")
    (papers / f"torn {ESCAPES}.pdf").write_bytes(b"%PDF-1.7\n1 0 obj")
    shown = [docmind("ingest", papers), docmind("documents"), docmind("search", "gate opens")]
    shown += [docmind("ask", "When does the gate open?"), docmind("ask", f"When does {ESCAPES} open?", "--trace")]
    shown += [
        docmind("runs"),
        docmind("ask", "--json", "When does the gate open?"),
        docmind("documents", "show", ESCAPES),
    ]
    shown += [docmind(f"--{ESCAPES}"), docmind("ingest", f"no {ESCAPES}"), docmind("ask", "--thread", ESCAPES, "x")]
    assert "at seven" in shown[3][1]
    for _, text in shown:
        assert text
        assert printable(text) == text


def test_json_for_programs_is_the_same_and_steers_no_terminal_either(capfd: pytest.CaptureFixture[str]) -> None:
    print_json({ESCAPES: [ESCAPES, "Zoë 💶\n"]})
    told = capfd.readouterr().out
    assert printable(told) == told
    assert "Zoë 💶" in told
    assert json.loads(told) == {ESCAPES: [ESCAPES, "Zoë 💶\n"]}


def test_what_a_model_s_server_says_when_it_fails_is_printed_as_text(capfd: pytest.CaptureFixture[str]) -> None:
    from docmind.cli.errors import report

    assert report(ModelError(f"The model said: {ESCAPES}"), debug=True) == 1
    told = capfd.readouterr().err
    assert "docmind: The model said:" in told
    assert printable(told) == told
