"""The project's scripts, run in this process: most of their time goes by with imports that it has made already."""

import runpy
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"


def run_script(name: str, *arguments: str | Path) -> None:
    """As `python scripts/NAME ARGUMENTS…` does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(SCRIPTS / name), *map(str, arguments)])
        patch.syspath_prepend(SCRIPTS)
        runpy.run_path(str(SCRIPTS / name), run_name="__main__")
