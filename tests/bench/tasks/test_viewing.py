"""Pages of a generated PDF shown as a citation is."""

from docmind.bench.tasks import viewing
from docmind.bench.workbench import Workbench


def test_the_cited_page_of_a_long_pdf_is_timed_until_it_is_drawn_with_its_boxes(bench: Workbench) -> None:
    rows = viewing.run(bench, pages=3, views=3)
    assert [(row.system, row.metric, row.n) for row in rows] == [
        ("docmind", "first_ms", 1),
        ("docmind", "p50_ms", 2),
        ("docmind", "p95_ms", 2),
    ]
    assert all(row.value > 0 for row in rows)
    assert rows[2].aim == viewing.AIM_MS
