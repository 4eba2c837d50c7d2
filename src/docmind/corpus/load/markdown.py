"""Reads Markdown through its token stream, so that what is written is what is read, without the markup."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

from docmind.corpus.load.builder import Builder, one_line
from docmind.corpus.load.encoding import decode
from docmind.corpus.load.grid import split_table
from docmind.corpus.load.html import write_html
from docmind.corpus.load.limits import Limits
from docmind.domain.documents import Loaded, Metadata

MEDIA_TYPE = "text/markdown"
LONGEST_CAPTION = 200

# A page may also begin with a rule and have another further down; what stands between those is text.
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?=[ \t]*(?:[\w-]+[ \t]*:|#))(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
_TITLE = re.compile(r"^title:(.*)$", re.MULTILINE | re.IGNORECASE)
_CAPTION = re.compile(r"(?:table|exhibit|schedule)\s+[\dA-Z]", re.IGNORECASE)


def load_markdown(data: bytes, limits: Limits) -> Loaded:
    text = decode(data).lstrip("\ufeff").replace("\r\n", "\n")
    front = _FRONT_MATTER.match(text)
    title = _TITLE.search(front[1]) if front else None
    tokens = MarkdownIt("commonmark").enable("table").parse(text[front.end() :] if front else text)
    builder = Builder(limits)
    _Writer(builder).write(tokens)
    return builder.finish(MEDIA_TYPE, Metadata(title=one_line(title[1]).strip("'\"") or None if title else None))


@dataclass(slots=True)
class _List:
    number: int | None
    fresh: bool = False
    """Whether the marker of the current item is still to be written."""


@dataclass(slots=True)
class _Writer:
    """Walks block tokens and writes them; a short bold line is held back until it is known to be a table's caption."""

    builder: Builder
    lists: list[_List] = field(default_factory=list)
    held: str = ""

    def write(self, tokens: Sequence[Token]) -> None:
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.type == "table_open":
                end = next(i for i in range(index, len(tokens)) if tokens[i].type == "table_close")
                self._table(tokens[index:end])
                index = end
            else:
                self._token(token, tokens[index - 1] if index else None)
            index += 1
        self._release()

    def _token(self, token: Token, before: Token | None) -> None:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            self.lists.append(_List(int(token.attrs.get("start", 1)) if token.type.startswith("ordered") else None))
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self.lists.pop()
        elif token.type == "list_item_open":
            self.lists[-1].fresh = True
        elif token.type == "list_item_close":
            current = self.lists[-1]
            current.number = None if current.number is None else current.number + 1
        elif token.type in ("fence", "code_block"):
            self._release()
            self.builder.code(token.content)
        elif token.type == "html_block":
            self._release()
            write_html(self.builder, token.content)
        elif token.type == "inline" and before is not None:
            self._inline(token, before)

    def _inline(self, token: Token, before: Token) -> None:
        text = inline_text(token.children or [])
        if before.type == "heading_open":
            self._release()
            self.builder.heading(text, int(before.tag[1:]))
        elif self.lists and self.lists[-1].fresh:
            self._release()
            self.lists[-1].fresh = False
            self.builder.item(text, len(self.lists) - 1, self.lists[-1].number)
        else:
            self._release()
            if _is_caption(token, text):
                self.held = text
            else:
                self.builder.paragraph(text)

    def _table(self, tokens: Sequence[Token]) -> None:
        rows: list[list[str]] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(inline_text(token.children or []))
        header, body, caption = split_table(rows, 1, self.held)
        self.held = ""
        self.builder.table(body, header, caption)

    def _release(self) -> None:
        if self.held:
            self.builder.paragraph(self.held)
            self.held = ""


def _is_caption(token: Token, text: str) -> bool:
    """A short line that is bold throughout or begins as "Table 3"."""
    children = [child for child in token.children or [] if child.content.strip() or child.type.startswith("strong")]
    bold = bool(children) and children[0].type == "strong_open" and children[-1].type == "strong_close"
    return len(text) <= LONGEST_CAPTION and (bold or _CAPTION.match(text) is not None)


def inline_text(children: Sequence[Token]) -> str:
    """The words of inline tokens: links keep their text, images their description, HTML tags vanish."""
    parts: list[str] = []
    for child in children:
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak") or (
            child.type == "html_inline" and re.match(r"<\s*(br|p|/p|li|/li)\b", child.content, re.IGNORECASE)
        ):
            parts.append(" ")
        elif child.type == "image":
            parts.append(inline_text(child.children or []))
    return one_line("".join(parts))
