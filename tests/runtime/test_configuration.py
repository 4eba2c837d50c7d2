"""Settings that change while an engine is open: the next run takes them, in every process; one under way does not."""

from pathlib import Path

import pytest

from docmind.domain.scope import Scope
from docmind.runtime.configuration import own_file
from docmind.runtime.engine import DocMind
from docmind.runtime.settings import change, rows
from docmind.settings import Settings
from tests.openai_server import Server

SCOPE = Scope("default")
QUESTION = "When does the gate open?"


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCMIND_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("DOCMIND_MODELS__EMBEDDER", "static")
    monkeypatch.setenv("DOCMIND_INGEST__WORKERS", "1")
    (tmp_path / "gate.md").write_text("# Gate\n\nThe gate opens at seven.\n")


def test_the_next_run_takes_another_model_and_a_run_under_way_keeps_its_own(
    tmp_path: Path, chat_server: Server
) -> None:
    chat_server.play(chat_server.says("The gate opens at seven. [1]"))
    with DocMind() as engine:
        engine.ingest([tmp_path / "gate.md"], SCOPE)
        first = engine.stream(QUESTION, SCOPE)
        next(first)
        change({"models.chat": chat_server.url, "answers.most_wrong": 0.5})
        assert list(first)[-1].result.usage.model_calls == 0  # type: ignore[union-attr]
        assert chat_server.requests == []
        assert engine.run(QUESTION, SCOPE).usage.model_calls > 0
        roles = engine.roles
        change({"answers.most_wrong": None, "docs.sections": 3})
        assert engine.roles is roles
        assert engine.services(SCOPE).sections == 3
        change({"models.chat": None})
        assert engine.run(QUESTION, SCOPE).usage.model_calls == 0


def test_every_process_that_is_open_sees_a_change() -> None:
    one, other = DocMind(), DocMind()
    before = other.settings
    assert other.settings is before
    change({"server.files": 7, "ingest.max_pages": 9})
    assert [engine.settings.server.files for engine in (one, other)] == [7, 7]
    assert other.settings.ingest.max_pages == before.ingest.max_pages
    assert other.configuration.pending() == ["ingest.max_pages"]
    assert DocMind().settings.ingest.max_pages == 9


def test_settings_that_a_program_gave_follow_no_file(settings: Settings) -> None:
    engine = DocMind(settings)
    change({"server.files": 7})
    assert engine.settings is settings
    assert {row.origin for row in rows(engine.configuration)} == {"program"}
    assert all(row.fixed for row in rows(engine.configuration))


def test_a_mistake_in_the_file_leaves_those_before_it_in_force(caplog: pytest.LogCaptureFixture) -> None:
    engine = DocMind()
    change({"server.files": 7, "models.chat_api_key": "sk-quiet"}, at_the_machine=True)
    assert engine.settings.server.files == 7
    own_file().write_text(own_file().read_text() + "DOCMIND_SERVER__RUNS=many\n")
    assert engine.settings.server.files == 7
    assert "DOCMIND_SERVER__RUNS is not valid" in engine.configuration.mistake
    assert "DOCMIND_SERVER__RUNS is not valid" in caplog.text
    assert "sk-quiet" not in caplog.text
    own_file().write_text("DOCMIND_SERVER__FILES=8\n")
    assert engine.settings.server.files == 8
    assert engine.configuration.mistake == ""


def test_each_setting_is_shown_with_its_meaning_its_value_and_where_it_comes_from() -> None:
    change({"answers.most_wrong": 0.2, "models.chat": "http://ada:secret@127.0.0.1:9/v1"})
    change({"models.chat_api_key": "sk-quiet"})
    found = {row.name: row for row in rows(DocMind().configuration)}
    assert all(row.meaning for row in found.values())
    most_wrong = found["answers.most_wrong"]
    assert (most_wrong.value, most_wrong.default, most_wrong.origin) == (0.2, None, "~/.docmind/.env")
    assert (most_wrong.kind, most_wrong.least, most_wrong.most, most_wrong.optional) == ("number", 0, 1, True)
    assert found["answers.below"].choices == ("withhold", "show_unsure")
    assert found["budget.cost"].above == 0
    assert found["models.embedder"].fixed
    assert found["models.embedder"].at_once
    assert found["models.chat"].value == "http://ada:********@127.0.0.1:9/v1"
    assert (found["models.chat_api_key"].value, found["models.chat_api_key"].is_set) == (None, True)
    assert "sk-quiet" not in repr(found)
