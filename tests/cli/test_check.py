"""`docmind check`: a text, a file or standard input, marked sentence by sentence."""

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from docx import Document
from rich.console import Console

from docmind.cli.check import show_check
from docmind.domain.answers import Finding, TextCheck, TextClaim

DocMind = Callable[..., Any]

COPIED = "The purchase is to close on 30 June."
CHANGED = "The purchase is to close on 30 July."
FOREIGN = "The wizard flew to Mars on seventy dragons."
TEXT = f"{COPIED} {CHANGED} {FOREIGN}"
FIELDS = [
    "text", "start", "end", "status", "probability", "quote", "document", "title", "source", "page", "quote_start",
    "quote_end",
]  # fmt: skip


def statuses(outcome: Any) -> list[tuple[str, str]]:
    assert outcome.code == 0, outcome.err
    return [(claim["text"], claim["status"]) for claim in json.loads(outcome.out)["claims"]]


def test_a_person_sees_a_mark_a_sentence_the_quote_its_place_and_a_count(filled: DocMind) -> None:
    told = filled("check", TEXT)
    assert (told.code, told.err) == (0, "")
    lines = told.out.splitlines()
    assert [line for line in lines if line[:1].strip()] == [
        f"✓   {COPIED}",
        f"✗   {CHANGED}",
        f"?   {FOREIGN}",
        "3 sentences: 1 supported, 1 contradicted, 1 not found",
    ]
    assert lines[1] == lines[4] == f"    “{COPIED}”"
    start, end = lines[2].rpartition(" ")[2].split("–")
    assert lines[2] == f"    minutes.md, characters {start}–{end}"
    assert filled("documents", "show", "minutes.md", "--span", f"{start}:{end}").out.strip() == COPIED


def test_the_result_for_programs_has_every_field_of_a_sentence(filled: DocMind) -> None:
    told = filled("check", "--json", TEXT)
    claims = json.loads(told.out)["claims"]
    assert [list(claim) for claim in claims] == [FIELDS] * 3
    assert [TEXT[claim["start"] : claim["end"]] for claim in claims] == [COPIED, CHANGED, FOREIGN]
    assert [claim["status"] for claim in claims] == ["supported", "contradicted", "not_found"]
    assert (claims[0]["source"], claims[0]["quote"]) == ("minutes.md", COPIED)
    assert claims[2]["quote"] is None


def test_words_need_no_quotation_marks(filled: DocMind) -> None:
    assert statuses(filled("check", "--json", *COPIED.split())) == [(COPIED, "supported")]


def test_a_draft_in_markdown_is_read_from_its_file(filled: DocMind, tmp_path: Path) -> None:
    (tmp_path / "draft.md").write_text(f"# What the board decided\n\n{COPIED}\n\n- {FOREIGN}\n", encoding="utf-8")
    assert statuses(filled("check", "--json", tmp_path / "draft.md")) == [(COPIED, "supported"), (FOREIGN, "not_found")]


def test_a_draft_in_word_is_read_from_its_file_without_its_titles(filled: DocMind, tmp_path: Path) -> None:
    draft = Document()
    draft.add_heading("What the board decided in spring", level=1)
    draft.add_paragraph(COPIED)
    draft.add_heading("And what it did not", level=2)
    draft.add_paragraph(FOREIGN)
    draft.save(str(tmp_path / "draft.docx"))
    assert statuses(filled("check", "--json", tmp_path / "draft.docx")) == [
        (COPIED, "supported"),
        (FOREIGN, "not_found"),
    ]


@pytest.mark.parametrize("sent", [COPIED.encode(), b"\xff " + COPIED.encode()], ids=["text", "not all of it text"])
def test_standard_input_is_read(filled: DocMind, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sent), encoding="utf-8"))
    ((text, status),) = statuses(filled("check", "--json", "-"))
    assert (text.removeprefix("\ufffd "), status) == (COPIED, "supported")


def test_a_text_that_asserts_nothing_says_so(filled: DocMind) -> None:
    told = filled("check", "When is the purchase to close?")
    assert (told.code, told.out) == (0, "No sentence in the text makes a claim.\n")


def test_what_cannot_be_checked_is_one_line(filled: DocMind, tmp_path: Path) -> None:
    (tmp_path / "torn.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<< /Type /Cat")
    for given, said in {
        " ": "The text is empty.",
        "The mill burned. " * 300: "The text has 300 sentences that assert something;",
        "word " * 30_000: "The text has 150,000 characters; at most 100,000 can be checked at once.",
        "nothing.docx": "There is no file 'nothing.docx'.",
        str(tmp_path): f"{str(tmp_path)!r} is not a file.",
        str(tmp_path / "torn.pdf"): "torn.pdf is not a whole PDF file",
    }.items():
        refused = filled("check", given)
        assert (refused.code, refused.out) == (1, "")
        assert refused.err.startswith(f"docmind: {said}")


def test_an_empty_workspace_says_so(filled: DocMind) -> None:
    refused = filled("check", COPIED, "--workspace", "other")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err == "docmind: Workspace 'other' has no documents to check a text against: add some first.\n"


def test_what_a_document_or_a_text_says_does_not_steer_the_terminal(filled: DocMind) -> None:
    told = filled("check", f"The \x1b[31mwizard\x1b[0m flew [bold]far[/bold]. {COPIED}")
    assert told.code == 0
    assert "\x1b" not in told.out
    assert "[bold]far[/bold]" in told.out


def test_on_a_terminal_long_sentences_are_wrapped_below_their_mark() -> None:
    long = f"{FOREIGN[:-1]} {'and further ' * 12}north."
    claim = TextClaim(
        text=long,
        start=0,
        end=len(long),
        status=Finding.CONTRADICTED,
        probability=0.2,
        quote=f"They flew {'and flew ' * 12}.",
        document="d",
        title="Flights",
        source="flights.pdf",
        page=3,
        quote_start=40,
        quote_end=160,
    )
    terminal = io.StringIO()
    show_check(Console(file=terminal, force_terminal=True, width=60, no_color=True), TextCheck(claims=[claim]))
    *shown, empty, count = re.sub(r"\x1b\[[\d;]*m", "", terminal.getvalue()).splitlines()
    assert (empty, count) == ("", "1 sentence: 1 contradicted")
    assert shown[0].startswith("✗   The wizard flew")
    assert all(line.startswith("    ") and len(line) <= 60 for line in shown[1:])
    assert shown[-1] == "    flights.pdf, page 3, characters 40–160"
