"""What other packages register is found by name; what of it cannot be used is told in a sentence, and skipped."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docmind.domain.extensions import Extensions, Unusable, everything
from tests.packages import put

GREETINGS: Extensions[str] = Extensions(
    "greeting", ("hello",), lambda _, value: "" if isinstance(value, str) else f"is of type {type(value).__name__}"
)
GROUP = GREETINGS.group


@pytest.fixture(autouse=True)
def _looked_up_anew() -> Iterator[None]:
    everything.cache_clear()
    yield
    everything.cache_clear()


def test_nothing_is_there_where_nothing_is_installed() -> None:
    assert (GREETINGS.names(), GREETINGS.usable(), list(GREETINGS.problems())) == ([], {}, [])
    assert GREETINGS.get("ahoy") is None


def test_what_a_package_registers_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, monkeypatch, "sea", {"sea_words": "AHOY = 'Ahoy!'"}, {GROUP: {"ahoy": "sea_words:AHOY"}})
    assert GREETINGS.names() == ["ahoy"]
    assert GREETINGS.get("ahoy") == "Ahoy!"
    assert list(GREETINGS.problems()) == []


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import coffee_machine", "cannot be imported (ModuleNotFoundError: No module named 'coffee_machine')."),
        ("raise SystemExit('bye')", "cannot be imported (SystemExit: bye)."),
        ("def broken(:", "cannot be imported (SyntaxError: invalid syntax"),
        ("OTHER = 1", "cannot be imported (AttributeError: "),
        ("AHOY = 5", "is of type int."),
    ],
)
def test_what_is_broken_is_told_in_a_sentence_and_the_others_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, said: str
) -> None:
    put(tmp_path, monkeypatch, "wreck", {"wreck_words": code}, {GROUP: {"ahoy": "wreck_words:AHOY"}})
    put(tmp_path, monkeypatch, "land", {"land_words": "HOWDY = 'Howdy!'"}, {GROUP: {"howdy": "land_words:HOWDY"}})
    monkeypatch.delitem(sys.modules, "wreck_words", raising=False)
    (told,) = GREETINGS.problems()
    assert told.startswith("The greeting 'ahoy' of the package wreck cannot be used: wreck_words:AHOY ")
    assert said in told
    with pytest.raises(Unusable) as asked:
        GREETINGS.get("ahoy")
    assert str(asked.value) == told
    assert GREETINGS.usable() == {"howdy": "Howdy!"}


def test_a_name_that_ships_is_not_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, monkeypatch, "rude", {"rude_words": "HELLO = 'Oi!'"}, {GROUP: {"hello": "rude_words:HELLO"}})
    assert (GREETINGS.names(), GREETINGS.get("hello")) == ([], None)
    assert list(GREETINGS.problems()) == [
        "The greeting 'hello' of the package rude cannot be used: its name is taken by docmind itself."
    ]


def test_of_two_packages_with_one_name_the_first_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package, text in (("second", "Later"), ("first", "Sooner")):
        module = f"{package}_words"
        put(tmp_path, monkeypatch, package, {module: f"AHOY = {text!r}"}, {GROUP: {"ahoy": f"{module}:AHOY"}})
    assert GREETINGS.get("ahoy") == "Sooner"
    assert list(GREETINGS.problems()) == [
        "The greeting 'ahoy' of the package second cannot be used: its name is taken by the package first."
    ]
