"""Which program recognises text here: rapidocr where the extra `ocr` is installed, else tesseract, else none."""

import shutil
from functools import cache
from importlib.util import find_spec
from typing import NamedTuple, Protocol

from PIL.Image import Image

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
        from docmind.corpus.load.ocr.rapid import RapidRecogniser

        return RapidRecogniser()
    if wanted in ("auto", "tesseract") and (program := shutil.which("tesseract")) is not None:
        from docmind.corpus.load.ocr.tesseract import TesseractRecogniser

        return TesseractRecogniser(program)
    return None
