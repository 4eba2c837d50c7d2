"""Takes RTF apart into groups, control words and text, and decodes the text by the fonts it is set in."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    rb"\\'(?P<hex>[0-9a-fA-F]{2})"
    rb"|\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?[0-9]{1,10})? ?"
    rb"|\\(?P<symbol>[^a-zA-Z])"
    rb"|(?P<brace>[{}])"
    rb"|(?P<text>[^\\{}\r\n]+)"
    rb"|[\r\n]+|\\"
)
CODE_PAGES = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "big5", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250",
}  # fmt: skip
"""By the number that a font table gives a set of characters."""


class Token(NamedTuple):
    """One piece: `word` with its `number`, a `symbol`, `text`, the byte of a `hex` escape, or an opening or closing
    brace as `kind`."""

    kind: str
    value: bytes = b""
    number: int | None = None


def tokens(data: bytes) -> Iterator[Token]:
    place = 0
    while match := _TOKEN.match(data, place):
        place = match.end()
        kind = match.lastgroup or ""
        if match["word"] is not None:
            number = int(match["number"]) if match["number"] is not None else None
            if match["word"] == b"bin":
                # So many bytes of a picture, which are no RTF.
                place += max(number or 0, 0)
                continue
            yield Token("word", match["word"], number)
        elif kind == "hex":
            yield Token("hex", bytes.fromhex(match["hex"].decode()))
        elif kind == "brace":
            yield Token(match["brace"].decode())
        elif kind:
            yield Token(kind, match[kind])


def code_page(number: int | None) -> str:
    """The encoding of a code page that a document names, as far as it is known."""
    name = f"cp{number}"
    try:
        "".encode(name)
    except LookupError:
        return "cp1252"
    return name
