"""Scale in miniature."""

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from docmind.bench.tasks import scale
from docmind.bench.workbench import workbench

METRICS = {
    "ingest_s",
    "per_second",
    "ingest_mb",
    "optimize_s",
    "optimize_mb",
    "index_mb",
    "catalogue_mb",
    "bytes_a_passage",
    "search_mb",
    "p50_ms",
    "p95_ms",
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system has no /proc to read memory from")
def test_time_memory_and_disk_are_measured_and_a_missing_server_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said = StringIO()
    with workbench(tmp_path, Console(file=said, width=200)) as bench:
        rows = scale.run(bench, sizes=(40,), searches=3)
    assert {(row.system, row.metric) for row in rows} == {("docmind@40", metric) for metric in METRICS}
    assert all(row.value > 0 for row in rows)
    assert "no program called qdrant on the PATH" in said.getvalue()


def test_what_a_file_reserves_and_does_not_fill_is_no_disk(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "filled").write_bytes(b"x" * scale.MEGABYTE)
    with (tmp_path / "reserved").open("wb") as file:
        file.truncate(50 * scale.MEGABYTE)
    assert 1 <= scale.disk_mb([tmp_path]) < 2
    assert 1 <= scale.disk_mb((tmp_path / "below").glob("*")) < 2
