"""Text recognition: pictures of pages become lines of text in their places, by rapidocr or else tesseract."""

import os
import shutil
from functools import cache
from importlib.util import find_spec
from typing import NamedTuple, Protocol

from PIL.Image import Image

from docmind.corpus.load.limits import Limits

HOW_TO_GET_ONE = "install text recognition (OCR), with pip install 'docmind[ocr]' or the program tesseract"


class Box(NamedTuple):
    """A line of text, or a piece of one that a wide gap parts from the rest, in pixels from the picture's top left."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom - self.top


class Recogniser(Protocol):
    name: str

    def read(self, picture: Image, timeout_s: float) -> list[Box]:
        """The text of a picture in reading order; `FileRejected` where it takes longer than that."""
        ...


@cache
def open_recogniser(wanted: str) -> Recogniser | None:
    """The one that is `wanted`, or for `auto` the first that is installed; None where there is none."""
    if wanted in ("auto", "rapidocr") and find_spec("rapidocr") is not None:
        from docmind.corpus.load.ocr_rapid import RapidRecogniser

        return RapidRecogniser()
    if wanted in ("auto", "tesseract") and (program := shutil.which("tesseract")) is not None:
        from docmind.corpus.load.ocr_tesseract import TesseractRecogniser

        return TesseractRecogniser(program)
    return None


MOST_PIXELS = 12_000_000
"""Of a page; larger ones are made smaller first."""


class Recognition:
    """What recognises the pages of one file. Each page takes seconds, so there is an end to how many are read."""

    def __init__(self, limits: Limits) -> None:
        self._recogniser = open_recogniser(limits.ocr)
        self._time_s = limits.ocr_seconds
        self._started_s = _processor_s()

    @property
    def is_installed(self) -> bool:
        return self._recogniser is not None

    @property
    def has_time(self) -> bool:
        return self._left_s > 0

    @property
    def _left_s(self) -> float:
        return self._time_s - (_processor_s() - self._started_s)

    def read(self, picture: Image) -> list[Box]:
        """The lines of text in a picture of a page, in reading order."""
        if self._recogniser is None:
            raise RuntimeError("nothing that recognises text")
        return self._recogniser.read(picture, max(self._left_s, 1.0))


def _processor_s() -> float:
    """Processor time of this process and of the programs that it started."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
