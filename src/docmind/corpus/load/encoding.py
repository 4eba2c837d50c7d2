"""Turns the bytes of a text file into text, or says why they are not text."""

import codecs
import re

from charset_normalizer import from_bytes

from docmind.domain.errors import FileRejected

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NOT_TEXT = re.compile("[\x00-\x08\x0e-\x1f\ufffd]")
# Guessing an encoding is slow; the beginning of a file is enough to tell it.
GUESS_BYTES = 64 * 1024
MAX_NONSENSE_SHARE = 0.01
WESTERN_SHARE = 0.15
# Characters beyond ASCII for each that fails: in any other encoding hardly one happens to be right.
UTF8_EVIDENCE = 5


def decode(data: bytes) -> str:
    text = _decode(data)
    nonsense = len(text) - len(_NOT_TEXT.sub("", text))
    if "\x00" in text or nonsense > MAX_NONSENSE_SHARE * len(text):
        raise FileRejected("is binary data, not text.")
    return text


def _decode(data: bytes) -> str:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _mostly_utf8(data) or data.decode(_guess(data), errors="replace")


def _mostly_utf8(data: bytes) -> str:
    """The text, where UTF-8 fails in a place or two, as in a file that was cut off; empty where it fails throughout."""
    text = data.decode("utf-8", errors="replace")
    wrong = text.count("\ufffd")
    foreign = len(text) - len(text.encode("ascii", errors="ignore"))
    return text if foreign > UTF8_EVIDENCE * wrong else ""


def _guess(data: bytes) -> str:
    sample = data[:GUESS_BYTES]
    # A few accented letters among plain ones are Western European; statistics on so few go astray.
    if sum(byte > 127 for byte in sample) < WESTERN_SHARE * len(sample):
        return "cp1252"
    guess = from_bytes(sample).best()
    if guess is None:
        raise FileRejected("is binary data, or text in an encoding that cannot be told.")
    return guess.encoding
