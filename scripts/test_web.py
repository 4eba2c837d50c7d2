"""Runs the tests marked `web` in a real browser.

    python scripts/test_web.py [PYTEST ARGUMENT, instead of all the tests of the page...]

The browser is the one that DOCMIND_TEST_BROWSER names, else a Chromium that is here, else Debian's, which is installed
where that can be done. Where there is none, a line says so and nothing is tested. axe-core is fetched with npm.
"""

import os
import shutil
import subprocess
import sys

import fetch_axe

VARIABLE, AXE_VARIABLE = "DOCMIND_TEST_BROWSER", "DOCMIND_TEST_AXE"
PATIENCE_S = "300"
"""For a test and what is made ready for it; the first has all the examples read."""
SIDE_BY_SIDE = ("--numprocesses", "2", "--dist", "loadfile")
"""A test of the page waits most of its time."""
NAMES = ("chromium", "chromium-browser", "google-chrome")


def main(arguments: list[str]) -> int:
    browser = os.environ.get(VARIABLE) or found() or installed()
    if browser is None:
        print(f"No Chromium here, so the page was not tested; {VARIABLE} can name one.", file=sys.stderr)
        return 0
    chosen = [*SIDE_BY_SIDE, *(arguments or ["tests/web"])]
    command = [sys.executable, "-m", "pytest", "-m", "web", "--timeout", PATIENCE_S, *chosen]
    axe = fetch_axe.fetched()
    found_here = {VARIABLE: browser} | ({AXE_VARIABLE: str(axe)} if axe else {})
    return subprocess.run(command, env={**os.environ, **found_here}, check=False).returncode


def found() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def installed() -> str | None:
    """Debian's Chromium, where this is a Debian and we may install something."""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return None
    for step in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
        told = subprocess.run(["apt-get", "-qq", *step], capture_output=True, text=True, check=False)
        if told.returncode:
            print(f"apt-get {step[0]} failed: {told.stderr.strip()[-300:]}", file=sys.stderr)
            return None
    return found()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
