"""Viewing: how long it takes until the cited page of a long PDF is drawn, with boxes over the cited words."""

import time

from docmind.bench.generated_pdf import write_pdf
from docmind.bench.metrics import percentile
from docmind.bench.report import Aim, Row
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.domain.documents import Document, Span
from docmind.runtime.engine import DocMind

AIM_MS = Aim(500, at_most=True)
WIDTH = 1300
"""Dots, as a page is drawn beside an answer on a usual screen."""
CITED = 80
"""Characters."""


def run(bench: Workbench, *, pages: int = 500, views: int = 50) -> list[Row]:
    path = write_pdf(bench.scratch / "long.pdf", pages)
    with open_engine(bench.scratch / "viewing", "static") as engine:
        engine.ingest([path], SCOPE)
        (document,) = engine.documents(SCOPE)
        text = engine.text(document)
        # The processes that draw are not there yet; the page starts them when it lists documents.
        first = _view(engine, document, _place(text, 0, views))
        with bench.steps("viewing: pages", views - 1) as done:
            later = []
            for number in range(1, views):
                later.append(_view(engine, document, _place(text, number, views)))
                done(number)
    return [
        Row("viewing", "docmind", "first_ms", first, 1),
        Row("viewing", "docmind", "p50_ms", percentile(later, 50), len(later)),
        Row("viewing", "docmind", "p95_ms", percentile(later, 95), len(later), {}, AIM_MS),
    ]


def _place(text: str, number: int, of: int) -> Span:
    """One of the places that are spread over the text."""
    start = number * (len(text) - CITED) // of
    return Span(start, start + CITED)


def _view(engine: DocMind, document: Document, cited: Span) -> float:
    """Milliseconds until everything is there that the viewer shows of a citation: sizes, boxes, and the page."""
    begun = time.perf_counter()
    engine.page_sizes(document)
    boxes = engine.boxes(document, cited)
    engine.page_picture(document, boxes[0].page if boxes else 1, WIDTH)
    return (time.perf_counter() - begun) * 1000
