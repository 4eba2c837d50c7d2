"""Documents on the page: the way in by choosing and by dropping, what becomes of each, and the way out."""

from pathlib import Path

import pytest

from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from tests.web.conftest import EXAMPLES, Visit, until

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
    visit.page.locator(".drop-here").wait_for()
    return visit


def test_an_empty_workspace_says_how_to_begin(fresh: Visit) -> None:
    welcome = fresh.page.locator("#welcome")
    assert "Drop documents here, or choose files" in welcome.inner_text()
    assert welcome.locator(".how li").count() == 3


def test_a_chosen_file_is_brought_in_and_can_be_asked_at_once(fresh: Visit) -> None:
    fresh.page.locator("#files").set_input_files(EXAMPLES / "strategy" / "hr-capacity-plan-2026-2028.docx")
    fresh.page.locator("#documents .entry").wait_for()
    fresh.page.locator("#uploads .added").wait_for()
    assert "Added hr-capacity-plan-2026-2028.docx" in fresh.page.locator("#uploads").inner_text()
    fresh.ask("When does production in Ostrava start?")
    assert "1 October 2027" in fresh.answer


def test_dropped_files_are_brought_in_and_a_bad_one_is_named_with_its_reason(fresh: Visit, tmp_path: Path) -> None:
    fresh.page.evaluate(DROP, [["notes.md", "broken.pdf"], "# Notes\n\nThe gate opens at seven."])
    for became in ("rejected", "added"):
        fresh.page.locator(f"#uploads .{became}").wait_for()
    told = fresh.page.locator("#uploads").inner_text()
    assert "Added notes.md" in told
    assert "Rejected broken.pdf" in told
    fresh.page.locator("#documents .entry").wait_for()
    assert fresh.page.locator("#documents .entry-title").all_inner_texts() == ["Notes"]


def test_a_document_can_be_read_and_deleted(fresh: Visit) -> None:
    page = fresh.page
    page.evaluate(DROP, [["notes.md"], "# Notes\n\nThe gate opens at seven."])
    page.locator("#documents .entry").click()
    page.locator("#reader .formatted", has_text="The gate opens at seven.").wait_for()
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


def test_a_name_that_no_workspace_can_have_is_told_where_it_was_entered(visit: Visit) -> None:
    page = visit.page
    page.get_by_role("button", name="New", exact=True).click()
    page.get_by_label("Name").fill("My bikes & co")
    page.get_by_role("button", name="Create").click()
    page.locator("#prompt .error").wait_for()
    assert "cannot be a workspace name" in page.locator("#prompt .error").inner_text()
    assert page.get_by_label("Name").input_value() == "My bikes & co"
    page.get_by_label("Name").fill("bikes")
    page.get_by_role("button", name="Create").click()
    page.locator("#workspace option[value=bikes]").wait_for(state="attached")
    page.locator("#prompt").wait_for(state="hidden")
    assert all("422" in complaint for complaint in visit.complaints)
    visit.complaints.clear()


def test_a_workspace_is_deleted_with_all_that_is_in_it(visit: Visit, library: DocMind, tmp_path: Path) -> None:
    page = visit.page
    (tmp_path / "gate.md").write_text("# Gate\n\nThe gate opens at seven.\n")
    library.ingest([tmp_path / "gate.md"], Scope("passing"))
    page.reload()
    visit.in_("passing")
    page.locator("#documents .entry", has_text="Gate").wait_for()
    page.locator("#delete-workspace").click()
    page.locator("#prompt", has_text="Its 1 document and all its conversations are deleted.").wait_for()
    page.locator("#prompt").get_by_role("button", name="Cancel").click()
    assert "passing" in [one.name for one in library.workspaces()]
    page.locator("#delete-workspace").click()
    page.locator("#prompt").get_by_role("button", name="Delete").click()
    until(visit, "document.querySelector('#workspace').value !== 'passing'")
    page.locator("#documents .entry").first.wait_for()
    assert "passing" not in [one.name for one in library.workspaces()]


def test_a_table_of_places_says_that_it_is_there(fresh: Visit) -> None:
    fresh.page.locator("#facilities").set_input_files(EXAMPLES / "facilities" / "facilities.csv")
    fresh.page.locator("#toast", has_text="64 places imported. You can ask about them in Chat.").wait_for()


def test_many_documents_are_searched_and_leave_room_for_the_conversations(fresh: Visit, library: DocMind) -> None:
    page = fresh.page
    page.evaluate(DROP, [[f"notes-{number}.md" for number in range(12)], "The gate opens at seven."])
    until(fresh, "document.querySelectorAll('#documents .entry').length === 12")
    page.locator("#uploads").get_by_text("12 files done", exact=True).wait_for()
    # What went well stands among the documents; nobody has to clear it to see the conversations.
    assert page.locator("#uploads .outcome:visible").count() == 0
    assert page.evaluate("document.querySelector('#conversations').getBoundingClientRect().top < innerHeight")
    page.locator("#uploads summary").click()
    assert page.locator("#uploads .outcome:visible").count() == 12
    page.get_by_role("button", name="Clear files that are done from this list").click()
    page.locator("#uploads:empty").wait_for(state="attached")
    assert page.evaluate("document.querySelector('#conversations').getBoundingClientRect().top < innerHeight")
    page.locator("#document-search").fill("notes-7")
    assert page.locator("#documents .entry:visible").count() == 1
    fresh.ask("When does the gate open?")
    page.locator(".answer .cite").first.click()
    page.locator("#reader mark.cited").first.wait_for()
    # What lies outside the window cannot be scrolled to, so nothing may.
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    library.delete_workspace(page.locator("#workspace").input_value())
