"""How long starting takes is told beside a bare server."""

from docmind.bench.tasks import start
from docmind.bench.workbench import Workbench


def test_rows_tell_when_the_page_and_its_lists_are_there(bench: Workbench) -> None:
    page, lists = start.run(bench, starts=1)
    assert (page.metric, lists.metric) == ("page_ms", "lists_ms")
    assert 0 < page.value < lists.value
    assert page.references["one file by starlette"] > 0
    assert page.aim == start.AIM_MS
