"""Reads Rich Text Format: headings by style or outline level, lists, and tables in the order of the text."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from docmind.corpus.load.builder import Builder, one_line
from docmind.corpus.load.limits import Limits
from docmind.corpus.load.rtf_flow import BODY_TEXT, Flow, Paragraph, Style
from docmind.domain.documents import Loaded, Metadata
from docmind.domain.errors import FileRejected

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


MEDIA_TYPE = "application/rtf"
MAGIC = b"{\\rtf"
MAX_DEPTH = 500
_UNREAD = frozenset(
    {"colortbl", "pict", "object", "objdata", "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr"}
    | {"footerf", "fldinst", "listtable", "listoverridetable", "rsidtbl", "themedata", "datastore", "nonesttables"}
    | {"revtbl", "xmlnstbl", "generator", "annotation", "atnid", "atnauthor", "bkmkstart", "bkmkend", "filetbl", "sn"}
    | {"sv", "template", "mmathPr", "ftnsep", "ftnsepc", "aftnsep", "aftnsepc", "author", "operator", "company"}
    | {"creatim", "revtim", "printim", "buptim", "comment", "doccomm", "keywords", "subject", "category", "manager"}
)
_TARGETS = {
    "listtext": "marker", "pntext": "marker", "fonttbl": "fonttbl", "stylesheet": "stylesheet", "info": "info",
}  # fmt: skip
_SAID = {
    "tab": " ", "line": " ", "emdash": "\u2014", "endash": "\u2013", "bullet": "\u2022", "lquote": "\u2018",
    "rquote": "\u2019", "ldblquote": "\u201c", "rdblquote": "\u201d", "emspace": " ", "enspace": " ", "nestcell": " ",
}  # fmt: skip
_SYMBOLS = {b"~": "\u00a0", b"_": "-", b"\\": "\\", b"{": "{", b"}": "}"}


def load_rtf(data: bytes, limits: Limits) -> Loaded:
    if not data.lstrip().startswith(MAGIC):
        raise FileRejected("is not an RTF file, whatever its name says.")
    builder = Builder(limits)
    reader = _Reader(Flow(builder))
    reader.read(data)
    return builder.finish(MEDIA_TYPE, Metadata(title=one_line("".join(reader.title)) or None))


@dataclass(frozen=True, slots=True)
class _Group:
    """What holds until the brace closes."""

    target: str = "body"
    """Where its text goes: the `body`, a table of the file's head, the `marker` of an item; `nowhere` if unread."""
    skipped: int = 1
    """How many characters follow one in Unicode, for programs that know none."""
    hidden: bool = False
    font: int = 0
    optional: bool = False
    """True right after the sign that says: leave this group out if you do not know it."""


