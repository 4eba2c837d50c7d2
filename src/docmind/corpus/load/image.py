"""Reads pictures of text: scans and photographs, each a page, by text recognition."""

import io

from PIL import Image, ImageOps

from docmind.corpus.load.builder import Builder
from docmind.corpus.load.limits import Limits
from docmind.corpus.load.ocr import HOW_TO_GET_ONE, MOST_PIXELS, Recognition
from docmind.corpus.load.pdf.layout import unread_note, write_pages
from docmind.corpus.load.pdf.page import PageText
from docmind.corpus.load.pdf.scans import page_of
from docmind.domain.documents import Loaded
from docmind.domain.errors import FileRejected

FORMATS = ("PNG", "JPEG", "TIFF", "WEBP")
LARGEST_PIXELS = 80_000_000


def load_image(data: bytes, limits: Limits) -> Loaded:
    recognition = Recognition(limits)
    if not recognition.is_installed:
        raise FileRejected(f"is a picture; to have its text read, {HOW_TO_GET_ONE}, and ingest it again.")
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as image:
            return _read(image, recognition, limits)
    except Image.DecompressionBombError as error:
        raise FileRejected(_TOO_LARGE) from error


_TOO_LARGE = f"has more than {LARGEST_PIXELS // 1_000_000} million pixels, which is the limit."


def _read(image: Image.Image, recognition: Recognition, limits: Limits) -> Loaded:
    media_type = Image.MIME[image.format or "PNG"]
    # Of moving pictures the first is read; the pages of a fax or scan are all read.
    count = getattr(image, "n_frames", 1) if image.format == "TIFF" else 1
    if count > limits.max_pages:
        raise FileRejected(f"has {count:,} pages; the limit is {limits.max_pages:,}.")
    pages: dict[int, PageText] = {}
    for index in range(count):
        if index and not recognition.has_time:
            break
        image.seek(index)
        picture = _prepared(image)
        pages[index] = page_of(recognition.read(picture), picture.size, index + 1)
    builder = Builder(limits)
    write_pages(builder, len(pages), pages.__getitem__)
    if builder.last_kind is None:
        raise FileRejected("is a picture in which no text was recognised.")
    left = list(range(len(pages) + 1, count + 1))
    return builder.finish(media_type, pages=count, notes=[unread_note(left, recognition)] if left else [])


def _prepared(image: Image.Image) -> Image.Image:
    """The picture upright, on white, and no larger than a page has to be."""
    if image.width * image.height > LARGEST_PIXELS:
        raise FileRejected(_TOO_LARGE)
    picture = ImageOps.exif_transpose(image)
    if picture.mode in ("RGBA", "LA", "PA", "P"):
        picture = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture)
    picture = picture.convert("RGB")
    excess = picture.width * picture.height / MOST_PIXELS
    if excess > 1:
        picture = picture.resize((int(picture.width / excess**0.5), int(picture.height / excess**0.5)))
    return picture
