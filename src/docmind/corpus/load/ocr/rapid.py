"""rapidocr: neural networks that find lines of text and read them, with weights that come in its package."""

import logging
from functools import cached_property
from typing import Any

import numpy as np
from PIL.Image import Image

from docmind.corpus.load.ocr.columns import in_reading_order
from docmind.corpus.load.ocr.engine import Box

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
