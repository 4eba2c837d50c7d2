"""Fetches axe-core, which finds what people with assistive technology could not use, for the tests of the page.

It is pinned by checksum, kept out of the repository and not part of DocMind.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

from vendor_web import Package, fetch, unpack

AXE = Package(
    "axe-core",
    "4.14.0",
    "9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ==",
    {"axe.min.js": "axe.min.js"},
)
FILE = Path(__file__).resolve().parent.parent / ".services" / f"axe-{AXE.version}.js"


def fetched() -> Path | None:
    """The program; None, with a line that says why, where it cannot be had."""
    if FILE.is_file():
        return FILE
    if shutil.which("npm") is None:
        print(f"npm, which fetches {AXE.name}, is not installed, so nothing is tested with it.")
        return None
    with tempfile.TemporaryDirectory() as folder:
        try:
            unpacked = unpack(fetch(AXE, Path(folder)))
        except subprocess.CalledProcessError:
            print(f"npm could not fetch {AXE.name} {AXE.version}, so nothing is tested with it.")
            return None
        FILE.parent.mkdir(exist_ok=True)
        shutil.move(unpacked / "axe.min.js", FILE)
    return FILE
