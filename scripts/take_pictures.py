"""Takes the pictures of docs/web.md anew: the page in a real browser, over the bundled examples, with no chat model.

    python scripts/take_pictures.py [FOLDER]

The browser is the one that the tests of the page use (`scripts/test_web.py`). The pictures go to docs/images unless
another folder is named. Times and percentages on them are those of this machine and of the models that ship.
"""

import argparse
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from docmind.domain.scope import Scope
from docmind.runtime.documents import Upload
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app, create_server
from test_web import VARIABLE, found, installed

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES, IMAGES = ROOT / "examples", ROOT / "docs" / "images"
WIDE: dict[str, Any] = {"viewport": {"width": 1360, "height": 850}}
PHONE: dict[str, Any] = {"viewport": {"width": 375, "height": 760}, "device_scale_factor": 2}
DARK: dict[str, Any] = {**WIDE, "color_scheme": "dark"}
PATIENCE_MS = 120_000
SETTLED_MS = 500
"""What moves on the page has come to rest by then."""
COLOURS = 256
"""The page has few, and a picture of so many takes a third of the room."""
START, BUDGET = "When does production in Ostrava start?", "What is the capital budget of Project Heron?"
FASTEST, PHARMACIES = "Which competitor delivers fastest?", "pharmacies near Boston, Massachusetts"
DEVELOPMENT = "How did Ellandor's revenue develop from 2022 to 2024?"
FIRST = "How many employees does the plant in Ostrava need?"
"""Asked so that everything is loaded before a picture shows how long an answer took."""


def main(browser: str, folder: Path) -> None:
    with TemporaryDirectory() as scratch, as_installed(Path(scratch)), DocMind() as engine:
        for name in ("strategy", "finance"):
            engine.ingest([EXAMPLES / name], Scope(name))
        with engine.originals.incoming() as place:
            place.write_bytes((EXAMPLES / "facilities" / "facilities.csv").read_bytes())
            engine.import_facilities(Upload("facilities.csv", place), Scope("facilities"))
        engine.create_workspace("nothing")
        engine.run(FIRST, Scope("strategy", "somebody-else"))
        with served(engine) as address, sync_playwright() as playwright:
            running = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
            take(running, address, folder)
            running.close()


@contextmanager
def as_installed(home: Path) -> Iterator[None]:
    """As somebody has it who changed nothing, whatever is set for the person who takes the pictures."""
    before = dict(os.environ)
    for name in before:
        if name.startswith("DOCMIND_"):
            del os.environ[name]
    os.environ |= {"HOME": str(home), "DOCMIND_DATA_DIR": str(home / "data")}
    try:
        yield
    finally:
        os.environ.clear()
        os.environ |= before


def take(browser: Browser, address: str, folder: Path) -> None:
    def picture(page: Page, name: str) -> None:
        page.wait_for_timeout(SETTLED_MS)
        path = folder / f"web-{name}.png"
        page.screenshot(path=path)
        Image.open(path).quantize(COLOURS).save(path, optimize=True)

    page = visited(browser, address, "nothing", "docs", WIDE)
    picture(page, "welcome")
    page.locator("#show-settings").click()
    page.locator("#chat-provider").select_option("ollama")
    picture(page, "settings")
    page = asked(browser, address, "strategy", "docs", START, WIDE)
    page.locator(".cite").first.hover()
    picture(page, "answer")
    page.locator(".cite").first.click()
    page.locator("mark").first.wait_for()
    picture(page, "document")
    page = asked(browser, address, "strategy", "strategy", BUDGET, WIDE)
    picture(page, "conflict")
    page.locator(".cite").first.click()
    page.locator(".pages [data-drawn] mark.cited").first.wait_for()
    page.locator(".thumbnails canvas[width='0']").first.wait_for(state="detached")
    picture(page, "pages")
    page = asked(browser, address, "finance", "finance", DEVELOPMENT, WIDE)
    page.locator(".chart canvas").first.scroll_into_view_if_needed()
    picture(page, "chart")
    picture(asked(browser, address, "facilities", "chat", PHARMACIES, WIDE), "map")
    picture(asked(browser, address, "strategy", "chat", FASTEST, DARK), "dark")
    picture(asked(browser, address, "strategy", "docs", START, PHONE), "phone")


def visited(browser: Browser, address: str, workspace: str, workflow: str, kind: dict[str, Any]) -> Page:
    """The page with a workspace and a workflow chosen."""
    page = browser.new_context(**kind).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    page.locator("#workflows button").first.wait_for()
    # On a phone the library, with the list of workspaces in it, is out of sight.
    page.locator(f"#workspace option[value={workspace}]").wait_for(state="attached")
    page.locator("#workspace").evaluate(
        "(list, name) => { list.value = name; list.dispatchEvent(new Event('change', {bubbles: true})); }", workspace
    )
    page.locator(f"[data-workflow={workflow}]").click()
    return page


def asked(browser: Browser, address: str, workspace: str, workflow: str, question: str, kind: dict[str, Any]) -> Page:
    """The same with a question answered, beside the run that answered it where there is room."""
    page = visited(browser, address, workspace, workflow, kind)
    page.locator("#question").fill(question)
    page.locator("#question").press("Enter")
    page.locator(".turn").last.locator(".status:not(.failed)").wait_for()
    page.locator("#ask").wait_for()
    if page.locator("#tab-run").is_visible():
        page.locator("#tab-run").click()
    return page


@contextmanager
def served(engine: DocMind) -> Iterator[str]:
    """The address of the service over the engine."""
    server = create_server(create_app(engine))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        finally:
            server.should_exit = True
            thread.join()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=IMAGES)
    folder = parser.parse_args().folder
    browser = os.environ.get(VARIABLE) or found() or installed()
    if browser is None:
        sys.exit(f"No Chromium here, so no pictures were taken; {VARIABLE} can name one.")
    main(browser, folder)
