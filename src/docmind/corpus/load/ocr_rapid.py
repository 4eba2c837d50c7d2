"""rapidocr: neural networks that find lines of text and read them, and the order in which those lines are read."""

import logging
from collections.abc import Sequence
from functools import cached_property
from statistics import median
from typing import Any

import numpy as np
from PIL.Image import Image

from docmind.corpus.load.ocr import Box

PLACES_TRIED = 40
FEWEST_LINES = 4
"""Lines that each of two columns has at least."""
SHORTEST_PROSE = 15
"""Characters of a usual line of prose; the cells of a table are shorter."""
MOST_ACROSS = 0.3
"""The share of lines that may run across both columns, as headings do."""
DEEPEST = 3
"""A page has up to eight columns."""


def in_reading_order(boxes: Sequence[Box], depth: int = 0) -> list[Box]:
    """Lines from top to bottom and in a line from left to right, columns of prose one after the other."""
    gap = _gap(boxes) if depth < DEEPEST else None
    if gap is None:
        return _by_line(boxes)
    ordered: list[Box] = []
    waiting: list[Box] = []
    for box in sorted(boxes, key=lambda box: box.top):
        if box.left < gap < box.right:
            ordered += [*_by_column(waiting, gap, depth), box]
            waiting = []
        else:
            waiting.append(box)
    return ordered + _by_column(waiting, gap, depth)


def _by_column(boxes: Sequence[Box], gap: float, depth: int) -> list[Box]:
    left, right = ([box for box in boxes if (box.left >= gap) is side] for side in (False, True))
    return in_reading_order(left, depth + 1) + in_reading_order(right, depth + 1)


def _gap(boxes: Sequence[Box]) -> float | None:
    """Where a blank strip parts two columns of prose; None where there is no such place."""
    if len(boxes) < 2 * FEWEST_LINES:
        return None
    start, end = min(box.left for box in boxes), max(box.right for box in boxes)
    places = [start + (end - start) * step / PLACES_TRIED for step in range(1, PLACES_TRIED)]
    crossings = {at: sum(box.left < at < box.right for box in boxes) for at in places}
    place = min(places, key=crossings.__getitem__)
    sides = [box for box in boxes if box.right <= place], [box for box in boxes if box.left >= place]
    prose = all(len(side) >= FEWEST_LINES and _is_prose(side) for side in sides)
    return place if prose and crossings[place] <= MOST_ACROSS * len(boxes) else None


def _is_prose(side: Sequence[Box]) -> bool:
    return median(len(box.text) for box in side) >= SHORTEST_PROSE


def _by_line(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that stand side by side are one line, whatever their letters' heights."""
    lines: list[list[Box]] = []
    for box in sorted(boxes, key=lambda box: (box.top + box.bottom) / 2):
        last = lines[-1][0] if lines else None
        middle = (box.top + box.bottom) / 2
        if last is not None and abs(middle - (last.top + last.bottom) / 2) < min(last.height, box.height) / 2:
            lines[-1].append(box)
        else:
            lines.append([box])
    return [box for line in lines for box in sorted(line, key=lambda box: box.left)]


LONGEST_SIDE = 1_280
"""Pixels at which lines are looked for: on larger pictures it takes three times as long and misses some."""
LEAST_SURE = 0.5
"""Lines that the program is less sure of are specks and drawings more often than text."""


class RapidRecogniser:
    name = "rapidocr"

    @cached_property
    def _engine(self) -> Any:
        import cv2
        from rapidocr import RapidOCR

        logging.getLogger("RapidOCR").setLevel(logging.ERROR)
        # There is a reader for every core already.
        cv2.setNumThreads(1)
        threads = {"intra_op_num_threads": 1, "inter_op_num_threads": 1}
        chosen = {f"EngineConfig.onnxruntime.{name}": count for name, count in threads.items()}
        found = {"Det.limit_type": "max", "Det.limit_side_len": LONGEST_SIDE, "Global.use_cls": False}
        return RapidOCR(params={**chosen, **found, "Global.log_level": "error"})

    def read(self, picture: Image, timeout_s: float) -> list[Box]:  # noqa: ARG002 - the reader's own limit ends it
        # It takes pictures as OpenCV has them: blue first.
        found = self._engine(np.asarray(picture.convert("RGB"))[:, :, ::-1])
        if found.boxes is None or found.txts is None:
            return []
        scores = found.scores or [1.0] * len(found.txts)
        boxes = [
            Box(text, corners[:, 0].min(), corners[:, 1].min(), corners[:, 0].max(), corners[:, 1].max())
            for corners, text, score in zip(map(np.asarray, found.boxes), found.txts, scores, strict=True)
            if score >= LEAST_SURE and text.strip()
        ]
        return in_reading_order(boxes)
