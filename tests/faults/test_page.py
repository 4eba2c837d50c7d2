"""The page of faults says what the tests do now."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_has_a_row_for_every_fault_that_is_tested(tmp_path: Path) -> None:
    page = tmp_path / "faults.md"
    subprocess.run([sys.executable, ROOT / "scripts" / "write_faults.py", page], check=True)
    assert (ROOT / "docs" / "faults.md").read_text(encoding="utf-8") == page.read_text(encoding="utf-8"), (
        "`python scripts/write_faults.py` writes it anew"
    )
