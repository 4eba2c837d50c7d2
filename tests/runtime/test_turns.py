"""Whose uploaded file is read next."""

from docmind.corpus.uploads import FileState, QueuedFile
from docmind.domain.scope import Scope
from docmind.runtime.upload_queue import LONG_WAIT_S, SMALL_BYTES, in_turn

ADA, BOB = Scope("w", "ada"), Scope("w", "bob")
NOW = 1_000_000.0


def file(
    name: str, scope: Scope = ADA, size: int = 1, state: FileState = FileState.QUEUED, sent: float = NOW
) -> QueuedFile:
    return QueuedFile(f"{scope.user}-{name}", "u", 0, scope, name, size, state, sent)


def order(files: list[QueuedFile], served: dict[Scope, int] | None = None) -> list[str]:
    return [one.id for one in in_turn(files, served or {}, lambda: NOW)]


def test_small_files_come_before_large_ones_and_otherwise_in_the_order_they_came() -> None:
    large = file("large", size=SMALL_BYTES + 1)
    assert order([large, file("a"), file("b")]) == ["ada-a", "ada-b", "ada-large"]


def test_a_large_file_that_has_waited_long_is_not_passed_any_more() -> None:
    large = file("large", size=SMALL_BYTES + 1, sent=NOW - LONG_WAIT_S)
    assert order([large, file("a")]) == ["ada-large", "ada-a"]


def test_who_has_a_file_being_read_waits_for_who_has_none() -> None:
    files = [file("a", state=FileState.READING), file("b"), file("c", BOB)]
    assert order(files)[0] == "bob-c"


def test_each_gets_a_turn_after_the_other_however_many_files_one_has() -> None:
    waiting = [*(file(str(number)) for number in range(4)), file("x", BOB), file("y", BOB)]
    served, taken = dict[Scope, int](), list[str]()
    while waiting:
        first = in_turn(waiting, served, lambda: NOW)[0]
        served[first.scope] = 1 + max(served.values(), default=0)
        waiting.remove(first)
        taken.append(first.id)
    assert taken == ["ada-0", "bob-x", "ada-1", "bob-y", "ada-2", "ada-3"]


def test_a_file_waits_for_an_earlier_one_of_the_same_name() -> None:
    first = file("a", size=SMALL_BYTES + 1, state=FileState.READING)
    second = QueuedFile("second", "u2", 0, ADA, "a", 1, sent=NOW)
    other = QueuedFile("other", "u2", 1, BOB, "a", 1, sent=NOW)
    assert order([first, second, other]) == ["other", first.id]
