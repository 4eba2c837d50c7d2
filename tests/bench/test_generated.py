"""Generated text has the size that was asked for and is the same every time."""

from pathlib import Path

from docmind.bench.generated import questions, write_files
from docmind.corpus.chunk import MAX_CHARS


def test_a_section_fits_in_one_passage(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "files", 45)
    texts = [path.read_text() for path in sorted(folder.iterdir())]
    sections = [section for text in texts for section in text.split("## ")[1:]]
    assert [text.count("## ") for text in texts] == [20, 20, 5]
    assert max(map(len, sections)) < MAX_CHARS


def test_the_same_text_comes_every_time(tmp_path: Path) -> None:
    first, second = (write_files(tmp_path / name, 20) / "0000000.md" for name in ("one", "two"))
    assert first.read_text() == second.read_text()
    assert questions(5) == questions(5)


def test_common_words_are_common(tmp_path: Path) -> None:
    words = " ".join(questions(200)).rstrip("?").split()
    assert words.count("the") > len(words) / 50
    assert len(set(words)) > len(words) / 4
