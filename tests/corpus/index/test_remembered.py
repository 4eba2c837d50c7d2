"""What a search asks of a whole collection is asked once in a while, not every time."""

from collections.abc import Sequence

from docmind.corpus.index.served import Remembered

NUMBERS = {"a": 3.0, "b": 2.0, "nothing": 0.0}


class Asked:
    def __init__(self) -> None:
        self.keys: list[str] = []

    def __call__(self, keys: Sequence[str]) -> dict[str, float]:
        self.keys += keys
        return {key: NUMBERS[key] for key in keys if key in NUMBERS}


def test_only_what_is_not_known_is_asked_for_until_it_is_forgotten() -> None:
    remembered, ask = Remembered[str](), Asked()
    assert remembered.numbers(["a"], ask) == {"a": 3.0}
    assert remembered.numbers(["a", "b"], ask) == {"a": 3.0, "b": 2.0}
    assert ask.keys == ["a", "b"]
    remembered.forget()
    remembered.numbers(["a"], ask)
    assert ask.keys == ["a", "b", "a"]


def test_what_was_not_there_is_asked_for_again_because_somebody_may_have_brought_it() -> None:
    remembered, ask = Remembered[str](), Asked()
    for _ in range(2):
        assert remembered.numbers(["nothing", "unknown"], ask) == {}
    assert ask.keys == ["nothing", "unknown"] * 2


def test_a_number_is_kept_for_a_moment_only() -> None:
    remembered, ask = Remembered[str](kept_s=0.0), Asked()
    for _ in range(2):
        remembered.numbers(["a"], ask)
    assert ask.keys == ["a", "a"]
