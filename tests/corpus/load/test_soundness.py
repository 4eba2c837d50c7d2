"""Whatever the bytes, loading ends in sound blocks or in a rejection."""

import contextlib
import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docmind.corpus.load import Limits, expand, load
from docmind.domain.documents import BlockKind, Loaded
from docmind.domain.errors import FileRejected

NAMES = [
    "handbook.md", "notes.txt", "fees.html", "figures.pdf", "plan.docx", "budget.xlsx", "sites.csv", "sites.tsv",
    "data.json", "data.jsonl", "data.xml", "budget.pptx", "mills.epub", "letter.eml", "memo.rtf", "terms.odt",
]  # fmt: skip
PACKED = ("pdf", "docx", "xlsx", "pptx", "epub", "odt")
FUZZ = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def assert_sound(loaded: Loaded) -> None:
    assert loaded.blocks
    assert unicodedata.is_normalized("NFC", loaded.text)
    assert not any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t" for c in loaded.text)
    end = 0
    for block in loaded.blocks:
        assert end <= block.span.start < block.span.end <= len(loaded.text)
        assert not loaded.text[end : block.span.start].strip()
        text = block.span.of(loaded.text)
        assert text.strip() == text or block.kind is BlockKind.CODE
        assert (block.table is not None) == (block.kind in (BlockKind.ROW, BlockKind.CAPTION))
        assert (block.page is not None) == (loaded.pages is not None)
        end = block.span.end
    assert end == len(loaded.text)


def assert_sound_or_rejected(data: bytes, name: str) -> None:
    with contextlib.suppress(FileRejected):
        assert_sound(load(data, name))


@pytest.mark.parametrize("name", NAMES)
def test_the_blocks_of_every_format_are_exact_ordered_and_clean(samples: dict[str, bytes], name: str) -> None:
    assert_sound(load(samples[name], name))


@pytest.mark.parametrize("name", NAMES)
@FUZZ
@given(data=st.data())
def test_a_damaged_file_of_any_format_is_read_or_rejected(
    samples: dict[str, bytes], name: str, data: st.DataObject
) -> None:
    content = bytearray(samples[name])
    for _ in range(data.draw(st.integers(1, 8), label="changes")):
        place = data.draw(st.integers(0, len(content) - 1), label="place")
        content[place] = data.draw(st.integers(0, 255), label="byte")
    if data.draw(st.booleans(), label="truncate"):
        del content[data.draw(st.integers(1, len(content)), label="length") :]
    assert_sound_or_rejected(bytes(content), name)


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith(PACKED)])
@FUZZ
@given(text=st.text(st.characters(exclude_categories=()), min_size=1))
def test_any_text_in_any_text_format_is_read_or_rejected(name: str, text: str) -> None:
    assert_sound_or_rejected(text.encode("utf-8", "surrogatepass"), name)


@settings(max_examples=60, deadline=None)
@given(cells=st.lists(st.lists(st.text(), min_size=1, max_size=4), min_size=1, max_size=6))
def test_any_table_in_markdown_is_sound(cells: list[list[str]]) -> None:
    rows = ["|" + "|".join(cell.replace("\n", " ") for cell in row) + "|" for row in cells]
    rows.insert(1, "|" + "---|" * len(cells[0]))
    assert_sound_or_rejected("\n".join(rows).encode("utf-8", "replace"), "a.md")


@FUZZ
@given(place=st.integers(0, 10_000), byte=st.integers(0, 255))
def test_a_damaged_archive_is_expanded_or_rejected(samples: dict[str, bytes], place: int, byte: int) -> None:
    content = bytearray(samples["plan.docx"])
    content[place % len(content)] = byte
    with contextlib.suppress(FileRejected):
        assert list(expand(bytes(content), Limits()))