@dataclass(slots=True)
class _Reader:
    flow: Flow
    title: list[str] = field(default_factory=list)
    groups: list[_Group] = field(default_factory=lambda: [_Group()])
    described: Style = field(default_factory=Style)
    """The style that the style sheet is at."""
    encodings: dict[int, str] = field(default_factory=dict)
    """By a font's number."""
    encoding: str = "cp1252"
    raw: bytearray = field(default_factory=bytearray)
    """Bytes that are not decoded yet: a letter may take two of them."""
    units: list[int] = field(default_factory=list)
    """Halves of characters in Unicode that are not put together yet."""
    ignored: int = 0
    """Characters that are still to be left out, because their like in Unicode was read."""

    def read(self, data: bytes) -> None:
        for token in tokens(data):
            if token.kind in ("hex", "text"):
                self._bytes(token)
                continue
            self._decode()
            match token.kind:
                case "{":
                    self._open()
                case "}":
                    self._close()
                case "word":
                    self._word(token.value.decode(), token.number)
                case _:
                    self._symbol(token.value)
        self._decode()
        self._join_units()
        self.flow.finish()

    @property
    def group(self) -> _Group:
        return self.groups[-1]

    def _change(self, **values: object) -> None:
        self.groups[-1] = replace(self.group, **values)  # type: ignore[arg-type]

    def _open(self) -> None:
        self._join_units()
        self.ignored = 0
        self.groups.append(replace(self.group, optional=False))
        if len(self.groups) > MAX_DEPTH:
            raise FileRejected(f"nests its groups more than {MAX_DEPTH} deep.")

    def _close(self) -> None:
        self._join_units()
        self.ignored = 0
        if len(self.groups) > 1:
            self.groups.pop()

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self._change(optional=True)
        elif symbol in (b"\n", b"\r"):
            self._word("par", None)
        else:
            self._say(_SYMBOLS.get(symbol, ""))

    def _bytes(self, token: Token) -> None:
        value = token.value[self.ignored :]
        self.ignored = max(0, self.ignored - len(token.value))
        if self.group.target != "nowhere":
            self.raw += value

    def _decode(self) -> None:
        if self.raw:
            self._join_units()
            text = self.raw.decode(self.encodings.get(self.group.font, self.encoding), "replace")
            self.raw.clear()
            self._put(text)

    def _join_units(self) -> None:
        if self.units:
            packed = b"".join(unit.to_bytes(2, "little") for unit in self.units)
            self.units.clear()
            self._put(packed.decode("utf-16-le", "replace"))

    def _say(self, text: str) -> None:
        self._join_units()
        if text:
            self._put(text)

    def _put(self, text: str) -> None:
        match self.group.target:
            case "body" if not self.group.hidden:
                self.flow.text.append(text)
            case "marker":
                self.flow.marker.append(text)
            case "title":
                self.title.append(text)
            case "stylesheet":
                name, ended, _ = text.partition(";")
                self.described.name += name
                if ended:
                    self.described = Style()

    def _word(self, word: str, number: int | None) -> None:
        if word == "u":
            self.units.append((number or 0) % 65536)
            self.ignored = self.group.skipped
            return
        self._join_units()
        optional, target = self.group.optional, self.group.target
        if optional:
            self._change(optional=False)
        if word == "title" and target == "info":
            self._change(target="title")
        elif word in _TARGETS:
            self._change(target=_TARGETS[word])
        elif word in _UNREAD or (optional and target != "stylesheet"):
            # In a style sheet, styles that old programs do not know are marked as optional too.
            self._change(target="nowhere")
        elif word == "uc":
            self._change(skipped=min(max(number or 0, 0), 8))
        elif word == "ansicpg":
            self.encoding = code_page(number)
        elif describe := {"fonttbl": self._font, "stylesheet": self._style, "body": self._body}.get(target):
            describe(word, number)

    def _font(self, word: str, number: int | None) -> None:
        if word == "f":
            self._change(font=number or 0)
        elif word == "fcharset" and number in CODE_PAGES:
            self.encodings[self.group.font] = CODE_PAGES[number] if number else self.encoding

    def _style(self, word: str, number: int | None) -> None:
        if word == "s":
            self.described = self.flow.styles.setdefault(number or 0, Style())
        elif word == "outlinelevel":
            self.described.level = number or 0

    def _body(self, word: str, number: int | None) -> None:
        if word in _ACTIONS:
            _ACTIONS[word](self.flow, number)
        elif word in ("v", "deleted"):
            self._change(hidden=number != 0)
        elif word == "plain":
            self._change(hidden=False, font=0)
        elif word == "f":
            self._change(font=number or 0)
        else:
            self._say(_SAID.get(word, ""))


def _begin_paragraph(flow: Flow, _number: int | None) -> None:
    flow.paragraph = Paragraph()


def _begin_row(flow: Flow, _number: int | None) -> None:
    flow.row_is_header = False


def _mark_header(flow: Flow, _number: int | None) -> None:
    flow.row_is_header = True


def _mark_table(flow: Flow, _number: int | None) -> None:
    flow.paragraph.in_table = True


def _set_style(flow: Flow, number: int | None) -> None:
    flow.paragraph.style = number or 0


def _set_level(flow: Flow, number: int | None) -> None:
    flow.paragraph.level = BODY_TEXT if number is None else number


def _set_depth(flow: Flow, number: int | None) -> None:
    flow.paragraph.depth = number or 0


_ACTIONS: dict[str, Callable[[Flow, int | None], None]] = {
    "par": lambda flow, _: flow.end_paragraph(),
    "sect": lambda flow, _: flow.end_paragraph(),
    "page": lambda flow, _: flow.end_paragraph(),
    "cell": lambda flow, _: flow.end_cell(),
    "row": lambda flow, _: flow.end_row(),
    "pard": _begin_paragraph,
    "trowd": _begin_row,
    "trhdr": _mark_header,
    "intbl": _mark_table,
    "s": _set_style,
    "outlinelevel": _set_level,
    "ilvl": _set_depth,
}
"""What the words of the body do to its paragraphs."""
