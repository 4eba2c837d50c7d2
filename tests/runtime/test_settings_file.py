"""The person's own settings file as programs write it: nothing is lost, and nothing half written."""

from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from docmind.domain.errors import SettingsError
from docmind.runtime.configuration import change_own, own_file
from docmind.settings import Settings, places

Lines = Mapping[str, str | None]


def always(lines: Lines) -> Callable[[], Lines]:
    return lambda: lines


def write(lines: Lines) -> None:
    change_own(always(lines))


def write_number(number: int) -> None:
    write({f"OF_ANOTHER_PROGRAM_{number}": str(number)})


def test_what_else_stands_in_the_file_stays_where_it_is() -> None:
    own_file().parent.mkdir()
    own_file().write_text("# mine\nOTHER=1\ndocmind_models__chat=old\nexport DOCMIND_SERVER__FILES=7")
    write({"DOCMIND_MODELS__CHAT": "new", "DOCMIND_SERVER__RUNS": "3"})
    assert own_file().read_text() == (
        "# mine\nOTHER=1\nDOCMIND_MODELS__CHAT='new'\nexport DOCMIND_SERVER__FILES=7\nDOCMIND_SERVER__RUNS='3'\n"
    )
    write({"DOCMIND_MODELS__CHAT": None, "DOCMIND_SERVER__FILES": None})
    assert own_file().read_text() == "# mine\nOTHER=1\nDOCMIND_SERVER__RUNS='3'\n"
    assert places() == {"server.runs": "~/.docmind/.env"}


@pytest.mark.parametrize("value", ["it's", r"C:\models\x.gguf", r"\\server\share", "a # b", '"', "$HOME", "é"])
def test_every_value_is_read_back_as_it_was_written(value: str) -> None:
    write({"DOCMIND_MODELS__CHAT": value})
    assert Settings.load().models.chat == value


@pytest.mark.parametrize("value", ["two\nlines", "http://evil.example/${HOME}", "\x1b[2J"])
def test_what_would_be_read_as_something_else_is_refused(value: str) -> None:
    with pytest.raises(SettingsError, match="DOCMIND_MODELS__CHAT cannot have this value"):
        write({"DOCMIND_MODELS__CHAT": value})
    assert own_file().read_text() == ""


def test_a_file_that_is_not_to_become_so_stays_as_it_was() -> None:
    write({"DOCMIND_SERVER__FILES": "7"})

    def refuse(draft: Path) -> None:
        assert "DOCMIND_SERVER__FILES='8'" in draft.read_text()
        raise SettingsError("No.")

    with pytest.raises(SettingsError, match="No"):
        change_own(always({"DOCMIND_SERVER__FILES": "8"}), refuse)
    assert own_file().read_text() == "DOCMIND_SERVER__FILES='7'\n"
    assert [file.name for file in own_file().parent.iterdir()] == [".env"]


def test_writers_at_once_lose_nothing() -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as others, ThreadPoolExecutor(4) as threads:
        for done in (others.map(write_number, range(20)), threads.map(write_number, range(20, 40))):
            list(done)
    written = {line.partition("=")[0] for line in own_file().read_text().splitlines()}
    assert written == {f"OF_ANOTHER_PROGRAM_{number}" for number in range(40)}
    assert f"{own_file().stat().st_mode & 0o777:o}" == "600"


def test_a_file_that_cannot_be_written_is_told_in_a_sentence() -> None:
    own_file().mkdir(parents=True)
    with pytest.raises(SettingsError, match=r"The settings file .*\.env cannot be written"):
        write({"DOCMIND_SERVER__FILES": "7"})
