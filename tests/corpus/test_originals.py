"""The files behind documents, wherever a process was killed and whatever they are called."""

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.corpus.catalogue import Catalogue
from docmind.corpus.load import Limits
from docmind.corpus.originals import Originals, upload_name
from docmind.domain.scope import Scope
from docmind.runtime.documents import Upload
from docmind.runtime.engine import DocMind

SCOPE = Scope("w")
PAPER = "# Receipts\n\nReceipts are kept for ten years.\n"


@given(st.text(st.sampled_from("./\\ ab\0\n\u202e é")) | st.text())
def test_no_name_leads_anywhere(given_name: str) -> None:
    name = upload_name(given_name)
    assert 0 < len(name) <= 200
    assert not {"", ".", ".."}.intersection(name.split("/"))
    assert "\\" not in name
    assert not any(unicodedata.category(character).startswith("C") for character in name)
    assert upload_name(name) == name


def upload(engine: DocMind, name: str, text: str) -> str | None:
    with engine.originals.incoming() as place:
        place.write_text(text, encoding="utf-8")
        (filed,) = engine.upload([Upload(name, place)], SCOPE)
    return filed.document


def kept(engine: DocMind) -> set[str]:
    """The ids of the originals, and of the labels beside them, which say whose they are."""
    files = (path for path in (engine.settings.home / "originals").rglob("*") if path.is_file())
    return {path.name.removesuffix(".json") for path in files}


def test_an_upload_that_was_killed_before_it_was_visible_leaves_nothing(
    engine: DocMind, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Catalogue, "commit", killed)
        with pytest.raises(KeyboardInterrupt):
            upload(engine, "a.md", PAPER)
    assert engine.documents(SCOPE) == []
    assert len(kept(engine)) == 1
    second = upload(engine, "b.md", PAPER)
    assert kept(engine) == {second}


def test_a_replaced_upload_takes_its_original_with_it(engine: DocMind) -> None:
    upload(engine, "a.md", PAPER)
    second = upload(engine, "a.md", f"{PAPER}\nOr eleven.\n")
    assert kept(engine) == {second}
    assert engine.original(engine.document("a.md", SCOPE)).decode() == f"{PAPER}\nOr eleven.\n"


def test_what_killed_processes_left_on_its_way_in_is_swept_up(tmp_path: Path) -> None:
    originals = Originals(tmp_path, Limits())
    with originals.incoming() as mine:
        mine.write_text("mine")
        left, young = mine.with_name("left"), mine.with_name("young")
        for path in (left, young):
            path.write_text("half")
        os.utime(left, (0, 0))
        with originals.incoming() as other:
            assert not left.exists()
            assert young.exists()
            assert mine.exists()
        assert not other.exists()
    assert not mine.exists()
