"""ZIP files: members come one at a time, and what must not be unpacked is named with its reason."""

import io
import zipfile
from collections.abc import Callable

import pytest

from docmind.corpus.load import Limits, Member, Rejected, expand
from docmind.domain.errors import FileRejected

Zipped = Callable[[dict[str, bytes]], bytes]


def outcome(data: bytes, limits: Limits | None = None) -> dict[str, str]:
    """Name to reason; empty where the member was read."""
    found = expand(data, limits or Limits())
    return {part.name: part.reason if isinstance(part, Rejected) else "" for part in found}


def test_members_come_with_their_bytes_and_clutter_is_skipped(zipped: Zipped) -> None:
    data = zipped({"a/b.txt": b"hello", "__MACOSX/a/b.txt": b"x", "a/.DS_Store": b"x", "dir/": b""})
    assert list(expand(data, Limits())) == [Member("a/b.txt", b"hello")]


@pytest.mark.parametrize("name", ["../up.txt", "a/../../up.txt", "/etc/passwd", "C:/x.txt", "a\\..\\x.txt"])
def test_a_path_that_climbs_out_is_refused_and_the_rest_goes_on(zipped: Zipped, name: str) -> None:
    found = outcome(zipped({name: b"x", "good.txt": b"y"}))
    assert "climbs out" in found.pop(next(key for key in found if key != "good.txt"))
    assert found == {"good.txt": ""}


def test_a_bomb_is_refused_by_its_ratio_and_the_rest_goes_on(zipped: Zipped) -> None:
    found = outcome(zipped({"bomb.txt": bytes(5_000_000), "good.txt": b"y"}))
    assert "times its size" in found["bomb.txt"]
    assert found["good.txt"] == ""


def test_a_bomb_that_lies_about_its_size_is_stopped_while_it_unpacks(zipped: Zipped) -> None:
    data = bytearray(zipped({"bomb.txt": bytes(5_000_000)}))
    honest = (5_000_000).to_bytes(4, "little")
    assert data.count(honest) >= 1
    found = outcome(bytes(data.replace(honest, (1000).to_bytes(4, "little"))))
    assert found["bomb.txt"]


def test_the_total_size_is_bounded(zipped: Zipped) -> None:
    found = outcome(zipped({"a.txt": b"x" * 600, "b.txt": b"y" * 600}), Limits(archive_bytes=1000))
    assert found["a.txt"] == ""
    assert "above the limit" in found["b.txt"]


def test_too_many_members_reject_the_whole_archive(zipped: Zipped) -> None:
    with pytest.raises(FileRejected, match="holds 3 files; the limit is 2"):
        outcome(zipped({f"{number}.txt": b"x" for number in range(3)}), Limits(archive_members=2))


def test_an_archive_inside_an_archive_is_refused(zipped: Zipped) -> None:
    assert "inside an archive" in outcome(zipped({"inner.zip": zipped({"a.txt": b"x"})}))["inner.zip"]


def test_an_encrypted_member_is_refused(zipped: Zipped) -> None:
    data = bytearray(zipped({"a.txt": b"secret"}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    assert "is encrypted" in outcome(bytes(data))["a.txt"]


def test_a_damaged_member_is_refused_and_the_rest_goes_on() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("bad.txt", b"recognisable")
        archive.writestr("good.txt", b"fine")
    found = outcome(buffer.getvalue().replace(b"recognisable", b"recognisabl3"))
    assert found == {"bad.txt": "is damaged inside the archive.", "good.txt": ""}


def test_a_truncated_archive_is_rejected(zipped: Zipped) -> None:
    with pytest.raises(FileRejected, match="truncated or damaged"):
        outcome(zipped({"a.txt": b"x"})[:20])


def test_of_two_members_with_one_name_the_later_counts() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", b"old")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.txt", b"new")
    first, second = expand(buffer.getvalue(), Limits())
    assert isinstance(first, Rejected)
    assert "again further on" in first.reason
    assert second == Member("a.txt", b"new")
