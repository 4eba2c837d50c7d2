import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DocMind = Callable[..., Any]


def test_a_healthy_installation_is_well_throughout(filled: DocMind) -> None:
    done = filled("doctor", "--json")
    checks = {check["name"]: check for check in json.loads(done.out)}
    assert done.code == 0
    assert {check["state"] for check in checks.values()} == {"well"}
    assert checks["embedder"]["found"].startswith("static")
    assert checks["catalogue"]["found"].startswith("3 documents, ")
    assert "every passage is there" in checks["index"]["found"]


def test_each_check_is_a_line_with_a_sign(docmind: DocMind) -> None:
    lines = docmind("doctor").out.splitlines()
    assert lines[0].startswith("✓ python")
    assert all(line[0] in "✓!✗" for line in lines)


def test_a_damaged_catalogue_is_broken_and_the_exit_code_says_so(docmind: DocMind, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "catalogue.db").write_bytes(b"not a database" * 1000)
    done = docmind("doctor", "--json")
    states = {check["name"]: check["state"] for check in json.loads(done.out)}
    assert done.code == 1
    assert (states["catalogue"], states["embedder"]) == ("broken", "well")


def test_a_data_folder_that_is_a_file_is_broken(docmind: DocMind, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    done = docmind("doctor")
    assert done.code == 1
    assert "✗ data folder" in done.out
    assert "Set DOCMIND_DATA_DIR" in done.out


def test_a_misspelt_setting_is_the_first_thing_found(docmind: DocMind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCMIND_INDEX__ULR", "http://localhost:6333")
    done = docmind("doctor")
    assert done.code == 1
    assert "✗ settings     DOCMIND_INDEX__ULR is not a setting of DocMind. Did you mean DOCMIND_INDEX__URL?" in done.out


def test_settings_are_listed_with_their_origin_and_secrets_masked(
    docmind: DocMind, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(".env").write_text("DOCMIND_INGEST__MAX_PAGES=9\n")
    monkeypatch.setenv("DOCMIND_INDEX__API_KEY", "swordfish")
    monkeypatch.setenv("DOCMIND_DATABASE__URL", "postgresql://me:swordfish/or@swordfish@localhost/papers")
    done = docmind("doctor", "--settings", "--json")
    rows = {row["variable"]: (row["value"], row["origin"]) for row in json.loads(done.out)}
    assert rows["DOCMIND_INGEST__MAX_PAGES"] == ("9", ".env")
    assert rows["DOCMIND_MODELS__EMBEDDER"] == ("static", "environment")
    assert rows["DOCMIND_SEARCH__CANDIDATES"] == ("100", "default")
    assert "swordfish" not in done.out


def test_the_list_of_settings_is_shown_to_whoever_misspelt_one(
    docmind: DocMind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCMIND_QQQ", "1")
    done = docmind("doctor", "--settings")
    assert done.code == 1
    assert "DOCMIND_MODELS__EMBEDDER" in done.out
    assert done.err.startswith("docmind: DOCMIND_QQQ is not a setting of DocMind.")
