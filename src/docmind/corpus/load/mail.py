"""Reads e-mail: who wrote to whom, when and about what, then what was written. Attachments are files of their own."""

import email
import mimetypes
import re
from collections.abc import Iterator
from email.header import decode_header, make_header
from email.message import Message
from email.policy import compat32
from email.utils import parsedate_to_datetime

from docmind.corpus.load.archive import Member, Rejected
from docmind.corpus.load.builder import Builder, one_line
from docmind.corpus.load.encoding import decode
from docmind.corpus.load.html import write_html
from docmind.corpus.load.limits import MEGABYTE, Limits
from docmind.corpus.load.plain import write_plain
from docmind.domain.documents import Loaded, Metadata
from docmind.domain.errors import FileRejected

MEDIA_TYPE = "message/rfc822"
HEADERS = ("From", "To", "Cc", "Date")
LONGEST_HEADER = 10_000
LONGEST_NAME = 150
_SPLITTERS = re.compile(r"[/\\\x00-\x1f]")


def load_mail(data: bytes, limits: Limits) -> Loaded:
    message = _parse(data)
    said = {name: _header(message, name) for name in (*HEADERS, "Subject")}
    if not any(said.values()):
        raise FileRejected("is not an e-mail: it has no sender, recipient, date or subject.")
    builder = Builder(limits)
    builder.heading(said["Subject"], 1)
    for name in HEADERS:
        if said[name]:
            builder.paragraph(f"{name}: {said[name]}")
    if attached := [name for _, name in _attached(message)]:
        builder.paragraph(f"Attachments: {', '.join(attached)}")
    _write_body(builder, message)
    return builder.finish(
        MEDIA_TYPE, Metadata(title=said["Subject"] or None, date=_day(said["Date"]), document_type="email")
    )


def attachments(data: bytes, limits: Limits) -> Iterator[Member | Rejected]:
    """The files that came with an e-mail, as an archive's members are."""
    total = 0
    found = list(_attached(_parse(data)))
    if len(found) > limits.archive_members:
        raise FileRejected(f"has {len(found):,} attachments; the limit is {limits.archive_members:,}.")
    for part, name in found:
        content = _content(part)
        total += len(content)
        if name.lower().endswith(".zip"):
            yield Rejected(name, "is an archive inside an e-mail; save it as a file and ingest that.")
        elif len(content) > limits.max_bytes or total > limits.archive_bytes:
            yield Rejected(name, f"is larger than {limits.max_bytes // MEGABYTE:,} MB, which is the limit.")
        else:
            yield Member(name, content)


def _parse(data: bytes) -> Message:
    try:
        return email.message_from_bytes(data, policy=compat32)
    except RecursionError as error:
        raise FileRejected("is nested too deeply to be read.") from error


def _header(message: Message, name: str) -> str:
    return one_line(_decoded_words(str(message.get(name, ""))))


def _decoded_words(value: str) -> str:
    """A header as people read it: what is no ASCII comes encoded word by word."""
    value = value[:LONGEST_HEADER]
    try:
        return str(make_header(decode_header(value)))
    except (ValueError, LookupError, UnicodeError):
        return value


def _day(written: str) -> str | None:
    try:
        return parsedate_to_datetime(written).date().isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _parts(message: Message) -> Iterator[Message]:
    """The parts that are not made of others; an e-mail within the e-mail counts as one."""
    waiting = [message]
    while waiting:
        part = waiting.pop()
        inner = part.get_payload()
        if part.get_content_maintype() == "multipart" and isinstance(inner, list):
            waiting += [one for one in reversed(inner) if isinstance(one, Message)]
        else:
            yield part


def _is_attachment(part: Message) -> bool:
    if part.get_content_type() == MEDIA_TYPE or part.get_content_disposition() == "attachment":
        return True
    # Pictures that the text shows, such as a logo, are named too.
    shown = part.get("Content-ID") is not None and part.get_content_maintype() == "image"
    return part.get_filename() is not None and not shown


def _attached(message: Message) -> Iterator[tuple[Message, str]]:
    """Each attachment with a name that none before it has."""
    taken: set[str] = set()
    for number, part in enumerate((one for one in _parts(message) if one is not message and _is_attachment(one)), 1):
        name = _name(part) or f"attachment-{number}{_extension(part)}"
        if name in taken:
            name = f"{number}-{name}"
        taken.add(name)
        yield part, name


def _name(part: Message) -> str:
    given = part.get_filename() or ""
    return one_line(_SPLITTERS.split(_decoded_words(given))[-1])[-LONGEST_NAME:].replace("!", "-").strip(". ")


def _extension(part: Message) -> str:
    kind = part.get_content_type()
    return ".eml" if kind == MEDIA_TYPE else mimetypes.guess_extension(kind) or ".bin"


def _content(part: Message) -> bytes:
    inner = part.get_payload()
    if isinstance(inner, list):
        return b"\n".join(one.as_bytes() for one in inner if isinstance(one, Message))
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _write_body(builder: Builder, message: Message) -> None:
    """The parts that are the letter itself. Of the same text as a page and as plain text the page counts: it has the
    tables and lists."""
    texts = [part for part in _parts(message) if not (part is not message and _is_attachment(part))]
    pages = [part for part in texts if part.get_content_type() == "text/html"]
    for part in pages or [part for part in texts if part.get_content_type() == "text/plain"]:
        content = _content(part)
        if not content.strip():
            continue
        text = _decoded(part, content)
        if pages:
            write_html(builder, text)
        else:
            write_plain(builder, _without_marks(text))


def _without_marks(text: str) -> str:
    """A letter without the ">" before each line that it quotes; what is quoted stands in paragraphs of its own."""
    lines: list[str] = []
    last = 0
    for line in text.replace("\r\n", "\n").split("\n"):
        said, depth = line, 0
        while said.startswith(">"):
            said, depth = said[1:].removeprefix(" "), depth + 1
        if depth != last:
            lines.append("")
        lines.append(said)
        last = depth
    return "\n".join(lines)


def _decoded(part: Message, content: bytes) -> str:
    try:
        return content.decode(part.get_content_charset() or "utf-8")
    except (LookupError, UnicodeError):
        return decode(content)
