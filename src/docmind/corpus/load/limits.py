"""How much one file may ask of the machine before it is refused."""

from dataclasses import dataclass

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on a single file; past one of them the file is rejected with that limit in the reason."""

    max_bytes: int = 100 * MEGABYTE
    max_pages: int = 1_500
    max_rows: int = 200_000
    """Rows of one table."""
    max_characters: int = 20_000_000
    """Characters of text a file may turn into."""
    archive_members: int = 10_000
    archive_bytes: int = 1024 * MEGABYTE
    """Bytes that all members of an archive may unpack to together."""
    archive_directory: int = 10 * MEGABYTE
    """Bytes of the list of its members; a kilobyte for each of as many as there may be."""
    compression_ratio: int = 200
    """Unpacked over packed size; members that unpack to less than a megabyte are not measured."""
    keeps_cells: bool = False
    """Whether a document's tables keep where each cell stands: needed to show them, and not to search them."""
    ocr: str = "auto"
    """What recognises text in pictures: `auto`, `rapidocr`, `tesseract` or `none`."""
    ocr_seconds: float = 240.0
    """Processor time for it; pages that are left then are not read."""
