"""Nobody else on the machine reads what an installation keeps, whatever it was like before."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from docmind.domain.files import private_file, private_folder
from docmind.domain.scope import Scope
from docmind.runtime.configuration import change_own
from docmind.runtime.documents import Upload
from docmind.runtime.engine import DocMind
from docmind.settings import Settings
from docmind.variables import OWN_FILE

HERE = Scope("default", "ada")
NOTE = "# Note\n\nThe Halden mill has three saws.\n"


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def used(settings: Settings, tmp_path: Path) -> Path:
    """The data folder after one of everything."""
    paper = tmp_path / "paper.md"
    paper.write_text(NOTE)
    with DocMind(settings) as engine:
        engine.ingest([paper], HERE)
        with engine.originals.incoming() as place:
            place.write_text(NOTE)
            engine.upload([Upload("upload.md", place)], HERE)
        engine.run("How many saws has the Halden mill?", HERE, workflow="chat", thread="t")
        assert engine.keys.all() == []
    return settings.home


def open_to_others(home: Path) -> set[str]:
    """What in a folder others may do anything with, and the folder itself."""
    found = {path: stat.S_IMODE(path.lstat().st_mode) for path in (home, *home.rglob("*"))}
    assert len(found) > 15
    return {f"{mode:o} {path.relative_to(home)}" for path, mode in found.items() if mode & 0o077}


def test_a_data_folder_is_closed_to_others_from_the_start(settings: Settings, tmp_path: Path) -> None:
    home = used(settings, tmp_path)
    assert open_to_others(home) == set()
    assert {"catalogue.db", "runs.db", "checkpoints.db", "keys.db", "index"} <= {one.name for one in home.iterdir()}


def test_one_that_was_open_is_closed_when_it_is_used(settings: Settings, tmp_path: Path) -> None:
    home = used(settings, tmp_path)
    for path in (home, *home.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert used(settings, tmp_path) == home
    assert open_to_others(home) == set()


def test_what_a_running_database_writes_beside_itself_is_closed_too(settings: Settings, tmp_path: Path) -> None:
    with DocMind(settings) as engine:
        engine.keys.exist()
        engine.documents(HERE)
        names = {path.name for path in settings.home.iterdir()}
        assert {"keys.db-wal", "keys.db-shm", "catalogue.db-wal"} <= names
        assert [path for path in settings.home.iterdir() if path.stat().st_mode & 0o077] == []


def test_what_else_lies_in_the_folder_is_left_alone(settings: Settings, tmp_path: Path) -> None:
    settings.home.mkdir()
    script = settings.home / "run.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    used(settings, tmp_path)
    assert stat.S_IMODE(script.stat().st_mode) == 0o755


def test_links_are_not_followed_and_places_for_everybody_stay_open(tmp_path: Path) -> None:
    outside, shared = tmp_path / "outside.txt", tmp_path / "shared"
    outside.write_text("x")
    shared.mkdir()
    shared.chmod(0o1777)
    folder = private_folder(shared / "data")
    folder.chmod(0o755)
    (folder / "link").symlink_to(outside)
    private_folder(folder)
    private_file(shared / "one.db")
    assert [f"{path.stat().st_mode & 0o7777:o}" for path in (outside, shared, folder)] == ["644", "1777", "700"]


def test_ones_own_settings_which_hold_keys_are_closed_to_others() -> None:
    change_own(lambda: {"DOCMIND_MODELS__CHAT_API_KEY": "secret"})
    file = Path(OWN_FILE).expanduser()
    assert [f"{path.stat().st_mode & 0o777:o}" for path in (file, file.parent)] == ["600", "700"]
