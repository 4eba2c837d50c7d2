"""Citations in an answer: which brackets and words are one, and which passage each leads to."""

from docmind.quality.citations.markers import find
from docmind.quality.citations.resolving import resolve

__all__ = ["find", "resolve"]
