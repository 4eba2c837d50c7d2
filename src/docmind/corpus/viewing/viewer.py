"""What is shown of documents, drawn and read in confined processes, and kept for a while."""

import base64
import re
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from threading import Lock, local
from typing import Generic, TypeVar

from docmind.corpus.load import Limits
from docmind.corpus.readers import CRASHED, Job, ProcessReaders, Result
from docmind.corpus.viewing.alignment import Box, find_boxes
from docmind.corpus.viewing.layout import Layout, LayoutJob, ShownLayout, hash_of, plain_layout, read_layout
from docmind.corpus.viewing.pages import PageJob, PageResult, PageWord, look_at
from docmind.domain.documents import Document, Span
from docmind.domain.errors import FileRejected, NotFound

MOST_MATCHES = 1_000
"""Places that are listed; all are counted."""


@dataclass(frozen=True, slots=True)
class Match:
    """Where the words stand, and on which page as far as that is known."""

    span: Span
    page: int | None


@dataclass(frozen=True, slots=True)
class Matches:
    """The first places in order, and how many there are."""

    places: list[Match]
    total: int


def find_words(text: str, words: str) -> tuple[list[Span], int]:
    """The first places of the words, and how many there are."""
    parts = words.split()
    if not parts:
        return [], 0
    found = re.compile(r"\s+".join(map(re.escape, parts)), re.IGNORECASE).finditer(text)
    places = [Span(*one.span()) for one in islice(found, MOST_MATCHES)]
    return places, len(places) + sum(1 for _ in found)


class Workers(Generic[Job, Result]):
    """Does `work`, which gives a `result`, one job at a time in each of `count` processes that are kept.

    Linux ends such a process with the thread that started it, so the threads are kept as well.
    """

    def __init__(self, work: Callable[[Job], Result], result: type[Result], count: int, timeout_s: float) -> None:
        self._work, self._result, self._timeout_s = work, result, timeout_s
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="viewing")
        self._own = local()
        self._opened: list[ProcessReaders[Job, Result]] = []
        self._lock = Lock()

    def do(self, job: Job) -> Result:
        """What became of the job; `FileRejected` says why where nothing did."""
        outcome = self._threads.submit(self._try, job).result()
        if isinstance(outcome, FileRejected):
            raise outcome
        return outcome

    def begin(self, job: Job) -> None:
        """Have the job done, whatever becomes of it, and wait for nothing."""
        self._threads.submit(self._try, job)

    def close(self) -> None:
        """End the processes; what they are busy with is lost."""
        # Not waited for: a page may take long, and its process ends here.
        self._threads.shutdown(wait=False, cancel_futures=True)
        for readers in self._opened:
            readers.__exit__()
        self._opened.clear()

    def _try(self, job: Job) -> Result | FileRejected:
        if not hasattr(self._own, "readers"):
            self._own.readers = ProcessReaders(self._work, self._result, 1, self._timeout_s)
            with self._lock:
                self._opened.append(self._own.readers)
        readers: ProcessReaders[Job, Result] = self._own.readers
        ((_, outcome),) = readers.map([job])
        if outcome is CRASHED:
            # The system may have ended the process while it had nothing to do; another one tells.
            ((_, outcome),) = readers.map([job])
        return outcome


DRAWING_PROCESSES = 2
PAGE_S = 10.0
"""Processor time for one page; a person waits for it."""
LAYOUT_S = 60.0
MOST_LAID_OUT = 10_000_000
"""Characters of a document whose layout is read; the text of a longer one is shown without."""
MOST_PAGES = 24
"""Pages over which one stretch of text is looked for: of slides a passage may take many."""
KEPT_PICTURES = 48 << 20
KEPT_WORDS = 64
KEPT_LAYOUTS = 4
KEPT_FAILURES = 256
Kept = TypeVar("Kept")
Places = Sequence[tuple[Span, int | None]]
"""Where a document's passages stand, and the page that each begins on."""


class _Cache(Generic[Kept]):
    """What was used last, up to a size in all; what fails is not kept."""

    def __init__(self, most: int, size: Callable[[Kept], int] = lambda _: 1) -> None:
        self._most, self._size = most, size
        self._kept: OrderedDict[Hashable, Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Kept | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: Hashable, value: Kept) -> Kept:
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > 1 and sum(map(self._size, self._kept.values())) > self._most:
                self._kept.popitem(last=False)
        return value


