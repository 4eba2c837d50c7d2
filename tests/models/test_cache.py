"""The cache in front of an embedder: shared, bounded, and never in the way."""

import logging
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from docmind.models.cache import CachedEmbedder
from docmind.models.embedders import StaticEmbedder
from docmind.models.embedding import Vectors


class Counting(StaticEmbedder):
    """The static embedder, counting the texts it was asked for."""

    def __init__(self, name: str = "static") -> None:
        super().__init__()
        self.name = name
        self.asked: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.asked.extend(texts)
        return super().embed_passages(texts)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "vectors.db"


def test_a_text_is_computed_once_and_found_by_the_next_embedder(file: Path) -> None:
    first, second = Counting(), Counting()
    texts = ["red sail", "blue sail", "red sail", "\ud800"]
    computed = CachedEmbedder(first, file).embed_passages(texts)
    found = CachedEmbedder(second, file).embed_passages(texts[::-1])[::-1]
    assert first.asked == ["red sail", "blue sail", "\ud800"]
    assert second.asked == []
    assert np.array_equal(computed, found)


def test_only_what_is_missing_is_computed(file: Path) -> None:
    embedder = Counting()
    cached = CachedEmbedder(embedder, file)
    cached.embed_passages(["one", "two"])
    mixed = cached.embed_passages(["zero", "two", "three", "one"])
    assert embedder.asked == ["one", "two", "zero", "three"]
    assert np.array_equal(mixed, StaticEmbedder().embed_passages(["zero", "two", "three", "one"]))


def test_embedders_of_different_names_do_not_share_vectors(file: Path) -> None:
    CachedEmbedder(Counting("a"), file).embed_passages(["text"])
    other = Counting("b")
    CachedEmbedder(other, file).embed_passages(["text"])
    assert other.asked == ["text"]


def test_the_oldest_vectors_go_when_the_cache_is_full(file: Path) -> None:
    embedder = Counting()
    cached = CachedEmbedder(embedder, file, max_bytes=3 * 256 * 4)
    for text in ("one", "two", "three", "four"):
        cached.embed_passages([text])
    embedder.asked.clear()
    cached.embed_passages(["two", "three", "four"])
    assert embedder.asked == []
    cached.embed_passages(["one"])
    assert embedder.asked == ["one"]


@pytest.mark.parametrize(
    "damage", [b"this is no database at all, only words. " * 50, b"SQLite format 3\0" + b"\xff" * 8000]
)
@pytest.mark.fault(
    "damage",
    "The cache of embeddings",
    left="The damaged file, set aside",
    seen="A line in the log; embedding takes longer once",
)
def test_a_damaged_cache_is_set_aside_and_begun_anew(
    file: Path, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    file.parent.mkdir()
    file.write_bytes(damage)
    embedder = Counting()
    cached = CachedEmbedder(embedder, file)
    with caplog.at_level(logging.WARNING):
        vectors = cached.embed_passages(["text"])
    assert np.linalg.norm(vectors[0]) == pytest.approx(1, abs=1e-5)
    assert "set aside" in caplog.text
    assert (file.parent / f"{file.name}.damaged").read_bytes() == damage
    cached.embed_passages(["text"])
    assert embedder.asked == ["text"]


def test_a_cache_that_cannot_be_opened_costs_time_and_not_the_answer(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    vectors = CachedEmbedder(Counting(), tmp_path / "file" / "vectors.db").embed_passages(["text"])
    assert vectors.shape == (1, 256)


def test_threads_share_one_cache(file: Path) -> None:
    cached = CachedEmbedder(StaticEmbedder(), file)
    texts = [f"text {index}" for index in range(120)]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda start: cached.embed_passages(texts[start : start + 40]), range(0, 80, 5)))
    expected = StaticEmbedder().embed_passages(texts)
    for start, result in zip(range(0, 80, 5), results, strict=True):
        assert np.allclose(result, expected[start : start + 40], atol=1e-6)


def test_processes_share_one_cache(file: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from docmind.models.cache import CachedEmbedder; from docmind.models.embedders import StaticEmbedder\n"
        "cached = CachedEmbedder(StaticEmbedder(), Path(sys.argv[1]))\n"
        "for start in range(0, 200, 20): cached.embed_passages([f'text {i}' for i in range(start, start + 40)])\n"
    )
    running = [subprocess.Popen([sys.executable, "-W", "error", "-c", program, str(file)]) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    connection = sqlite3.connect(file)
    count = connection.execute("SELECT count(*) FROM vectors").fetchone()[0]
    connection.close()
    assert count == 220


def test_questions_pass_straight_through(file: Path) -> None:
    cached = CachedEmbedder(StaticEmbedder(), file)
    assert cached.embed_query("where?").shape == (cached.dimension,)
    assert not file.exists()
