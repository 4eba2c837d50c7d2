"""Recognises the pages of one file, as many as there is time for."""

import os

from PIL.Image import Image

from docmind.corpus.load.limits import Limits
from docmind.corpus.load.ocr.engine import Box, open_recogniser

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
