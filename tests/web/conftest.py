"""The page in a real browser, against the real service on the bundled examples."""

import json
import os
import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from docmind.domain.scope import Scope
from docmind.models.chat.model import Message
from docmind.models.chat.recording import Line, ScriptedChat
from docmind.runtime.documents import Upload
from docmind.runtime.engine import DocMind
from docmind.settings import IngestSettings, Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Dialog, Page, ViewportSize

EXAMPLES = Path(__file__).parents[2] / "examples"
PAPERS = (
    "board-paper-european-expansion.pdf",
    "competitor-analysis-2026.pdf",
    "hr-capacity-plan-2026-2028.docx",
    "investment-committee-minutes-2026-03.docx",
)
REPORTS = ("ellandor-annual-report-2023.pdf", "ellandor-annual-report-2024.pdf")
BROWSER = os.environ.get("DOCMIND_TEST_BROWSER")
"""The browser that `make test-web` found."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MS = 60_000
"""A busy machine is no defect of the page."""
WIDE: "ViewportSize" = {"width": 1440, "height": 900}
PHONE: "ViewportSize" = {"width": 375, "height": 812}


def installed(root: Path) -> Settings:
    """An installation of its own, as it is out of the box."""
    return Settings(data_dir=root / "data", ingest=IngestSettings(workers=1))


class Puppet:
    """A chat model that writes whatever the test has put into its mouth."""

    def __init__(self) -> None:
        self.answer: Line = ""
        self.chat = ScriptedChat(self._reply)

    def _reply(self, messages: Sequence[Message]) -> Line:
        wants_plan = any("sub_queries" in message.content for message in messages)
        return json.dumps({"intent": "lookup", "sub_queries": ["gate"]}) if wants_plan else self.answer


class Visit:
    """Somebody at the page. Whatever the page complains of in the browser's console is kept."""

    def __init__(self, page: "Page", address: str) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self._note("error", str(error)))
        page.on("dialog", self._dismiss)
        page.goto(address)

    def _dismiss(self, dialog: "Dialog") -> None:
        self._note("error", f"dialog: {dialog.message}")
        dialog.dismiss()

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)

    def in_(self, workspace: str, workflow: str = "docs") -> "Visit":
        """Choose where to ask, and whom."""
        self.page.locator("#workspace").select_option(workspace)
        self.page.locator(f"[data-workflow={workflow}]").click()
        return self

    def ask(self, question: str) -> "Visit":
        """Ask, and wait until the answer is there."""
        self.page.locator("#question").fill(question)
        self.page.locator("#question").press("Enter")
        return self.answered()

    def answered(self) -> "Visit":
        self.page.locator(".turn").last.locator(".status").wait_for()
        self.page.locator("#ask").wait_for()
        return self

    @property
    def address(self) -> str:
        """What the browser shows in its bar now; `page.url` may be a moment late."""
        now: str = self.page.evaluate("location.href")
        return now

    @property
    def status(self) -> str:
        return self.page.locator(".turn").last.locator(".status").inner_text()

    @property
    def answer(self) -> str:
        """As it is read, without the numbers of its sources."""
        text = self.page.locator(".turn").last.locator(".prose")
        shown: str = text.evaluate(
            "node => { const copy = node.cloneNode(true); copy.querySelectorAll('.cite').forEach(c => c.remove());"
            " return copy.textContent; }"
        )
        return re.sub(r"\s+", " ", shown).strip()

    def tab(self, name: str) -> Any:
        """A tab of the details, brought to the front."""
        self.page.locator(f"#tab-{name}").click()
        return self.page.locator(f"#panel-{name}")


def until(visit: Visit, holds: str) -> None:
    """Wait until this is so on the page; the test's own time limit ends the wait.

    The page's policy lets no text become a script there, which is how the browser would wait by itself.
    """
    while not visit.page.evaluate(holds):
        visit.page.wait_for_timeout(20)


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    if BROWSER is None:
        pytest.skip("needs a browser: run `make test-web`")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
        yield running
        running.close()


@pytest.fixture(scope="session")
def library(browser: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    """The examples, each corpus in its workspace; and somebody's own workspace with a secret in it."""
    root = tmp_path_factory.mktemp("library")
    (root / "secret.md").write_text("# Secret\n\nThe password of the vault is tangerine-41.\n")
    with DocMind(installed(root)) as engine:
        engine.ingest([EXAMPLES / "strategy" / name for name in PAPERS], Scope("strategy"))
        engine.ingest([EXAMPLES / "finance" / name for name in REPORTS], Scope("finance"))
        engine.ingest([root / "secret.md"], Scope("private"))
        with engine.originals.incoming() as place:
            place.write_bytes((EXAMPLES / "facilities" / "facilities.csv").read_bytes())
            engine.import_facilities(Upload("facilities.csv", place), Scope("facilities"))
        engine.create_workspace("default")
        engine.create_workspace("uploads")
        yield engine


@contextmanager
def serving(engine: DocMind) -> Iterator[str]:
    """The address of the service over an engine, which runs as it does in the product."""
    from docmind.server.app import create_app, create_server

    server = create_server(create_app(engine))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture(scope="session")
def service(library: DocMind) -> Iterator[str]:
    with serving(library) as address:
        yield address


@pytest.fixture(scope="session")
def seat(browser: "Browser") -> Iterator["BrowserContext"]:
    """Where visitors of no particular kind sit one after the other; what the browser has cached stays with the seat."""
    context = browser.new_context(viewport=WIDE)
    yield context
    context.close()


class Visiting:
    """Opens the page of a service as somebody new."""

    def __init__(self, browser: "Browser", seat: "BrowserContext") -> None:
        self._browser = browser
        self._seat = seat
        self._visits: list[Visit] = []

    def __call__(self, address: str, **kind: Any) -> Visit:
        context = self._browser.new_context(**{"viewport": WIDE} | kind) if kind else self._seat
        context.set_default_timeout(PATIENCE_MS)
        self._visits.append(self.opened(context, address))
        return self._visits[-1]

    def opened(self, context: "BrowserContext", address: str) -> Visit:
        visit = Visit(context.new_page(), address)
        visit.page.locator("#workflows button, #prompt[open]").first.wait_for()
        return visit

    @contextmanager
    def serving(self, engine: DocMind) -> Iterator[str]:
        """The address of a service for this test alone. Its pages close before it stops, or they would complain."""
        with serving(engine) as address:
            yield address
            self.close()

    def close(self) -> None:
        """Close every page. The browser must have had nothing to complain of."""
        visits, self._visits = self._visits, []
        for visit in visits:
            visit.page.evaluate("localStorage.clear(); sessionStorage.clear()")
            visit.page.close()
        assert [visit.complaints for visit in visits] == [[] for _ in visits]


@pytest.fixture
def visiting(browser: "Browser", seat: "BrowserContext") -> Iterator[Visiting]:
    visiting = Visiting(browser, seat)
    yield visiting
    visiting.close()


@pytest.fixture
def visit(visiting: Visiting, service: str) -> Visit:
    """Somebody at the page of the library's service."""
    return visiting(service)
