"""The pictures of the pages can be taken anew."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.conftest import BROWSER

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.web


def test_the_script_takes_every_picture_that_the_pages_show(tmp_path: Path) -> None:
    if BROWSER is None:
        pytest.skip("needs a browser: run `make test-web`")
    subprocess.run([sys.executable, ROOT / "scripts" / "take_pictures.py", tmp_path], check=True)
    assert {image.name for image in tmp_path.glob("*.png")} == {
        image.name for image in (ROOT / "docs" / "images").glob("web-*.png")
    }
