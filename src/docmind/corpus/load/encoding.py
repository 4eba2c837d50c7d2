"""Turns the bytes of a text file into text, or says why they are not text."""

import codecs

from charset_normalizer import from_bytes

from docmind.domain.errors import FileRejected

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_TEXT_CONTROLS = frozenset("\n\r\t\f\v")
# Guessing an encoding is slow; the beginning of a file is enough to tell it.
GUESS_BYTES = 64 * 1024
MAX_CONTROL_SHARE = 0.01
WESTERN_SHARE = 0.15


def decode(data: bytes) -> str:
    text = _decode(data)
    controls = sum(1 for c in text if (c < " " and c not in _TEXT_CONTROLS) or c == "\ufffd")
    if "\x00" in text or controls > MAX_CONTROL_SHARE * len(text):
        raise FileRejected("is binary data, not text.")
    return text


def _decode(data: bytes) -> str:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode(_guess(data), errors="replace")


def _guess(data: bytes) -> str:
    sample = data[:GUESS_BYTES]
    # A few accented letters among plain ones are Western European; statistics on so few go astray.
    if sum(byte > 127 for byte in sample) < WESTERN_SHARE * len(sample):
        return "cp1252"
    guess = from_bytes(sample).best()
    if guess is None:
        raise FileRejected("is binary data, or text in an encoding that cannot be told.")
    return guess.encoding
