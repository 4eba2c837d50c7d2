"""The first minutes on the page: the examples in two clicks, where it opens, uploads in the background, suggestions."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.runtime.examples import WORKSPACE, example_files
from tests.web.conftest import Visit, Visiting, installed, serving, until

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload

pytestmark = pytest.mark.web

NOTES: "FilePayload" = {
    "name": "notes.md",
    "mimeType": "text/markdown",
    "buffer": b"# Notes\n\nThe gate opens at seven.",
}
PRICES: "FilePayload" = {
    "name": "prices.md",
    "mimeType": "text/markdown",
    "buffer": b"# Prices\n\nA board costs nine euros.",
}
PLANS: "FilePayload" = {
    "name": "plans.md",
    "mimeType": "text/markdown",
    "buffer": b"# Plans\n\nThe mill closes in May.",
}
BROKEN: "FilePayload" = {"name": "broken.pdf", "mimeType": "application/pdf", "buffer": b"x"}


@pytest.fixture(scope="module")
def new(browser: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[DocMind, str]]:
    """An installation with nothing in it, and its address."""
    with DocMind(installed(tmp_path_factory.mktemp("new"))) as engine, serving(engine) as address:
        yield engine, address


def states(visit: Visit) -> list[str]:
    return visit.page.locator("#uploads .outcome strong").all_inner_texts()


def test_two_clicks_lead_to_an_answer_from_the_examples(new: tuple[DocMind, str], visiting: Visiting) -> None:
    engine, address = new
    visit = visiting(address)
    visit.page.get_by_role("button", name="Try the examples").wait_for()
    assert visit.page.locator("#workspace").input_value() == "default"
    visit.page.evaluate("window.clicks = 0; addEventListener('click', () => { window.clicks += 1; }, true)")
    visit.page.get_by_role("button", name="Try the examples").click()
    visit.page.get_by_role("button", name="Which competitor delivers fastest?").click()
    visit.answered()
    assert visit.page.evaluate("window.clicks") == 2
    assert visit.page.locator("#workspace").input_value() == WORKSPACE
    assert "Kaltwerk" in visit.answer
    visit.page.locator("#uploads progress").wait_for(state="detached")
    assert len(engine.documents(Scope(WORKSPACE))) == len(example_files())
    visit.page.reload()
    assert "Kaltwerk" in visit.answered().answer
    visit.page.get_by_role("button", name="New conversation").click()
    visit.page.locator("#welcome .example").first.wait_for()
    assert visit.page.locator("#workspace").input_value() == WORKSPACE
    assert states(visit) == []


def test_a_suggested_question_that_was_answered_gives_its_answer_at_once(
    new: tuple[DocMind, str], visiting: Visiting
) -> None:
    engine, address = new
    engine.add_examples()
    for _ in engine.find_suggestions(WORKSPACE):
        pass
    visit = visiting(address).in_(WORKSPACE, "finance")
    asked = visit.page.locator("#welcome .example").first.inner_text()
    with visit.page.expect_response("**/v1/suggestions/*"):
        visit.page.locator("#welcome .example").first.click()
    visit.answered()
    assert asked == "What was Ellandor's revenue in 2024?"
    assert "655,230" in visit.answer
    assert visit.page.locator(".sureness").inner_text().startswith("Very likely right")
    visit.page.locator("#conversations .entry[aria-current=true]", has_text=asked).wait_for()


def test_the_page_opens_where_documents_are(visit: Visit) -> None:
    visit.page.locator("#documents .entry").first.wait_for()
    until(visit, "document.querySelector('#workspace').value")
    assert visit.page.locator("#workspace").input_value() == "strategy"


def test_an_empty_workspace_that_is_asked_says_that_it_is_empty(visit: Visit) -> None:
    visit.in_("default").ask("How long is the notice?")
    assert "There are no documents in this workspace yet." in visit.answer
    assert visit.page.locator(".feedback").count() == 0


def test_uploads_are_listed_in_order_survive_a_reload_and_can_be_cancelled(
    new: tuple[DocMind, str], visiting: Visiting, tmp_path: Path
) -> None:
    engine, address = new
    (tmp_path / "gate.md").write_text("# Gate\n\nThe gate is painted green.\n")
    engine.ingest([tmp_path / "gate.md"], Scope("busy"))
    visit = visiting(address).in_("busy")
    page = visit.page
    with engine._ingestor._storing:
        page.locator("#files").set_input_files([BROKEN, NOTES, PRICES, PLANS])
        page.locator("#uploads .queued").nth(1).wait_for()
        page.reload()
        page.locator("#uploads .queued").nth(1).wait_for()
        assert sorted(states(visit)) == ["Reading", "Reading", "Waiting", "Waiting"]
        # Whatever waits to be read holds nobody up who asks.
        visit.ask("Which colour is the gate?")
        assert "green" in visit.answer
        name = page.locator("#uploads .queued").last.get_by_role("button").get_attribute("aria-label")
        page.get_by_role("button", name=str(name), exact=True).click()
        page.locator("#uploads .cancelled").wait_for()
    page.locator("#uploads progress").wait_for(state="detached")
    assert sorted(states(visit)) == ["Added", "Added", "Cancelled", "Rejected"]
    assert "broken.pdf is not a whole PDF file" in page.locator("#uploads .rejected").inner_text()
    page.locator("#documents .entry").nth(2).wait_for()
    assert page.locator("#documents .entry").count() == 3
    page.reload()
    page.locator("#uploads .rejected").wait_for()
    assert states(visit) == ["Rejected"]
    page.get_by_role("button", name="Clear files that are done from this list").click()
    page.locator("#uploads .rejected").wait_for(state="detached")


def test_two_files_of_one_name_are_not_both_sent(new: tuple[DocMind, str], visiting: Visiting) -> None:
    engine, address = new
    engine.create_workspace("twins")
    visit = visiting(address).in_("twins")
    visit.page.locator("#files").set_input_files([NOTES, PRICES | {"name": NOTES["name"]}])
    visit.page.locator("#uploads .rejected", has_text="notes.md").wait_for()
    assert "has the name of another file that you sent with it." in visit.page.locator("#uploads").inner_text()