class Viewer:
    """Thread-safe. `original` gives the bytes of a document's file, and is called only where they are needed."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._prepared = False
        self._drawers = Workers[PageJob, PageResult](look_at, PageResult, DRAWING_PROCESSES, PAGE_S)
        self._readers = Workers[LayoutJob, Layout](read_layout, Layout, 1, LAYOUT_S)
        self._sizes: _Cache[list[tuple[float, float]]] = _Cache(KEPT_WORDS)
        self._pictures: _Cache[bytes] = _Cache(KEPT_PICTURES, len)
        self._words: _Cache[list[PageWord]] = _Cache(KEPT_WORDS)
        self._layouts: _Cache[tuple[ShownLayout, str]] = _Cache(KEPT_LAYOUTS)
        self._failures: _Cache[FileRejected] = _Cache(KEPT_FAILURES)

    def prepare(self) -> None:
        """Start the processes before they are needed, without waiting for them: that takes longer than drawing."""
        if not self._prepared:
            self._prepared = True
            for _ in range(DRAWING_PROCESSES):
                self._drawers.begin(PageJob("", None))

    def close(self) -> None:
        self._drawers.close()
        self._readers.close()

    def sizes(self, document: Document, original: Callable[[], bytes]) -> list[tuple[float, float]]:
        """Width and height of each page, as it is shown."""
        key = document.content_hash
        kept = self._sizes.get(key)
        return kept or self._sizes.put(key, self._look(document, PageJob(key, None), original).sizes)

    def picture(self, document: Document, number: int, width: int, original: Callable[[], bytes]) -> bytes:
        """A page as PNG."""
        _require_page(document, number)
        key = (document.content_hash, number, width)
        if kept := self._pictures.get(key):
            return kept
        job = PageJob(document.content_hash, None, draw=number, width=width)
        return self._pictures.put(key, base64.b64decode(self._look(document, job, original).png))

    def boxes(
        self, document: Document, text: str, places: Places, wanted: Span, original: Callable[[], bytes]
    ) -> list[Box]:
        """Where the characters stand on the pages; none where that cannot be told."""
        numbers = _pages_of(places, wanted)
        if not numbers:
            return []
        around = _text_of(places, numbers, wanted)
        pages = self._page_words(document, numbers, original)
        return find_boxes(around.of(text), around.start, wanted, pages)

    def shown(self, document: Document, text: str, original: Callable[[], bytes]) -> tuple[ShownLayout, str]:
        """The layout of a document that has no pages, and a sentence where it has to do without."""
        return self._layouts.get(document.id) or self._layouts.put(
            document.id, self._laid_out(document, text, original)
        )

    def matches(self, text: str, places: Places, words: str) -> Matches:
        """Where the words stand in the text."""
        found, total = find_words(text, words)
        return Matches([Match(span, _page_at(places, span.start)) for span in found], total)

    def _laid_out(self, document: Document, text: str, original: Callable[[], bytes]) -> tuple[ShownLayout, str]:
        try:
            if len(text) > MOST_LAID_OUT:
                raise FileRejected("is too long to be laid out.")
            layout = self._readers.do(LayoutJob(self._limits, original(), document.file_name))
        except FileRejected as rejected:
            return ShownLayout(plain_layout(text)), f"The file {rejected} Its text is shown without layout."
        except NotFound as gone:
            return ShownLayout(plain_layout(text)), f"{gone} Its text is shown without layout."
        if layout.text_hash != hash_of(text):
            note = "The file was read by another version of DocMind; ingest it again to see its layout."
            return ShownLayout(plain_layout(text)), note
        return ShownLayout(layout), ""

    def _page_words(
        self, document: Document, numbers: Sequence[int], original: Callable[[], bytes]
    ) -> list[tuple[int, list[PageWord]]]:
        """The words of these pages, those together that are to be read first."""
        kept = {number: self._words.get((document.content_hash, number)) for number in numbers}
        wanted = tuple(number for number, words in kept.items() if words is None)
        if wanted:
            read = self._look(document, PageJob(document.content_hash, None, read=wanted), original).words
            for number, words in zip(wanted, read, strict=True):
                kept[number] = self._words.put((document.content_hash, number), words)
        return [(number, words or []) for number, words in kept.items()]

    def _look(self, document: Document, job: PageJob, original: Callable[[], bytes]) -> PageResult:
        """What a process made of the job. What failed once is not tried again: it may have taken long."""
        if failed := self._failures.get(job):
            raise failed
        try:
            result = self._drawers.do(job)
            if result.missing:
                result = self._drawers.do(replace(job, data=original()))
        except FileRejected as rejected:
            told = f"{document.file_name!r} cannot be shown here: it {rejected} Its text can be read all the same."
            raise self._failures.put(job, FileRejected(told)) from rejected
        return result


def _require_page(document: Document, number: int) -> None:
    if not 1 <= number <= (document.pages or 0):
        raise NotFound(f"{document.file_name!r} has {document.pages or 0} pages, and no page {number}.")


def _page_at(places: Places, position: int) -> int | None:
    """The page that the passage at this character, or the last before it, begins on."""
    at = bisect_right(places, position, key=lambda place: place[0].start) - 1
    return places[max(at, 0)][1] if places else None


def _pages_of(places: Places, wanted: Span) -> list[int]:
    """The pages that the stretch may stand on: from where its passage begins to where the one after it does."""
    first = _page_at(places, wanted.start)
    if first is None:
        return []
    after = [page for span, page in places if span.start >= wanted.end and page is not None]
    last = after[0] if after else max(page for _, page in places if page is not None)
    return list(range(first, min(max(last, first), first + MOST_PAGES - 1) + 1))


def _text_of(places: Places, pages: Sequence[int], wanted: Span) -> Span:
    """The characters that stand on these pages, and those of a passage that begins on the page before."""
    on = [span for span, page in places if page is not None and pages[0] <= page <= pages[-1]]
    before = [span for span, page in places if page is not None and page < pages[0]]
    starts = [wanted.start, *(span.start for span in [*before[-1:], *on])]
    return Span(min(starts), max([wanted.end, *(span.end for span in on)]))
