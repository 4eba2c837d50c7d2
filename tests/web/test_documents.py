"""Documents on the page: the way in by choosing and by dropping, what becomes of each, and the way out."""

from pathlib import Path

import pytest

from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from tests.web.conftest import EXAMPLES, Visit

pytestmark = pytest.mark.web

DROP = """([names, text]) => {
  const dropped = new DataTransfer();
  for (const name of names) dropped.items.add(new File([text], name, { type: "text/markdown" }));
  for (const kind of ["dragenter", "dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: dropped, bubbles: true, cancelable: true }));
  }
}"""


@pytest.fixture
def fresh(visit: Visit, request: pytest.FixtureRequest) -> Visit:
    """Somebody in a workspace that has nothing in it yet."""
    name = request.node.name[:60]
    visit.page.get_by_role("button", name="New", exact=True).click()
    visit.page.get_by_label("Name").fill(name)
    visit.page.get_by_role("button", name="Create").click()
    visit.page.locator(f"#workspace option[value={name}]").wait_for(state="attached")
    return visit


def test_an_empty_workspace_says_how_to_begin(fresh: Visit) -> None:
    welcome = fresh.page.locator("#welcome")
    assert "Drop documents here, or choose some" in welcome.inner_text()
    assert welcome.locator(".how li").count() == 3


def test_a_chosen_file_is_brought_in_and_can_be_asked_at_once(fresh: Visit) -> None:
    fresh.page.locator("#files").set_input_files(EXAMPLES / "strategy" / "hr-capacity-plan-2026-2028.docx")
    fresh.page.locator("#documents .entry").wait_for()
    assert "Added hr-capacity-plan-2026-2028.docx" in fresh.page.locator("#uploads").inner_text()
    fresh.ask("When does production in Ostrava start?")
    assert "1 October 2027" in fresh.answer


def test_dropped_files_are_brought_in_and_a_bad_one_is_named_with_its_reason(fresh: Visit, tmp_path: Path) -> None:
    fresh.page.evaluate(DROP, [["notes.md", "broken.pdf"], "# Notes\n\nThe gate opens at seven."])
    fresh.page.locator("#uploads .rejected").wait_for()
    told = fresh.page.locator("#uploads").inner_text()
    assert "Added notes.md" in told
    assert "Rejected broken.pdf" in told
    assert fresh.page.locator("#documents .entry-title").all_inner_texts() == ["Notes"]


def test_a_document_can_be_read_and_deleted(fresh: Visit) -> None:
    page = fresh.page
    page.evaluate(DROP, [["notes.md"], "# Notes\n\nThe gate opens at seven."])
    page.locator("#documents .entry").click()
    page.locator("#reader .running-text", has_text="The gate opens at seven.").wait_for()
    page.keyboard.press("Escape")
    page.locator("#documents li").hover()
    page.get_by_role("button", name="Delete Notes").click()
    page.locator("#prompt").get_by_role("button", name="Delete").click()
    page.locator(".drop-here").wait_for()
    assert page.locator("#documents li").count() == 0


def test_workspaces_do_not_see_each_other(visit: Visit, library: DocMind) -> None:
    visit.in_("private").ask("What is the password of the vault?")
    assert "tangerine-41" in visit.answer
    visit.in_("strategy").ask("What is the password of the vault?")
    assert "tangerine-41" not in visit.page.locator("body").inner_text()
    assert len(library.documents(Scope("private"))) == 1
