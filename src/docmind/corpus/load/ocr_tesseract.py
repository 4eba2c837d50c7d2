"""tesseract: a program that is started for every page, shut in as the reader that starts it is."""

import csv
import io
import os
import subprocess
from collections.abc import Iterator
from functools import cached_property
from itertools import groupby

from PIL.Image import Image

from docmind.corpus.confinement import end_with_parent
from docmind.corpus.load.ocr import Box
from docmind.domain.errors import FileRejected

_WORD = "5"
"""The level of a row that is a word."""
_KEPT = ("PATH", "LANG", "LC_ALL", "TESSDATA_PREFIX")
_NOT_A_LANGUAGE = "osd"
_LIST_TIMEOUT_S = 30.0
WIDEST_BLANK = 1.5
"""In units of a line's height; words further apart stand in different columns."""
LEAST_SURE = 30.0


class TesseractRecogniser:
    name = "tesseract"

    def __init__(self, program: str) -> None:
        self._program = program

    def read(self, picture: Image, timeout_s: float) -> list[Box]:
        packed = io.BytesIO()
        picture.convert("L").save(packed, "PNG")
        arguments = ["stdin", "stdout", "--psm", "3", "-l", self._languages, "tsv"]
        told = self._run(arguments, packed.getvalue(), timeout_s).decode("utf-8", "replace")
        rows = csv.DictReader(io.StringIO(told), delimiter="\t", quoting=csv.QUOTE_NONE)
        words = [row for row in rows if row["level"] == _WORD and row["text"] and float(row["conf"]) >= LEAST_SURE]
        lines = groupby(words, key=lambda row: (row["block_num"], row["par_num"], row["line_num"]))
        return [box for _, line in lines for box in _pieces([_box(word) for word in line if word["text"].strip()])]

    @cached_property
    def _languages(self) -> str:
        """All that are installed, as the program wants them named."""
        _, *names = self._run(["--list-langs"], b"", _LIST_TIMEOUT_S).decode().split("\n")
        return "+".join(name for name in map(str.strip, names) if name and name != _NOT_A_LANGUAGE) or "eng"

    def _run(self, arguments: list[str], given: bytes, timeout_s: float) -> bytes:
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        try:
            done = subprocess.run(  # noqa: S603 - the program that was found when this process started
                [self._program, *arguments],
                input=given,
                capture_output=True,
                check=False,
                timeout=timeout_s,
                # There is a reader for every core already.
                env={**environment, "OMP_THREAD_LIMIT": "1"},
                preexec_fn=end_with_parent,
            )
        except subprocess.TimeoutExpired as error:
            raise FileRejected(f"took longer than {timeout_s:.0f} seconds to recognise.") from error
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise FileRejected(f"could not be recognised: tesseract failed ({said[-1][:200] if said else 'silently'}).")
        return done.stdout


def _box(word: dict[str, str]) -> Box:
    left, top, width, height = (float(word[name]) for name in ("left", "top", "width", "height"))
    return Box(word["text"].strip(), left, top, left + width, top + height)


def _pieces(words: list[Box]) -> Iterator[Box]:
    """A line as one piece, or as several where it leaves wide gaps, as rows of a table do."""
    if not words:
        return
    # The words of a line differ in height by their letters only.
    top, bottom = min(word.top for word in words), max(word.bottom for word in words)
    piece = [words[0]]
    for word in words[1:]:
        if word.left - piece[-1].right > WIDEST_BLANK * (bottom - top):
            yield _joined(piece, top, bottom)
            piece = []
        piece.append(word)
    yield _joined(piece, top, bottom)


def _joined(piece: list[Box], top: float, bottom: float) -> Box:
    return Box(" ".join(word.text for word in piece), piece[0].left, top, piece[-1].right, bottom)
