"""Text recognition: pictures of pages become pages with words in their places, read like those of a PDF."""

from docmind.corpus.load.ocr.engine import HOW_TO_GET_ONE, Recogniser, open_recogniser
from docmind.corpus.load.ocr.recognition import Recognition

__all__ = ["HOW_TO_GET_ONE", "Recogniser", "Recognition", "open_recogniser"]
