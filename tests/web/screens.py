"""Every screen of the page, one after the other, for whoever wants to look at all of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload, Locator, Page

STRATEGY, FINANCE, SHELF = Scope("strategy"), Scope("finance"), Scope("shelf")
START, BUDGET = "When does production in Ostrava start?", "What is the capital budget of Project Heron?"
RISKS = "Which risks threaten the start of production in Ostrava?"
DEVELOPMENT = "How did Ellandor's revenue develop from 2022 to 2024?"
CLINICS, PHARMACIES = "clinics open on Sunday near Springfield", "pharmacies near Boston, Massachusetts"
TEXT = (
    "The plant in Ostrava, Czechia needs 204 employees at the end of 2028. The plant in Ostrava, Czechia needs 214 "
    "employees at the end of 2028. The wizard flew to Mars on seventy dragons."
)
TIMES = "line,first,last\nharbour,05:10,23:40\nmill,06:00,21:15\n"
HANDBOOK = (
    "<title>Handbook</title><h1>Handbook</h1><h2>Trains</h2><p>Trains leave at nine from the harbour.</p>"
    "<ul><li>Bring a ticket.</li></ul>"
    "<table><tr><th>Line</th><th>Fare</th></tr><tr><td>mill</td><td>3</td></tr></table>"
)
BROKEN: "list[FilePayload]" = [
    {"name": "broken.pdf", "mimeType": "application/pdf", "buffer": b"x"},
    {"name": "program.exe", "mimeType": "application/octet-stream", "buffer": b"MZ\x90"},
    {"name": "notes.md", "mimeType": "text/markdown", "buffer": b"# Notes\n\nThe gate opens at seven."},
]


@dataclass(frozen=True, slots=True)
class Shown:
    """What has been asked and read, by the address that shows it."""

    answer: str
    conflict: str
    refusal: str
    chart: str
    question_back: str
    facilities: str
    pdf: str
    html: str
    table: str
    shared: str
    """A page of its own."""


def prepare(engine: DocMind, folder: Path) -> Shown:
    """Ask and read whatever the screens show."""
    (folder / "handbook.html").write_text(HANDBOOK)
    (folder / "times.csv").write_text(TIMES)
    engine.ingest([folder / "handbook.html", folder / "times.csv"], SHELF)

    def run(question: str, scope: Scope, workflow: str) -> str:
        return f"#/w/{scope.workspace}/r/{engine.run(question, scope, workflow=workflow).run_id}"

    def converse(question: str, scope: Scope, workflow: str) -> str:
        thread = uuid4().hex
        engine.run(question, scope, workflow=workflow, thread=thread)
        return f"#/w/{scope.workspace}/t/{thread}"

    def cited(name: str, scope: Scope, words: str) -> str:
        document = engine.document(name, scope)
        start = engine.text(document).index(words)
        return f"#/w/{scope.workspace}/d/{document.id}?start={start}&end={start + len(words)}"

    answer = run(START, STRATEGY, "docs")
    run("Who chairs the board?", STRATEGY, "docs")
    (folder / "shared.html").write_text(engine.share_run(answer.rpartition("/")[2], STRATEGY))
    places = Scope("facilities")
    return Shown(
        answer,
        conflict=run(BUDGET, STRATEGY, "strategy"),
        refusal=run(RISKS, STRATEGY, "strategy"),
        chart=converse(DEVELOPMENT, FINANCE, "finance"),
        question_back=converse(CLINICS, places, "chat"),
        facilities=converse(PHARMACIES, places, "chat"),
        pdf=cited("board-paper-european-expansion.pdf", STRATEGY, "42.0"),
        html=cited("handbook.html", SHELF, "Trains leave at nine"),
        table=cited("times.csv", SHELF, "06:00"),
        shared=(folder / "shared.html").as_uri(),
    )


class Tour:
    """Goes through the screens of a service and stops at each."""

    def __init__(self, page: "Page", address: str, fresh: str, shown: Shown) -> None:
        """`fresh` is the address of a service without documents, whose settings may be changed."""
        self._page, self._address, self._fresh, self._shown = page, address, fresh, shown
        self._is_narrow = (page.viewport_size or {"width": 0})["width"] < 800

    def screens(self) -> Iterator[str]:
        """The name of each screen, once it is shown."""
        self._page.goto(self._fresh)
        self._at("#try-examples")
        yield "example-offer"
        yield from self._settings()
        yield from self._conversations()
        yield from self._documents()
        yield from self._uploads()
        yield from self._text_check()
        self._page.goto(self._shown.shared)
        yield "share-page"

    def _conversations(self) -> Iterator[str]:
        page, shown = self._page, self._shown
        self._go("#/w/strategy")
        self._at("#welcome h2")
        yield "question"
        self._go(shown.answer)
        self._at(".turn .status.answered")
        yield "answer"
        page.locator("button.cite").first.hover()
        self._at("#quote-card")
        yield "quote"
        page.keyboard.press("Escape")
        page.locator(".turn").get_by_role("button", name="Share").click()
        self._at(".menu:popover-open")
        yield "share-menu"
        page.keyboard.press("Escape")
        page.locator(".thumb.down").click()
        self._at(".comment")
        yield "feedback"
        page.locator(".thumb.down").click()
        yield from self._details()
        yield from self._library()
        for name, address, place in (
            ("conflict", shown.conflict, ".side"),
            ("refusal", shown.refusal, ".near"),
            ("chart", shown.chart, ".chart canvas"),
            ("question-back", shown.question_back, ".banner-question"),
            ("facilities", shown.facilities, ".map .pin"),
        ):
            self._go(address)
            self._at(place)
            yield name

    def _details(self) -> Iterator[str]:
        if self._is_narrow:
            self._page.locator("#show-details").click()
        for tab in ("sources", "checks", "run"):
            self._page.locator(f"#tab-{tab}").click()
            yield tab
        if self._is_narrow:
            self._page.keyboard.press("Escape")

    def _library(self) -> Iterator[str]:
        self._open_library()
        yield "library"
        self._page.locator("#conversations .more").first.click()
        self._at(".menu:popover-open")
        yield "conversation-menu"
        self._page.locator(".menu:popover-open").get_by_role("menuitem", name="Rename").click()
        self._at("#prompt[open]")
        yield "rename"
        self._page.keyboard.press("Escape")
        self._page.get_by_role("button", name="New", exact=True).click()
        self._at("#prompt[open]")
        yield "new-workspace"
        self._page.keyboard.press("Escape")
        self._close_library()

    def _documents(self) -> Iterator[str]:
        self._go(self._shown.pdf)
        self._at(".pages [data-drawn] mark.cited")
        yield "viewer-pdf"
        self._page.locator("#reader").get_by_role("searchbox").fill("capital")
        self._at("#reader mark")
        yield "viewer-find"
        self._page.locator("#tab-text").click()
        self._at("#panel-text mark")
        yield "viewer-text"
        for name, address in (("viewer-html", self._shown.html), ("viewer-table", self._shown.table)):
            self._go(address)
            self._at("#reader mark.cited")
            yield name
        self._go("#/w/shelf")

    def _uploads(self) -> Iterator[str]:
        self._go("#/w/shelf")
        self._page.locator("#files").set_input_files(BROKEN)
        self._page.locator("#uploads .rejected").nth(1).wait_for(state="attached")
        self._page.locator("#uploads progress").wait_for(state="detached")
        self._open_library()
        yield "uploads"
        self._page.get_by_role("button", name="Clear files that are done from this list").click()
        self._page.locator("#uploads .outcome").first.wait_for(state="detached")
        self._close_library()

    def _text_check(self) -> Iterator[str]:
        self._go("#/w/strategy")
        self._page.get_by_role("button", name="Check a text").click()
        yield "check-a-text"
        self._page.get_by_label("Text to check").fill(TEXT)
        self._page.get_by_role("button", name="Check", exact=True).click()
        self._page.locator("#text-check .claim.contradicted").click()
        self._at(".finding")
        yield "checked-text"
        self._page.keyboard.press("Escape")

    def _settings(self) -> Iterator[str]:
        self._page.get_by_role("button", name="Settings").click()
        self._at("#chat-form")
        for tab in self._page.locator("[id^=tab-settings-]").all():
            tab.click()
            yield f"settings-{(tab.get_attribute('id') or '').rpartition('-')[2]}"
        self._page.keyboard.press("Escape")

    def _go(self, address: str) -> None:
        """Open the page anew at an address of its own."""
        self._page.goto("about:blank")
        self._page.goto(f"{self._address}{address}")
        self._page.locator("#workflows button").first.wait_for()

    def _at(self, selector: str) -> "Locator":
        place = self._page.locator(selector).first
        place.wait_for()
        return place

    def _open_library(self) -> None:
        if self._is_narrow:
            self._page.locator("#show-library").click()

    def _close_library(self) -> None:
        if self._is_narrow:
            self._page.keyboard.press("Escape")
