"""What a chat model writes is tidied before it is judged: cut short where it loops, cited where it forgot to."""

import asyncio
from pathlib import Path

import pytest

from docmind.domain.scope import Scope
from docmind.models.chat.meter import Meter, MeteredChat, Retries
from docmind.models.chat.recording import Broken, Line, ScriptedChat
from docmind.runtime.engine import DocMind
from docmind.skills.drafting import Drafted, draft, whole_sentences

KEPT = "Receipts are kept for ten years"


@pytest.mark.parametrize(
    ("reply", "truncated", "expected"),
    [
        (
            f"{KEPT} [1]. They are scanned [1]. {KEPT} [1]. They are scanned [1].",
            False,
            f"{KEPT} [1]. They are scanned [1].",
        ),
        (f"{KEPT} [1]. They are scanned and then they", True, f"{KEPT} [1]."),
        (f"{KEPT} [1]. They are scanned", False, f"{KEPT} [1]. They are scanned"),
        ("Only half a sent", True, ""),
    ],
    ids=["loops", "cut off", "whole", "nothing whole"],
)
def test_a_reply_ends_where_it_repeats_itself_or_was_cut_off(reply: str, truncated: bool, expected: str) -> None:
    assert whole_sentences(reply, truncated=truncated) == expected


def drafted(engine: DocMind, tmp_path: Path, *lines: Line) -> tuple[Drafted, list[tuple[str, bool]]]:
    scope, heard = Scope("w"), []
    (tmp_path / "receipts.md").write_text(f"# Receipts\n\n{KEPT}. They are scanned on arrival.\n")
    engine.ingest([tmp_path / "receipts.md"], scope)
    services, chat = engine.services(scope), MeteredChat(ScriptedChat(lines), Meter(), retries=Retries(attempts=1))
    question = "How long are receipts kept?"
    hits = engine.search(question, scope)

    def listen(text: str, *, fresh: bool) -> None:
        heard.append((text, fresh))

    return asyncio.run(draft(question, hits, services.grounder, services.scorer, chat, tell=listen)), heard


def test_a_forgotten_citation_is_added_and_whoever_listens_hears_the_text_anew(engine: DocMind, tmp_path: Path) -> None:
    found, heard = drafted(engine, tmp_path, f"{KEPT}.")
    assert (found.text, found.note) == (f"{KEPT} [1].", "")
    assert heard[-1] == (f"{KEPT} [1].", True)


def test_half_a_stream_is_void_and_the_documents_are_quoted(engine: DocMind, tmp_path: Path) -> None:
    found, heard = drafted(engine, tmp_path, Broken("Receipts are kept for a thousand"))
    assert f"{KEPT}. [1]" in found.text
    assert "a thousand" not in found.text
    assert "broke off" in found.note
    assert heard[-1] == (found.text, True)


def test_a_draft_that_was_cut_off_is_told_as_such(engine: DocMind, tmp_path: Path) -> None:
    endless = " and ".join(f"page {number}" for number in range(1_000))
    found, _ = drafted(engine, tmp_path, f"{KEPT} [1]. They are scanned on {endless}")
    assert found.text == f"{KEPT} [1]."
    assert found.note == "Only the whole sentences of the draft are given. scripted was cut off before it had finished."


def test_a_draft_that_goes_round_in_circles_is_told_as_such(engine: DocMind, tmp_path: Path) -> None:
    found, _ = drafted(engine, tmp_path, f"{KEPT} [1]. " * 50)
    assert found.text == f"{KEPT} [1]."
    assert found.note.endswith("scripted began to repeat itself.")
