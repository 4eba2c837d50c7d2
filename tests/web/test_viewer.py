"""A document beside the answer: real pages with boxes over the cited words, layout, search, zoom, and an address."""

import io
import re
from collections.abc import Iterator
from typing import Any

import pytest
from reportlab.pdfgen import canvas

from docmind.domain.scope import Role, Scope
from docmind.runtime.engine import DocMind
from tests.web.conftest import PHONE, Visit, Visiting, installed, serving, until

pytestmark = pytest.mark.web

REVENUE = "What was Ellandor's revenue in 2024?"
REPORT, PLAN = "ellandor-annual-report-2024.pdf", "hr-capacity-plan-2026-2028.docx"
PAGES = 40
INK = """([page, left, top, right, bottom]) => {
  // How much of a stretch of the page, in shares of it, is not white as it was drawn.
  const canvas = document.querySelector(`.pages [data-page="${page}"] canvas`);
  const [x, y] = [Math.floor(left * canvas.width), Math.floor(top * canvas.height)];
  const [w, h] = [Math.ceil((right - left) * canvas.width), Math.ceil((bottom - top) * canvas.height)];
  const copy = new OffscreenCanvas(w, h).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, x, y, w, h, 0, 0, w, h);
  const dots = copy.getImageData(0, 0, w, h).data;
  let dark = 0;
  for (let at = 0; at < dots.length; at += 4) dark += dots[at] < 160;
  return dark / (w * h);
}"""
PLACES = """() => [...document.querySelectorAll(".pages mark.cited")].map((mark) => {
  const [box, sheet] = [mark.getBoundingClientRect(), mark.closest(".sheet").getBoundingClientRect()];
  return [Number(mark.closest(".sheet").dataset.page),
    (box.left - sheet.left) / sheet.width, (box.top - sheet.top) / sheet.height,
    (box.right - sheet.left) / sheet.width, (box.bottom - sheet.top) / sheet.height];
})"""
IN_VIEW = """(mark) => {
  const [box, frame] = [mark.getBoundingClientRect(), document.querySelector("#reader").getBoundingClientRect()];
  return box.top >= frame.top && box.bottom <= frame.bottom && box.left >= frame.left && box.right <= frame.right;
}"""


def long_paper() -> bytes:
    """A page a chapter; one word stands on page 30 alone, and another twice on every tenth."""
    written = io.BytesIO()
    page = canvas.Canvas(written)
    for number in range(1, PAGES + 1):
        for line in range(20):
            page.drawString(72, 760 - 20 * line, f"Row {chr(96 + number % 26 + 1)}{line} of {number * 7 + line} reeds.")
        if number == 30:
            page.drawString(72, 300, "The lighthouse keeper retired in May.")
        if number % 10 == 0:
            page.drawString(72, 280, f"A buoy beside another buoy is numbered {number}.")
        page.showPage()
    page.save()
    return written.getvalue()


@pytest.fixture(scope="module")
def harbour(browser: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, DocMind]]:
    """A service with a long paper."""
    root = tmp_path_factory.mktemp("harbour")
    (root / "harbour.pdf").write_bytes(long_paper())
    with DocMind(installed(root)) as engine:
        engine.ingest([root / "harbour.pdf"], Scope("default"))
        with serving(engine) as address:
            yield address, engine


def place_of(engine: DocMind, name: str, scope: Scope, words: str) -> str:
    """The address of the first place of these words."""
    document = engine.document(name, scope)
    start = engine.text(document).index(words)
    return f"#/w/{scope.workspace}/d/{document.id}?start={start}&end={start + len(words)}"


def at_page(visit: Visit, number: int) -> None:
    """Wait until the viewer says that this page is read, and it is drawn."""
    until(visit, f"document.querySelector('.page-tools input')?.value === '{number}'")
    visit.page.locator(f".pages [data-page='{number}'][data-drawn]").wait_for()


def test_a_citation_of_a_pdf_opens_its_page_beside_the_answer_with_a_box_over_the_words(visit: Visit) -> None:
    page = visit.in_("finance", "finance").ask(REVENUE).page
    page.locator("button.cite").first.click()
    page.locator("#reader mark.cited").first.wait_for()
    at_page(visit, 3)
    assert page.locator("#reader mark.cited").first.evaluate(IN_VIEW)
    # The words of the page lie within the boxes, and between them and the next figure is nothing.
    for number, left, top, right, bottom in page.evaluate(PLACES):
        assert number == 3
        assert page.evaluate(INK, [number, left, top, right, bottom]) > 0.05
        assert page.evaluate(INK, [number, right + 0.005, top, right + 0.02, bottom]) == 0
    answer, viewer = (page.locator(one).bounding_box() for one in (".turn", "#reader"))
    assert answer is not None
    assert viewer is not None
    assert answer["x"] + answer["width"] <= viewer["x"]


def test_escape_closes_the_viewer_and_returns_to_the_citation(visit: Visit) -> None:
    page = visit.in_("finance", "finance").ask(REVENUE).page
    conversation = visit.address
    page.locator("button.cite").first.click()
    page.locator("#reader mark.cited").first.wait_for()
    assert "/d/" in visit.address
    page.keyboard.press("Escape")
    assert page.locator("#reader").is_hidden()
    until(visit, "document.activeElement.classList.contains('cite')")
    visit.page.wait_for_url(conversation)
    assert page.locator("#details").is_visible()


def test_an_office_document_is_shown_with_its_headings_and_tables_and_the_cited_cell_marked(
    visit: Visit, library: DocMind
) -> None:
    page, scope = visit.page, Scope("strategy")
    document = library.document(PLAN, scope)
    text = library.text(document)
    start = text.index("58", text.index("Assembly | "))
    page.evaluate(f"location.hash = '#/w/strategy/d/{document.id}?start={start}&end={start + 2}'")
    cell = page.locator(".formatted td.cited")
    cell.wait_for()
    assert cell.inner_text() == "58"
    assert cell.locator("xpath=../th").inner_text() == "Assembly"
    assert page.locator(".formatted h3, .formatted h4").count() > 3
    head = cell.locator("xpath=ancestor::table/thead//th").all_inner_texts()
    assert head == ["Function", "2026", "2027", "2028", "Total"]


def test_plain_text_is_one_click_away_with_the_same_words_marked(visit: Visit, library: DocMind) -> None:
    visit.page.evaluate(f"location.hash = '{place_of(library, REPORT, Scope('finance'), 'Revenue | 2024: 655,230')}'")
    visit.page.locator("#reader mark.cited").first.wait_for()
    visit.page.locator("#tab-text").click()
    assert visit.page.locator("#panel-text mark").inner_text() == "Revenue | 2024: 655,230"
    visit.page.locator("#tab-pages").click()
    visit.page.locator("#panel-pages mark.cited").first.wait_for()


def test_an_address_pasted_in_a_new_tab_opens_the_document_there(
    harbour: tuple[str, DocMind], visiting: Visiting
) -> None:
    address, engine = harbour
    visit = visiting(address + place_of(engine, "harbour.pdf", Scope("default"), "The lighthouse keeper retired"))
    mark = visit.page.locator("#reader mark.cited")
    mark.wait_for()
    at_page(visit, 30)
    assert mark.evaluate(IN_VIEW)
    ((number, _, top, _, bottom),) = visit.page.evaluate(PLACES)
    assert number == 30
    # The line stands 300 points above the foot of a page that is 842 points high.
    assert top * 842 < 842 - 300 < bottom * 842 + 4


def test_back_closes_the_viewer_and_an_address_that_names_nothing_says_so(
    harbour: tuple[str, DocMind], visiting: Visiting
) -> None:
    visit = visiting(harbour[0])
    visit.page.locator("#documents .entry").click()
    visit.page.locator(".pages [data-drawn]").first.wait_for()
    visit.page.go_back()
    visit.page.locator("#reader").wait_for(state="hidden")
    visit.page.evaluate("location.hash = '#/w/default/d/nowhere'")
    visit.page.get_by_text("There is no document 'nowhere'").wait_for()
    assert all("404" in complaint for complaint in visit.complaints)
    visit.complaints.clear()


def test_closing_the_viewer_leaves_the_address_of_the_conversation_that_is_shown(visit: Visit) -> None:
    page = visit.in_("strategy").page
    visit.ask("When does production in Ostrava start?")
    first = visit.address
    page.locator("button.cite").first.click()
    page.locator("#reader h2").wait_for()
    visit.ask("Which competitor delivers fastest?")
    second = visit.address
    page.locator("button.cite").first.click()
    until(visit, "location.hash.includes('/d/')")
    page.locator("#reader").get_by_role("button", name="Close").click()
    page.locator("#reader").wait_for(state="hidden")
    visit.page.wait_for_url(second)
    assert second != first


def test_a_reload_with_a_document_open_shows_the_answer_below_it(visit: Visit) -> None:
    visit.in_("finance", "finance").ask(REVENUE)
    under, page = visit.page.evaluate("location.hash"), visit.page
    page.locator(".answer .cite").first.click()
    page.locator("#reader mark.cited").first.wait_for()
    opened = page.evaluate("location.hash")
    page.reload()
    page.locator("#reader mark.cited").first.wait_for()
    assert page.evaluate("location.hash") == opened
    assert page.locator(".turn .asked").inner_text() == REVENUE
    page.locator("#reader").get_by_role("button", name="Close").click()
    until(visit, "!location.hash.includes('/d/')")
    assert page.evaluate("location.hash") == under


def test_each_sentence_opens_the_words_it_rests_on_where_several_cite_one_passage(visit: Visit) -> None:
    visit.in_("finance", "finance").ask("How did Ellandor's revenue develop from 2022 to 2024?")
    page = visit.page
    for sentence in page.locator(".answer li:has(.cite)").all():
        said = sentence.inner_text()
        sentence.locator(".cite").first.hover()
        figure = page.locator("#quote-card blockquote").first.inner_text().rpartition(" ")[2]
        assert figure in said, (figure, said)
        sentence.locator(".cite").first.click()
        page.locator("#reader mark.cited").first.wait_for()
        page.keyboard.press("Escape")
        page.locator("#reader").wait_for(state="hidden")


def test_the_link_that_is_copied_leads_to_the_cited_words(harbour: tuple[str, DocMind], visiting: Visiting) -> None:
    address, engine = harbour
    place = place_of(engine, "harbour.pdf", Scope("default"), "The lighthouse keeper retired")
    visit = visiting(address + place, permissions=["clipboard-read", "clipboard-write"])
    visit.page.get_by_role("button", name="Copy link").click()
    visit.page.get_by_role("button", name="Copied").wait_for()
    assert visit.page.evaluate("navigator.clipboard.readText()") == address + place


def test_words_are_searched_counted_and_gone_through(harbour: tuple[str, DocMind], visiting: Visiting) -> None:
    visit = visiting(harbour[0])
    page = visit.page
    page.locator("#documents .entry").click()
    page.locator(".pages [data-drawn]").first.wait_for()
    page.get_by_label("Find in the document").fill("buoy")
    page.locator("mark.current").wait_for()
    assert page.locator(".find output").inner_text() == "1 of 8"
    at_page(visit, 10)
    assert page.locator(".pages mark.hit").count() == 2
    for _ in range(2):
        page.get_by_label("Next place").click()
    at_page(visit, 20)
    page.get_by_label("Find in the document").press("Shift+Enter")
    at_page(visit, 10)
    page.locator("#tab-text").click()
    assert page.locator("#panel-text mark.current").inner_text() == "buoy"
    page.get_by_label("Find in the document").fill("zeppelin")
    page.locator(".find output", has_text="Not found").wait_for()
    assert page.locator("#panel-text mark").count() == 0


def test_pages_are_turned_by_number_button_key_and_thumbnail_and_only_those_in_sight_are_kept(
    harbour: tuple[str, DocMind], visiting: Visiting
) -> None:
    visit = visiting(harbour[0])
    page = visit.page
    page.locator("#documents .entry").click()
    at_page(visit, 1)
    page.get_by_label("Next page").click()
    at_page(visit, 2)
    page.locator(".pages").press("ArrowRight")
    at_page(visit, 3)
    page.get_by_label("Page", exact=True).fill("25")
    page.get_by_label("Page", exact=True).press("Enter")
    at_page(visit, 25)
    page.locator(".thumbnails").get_by_label("Page 26", exact=True).click()
    at_page(visit, 26)
    assert page.locator(".thumbnails [aria-current]").inner_text() == "26"
    until(visit, "document.querySelectorAll('.pages [data-drawn]').length < 6")
    top = page.locator(".pages").evaluate("node => node.scrollTop")
    page.locator(".pages").press("PageDown")
    until(visit, f"document.querySelector('.pages').scrollTop > {top}")


def test_zoom_draws_the_page_sharper_and_keeps_boxes_on_their_words(
    harbour: tuple[str, DocMind], visiting: Visiting
) -> None:
    address, engine = harbour
    visit = visiting(address + place_of(engine, "harbour.pdf", Scope("default"), "The lighthouse keeper retired"))
    page = visit.page
    page.locator("#reader mark.cited").wait_for()
    at_page(visit, 30)
    drawn = "Number(document.querySelector(\".pages [data-page='30']\").dataset.drawn)"
    before, place = page.evaluate(drawn), page.evaluate(PLACES)
    page.get_by_label("Larger").click()
    until(visit, f"{drawn} > {before}")
    after = page.evaluate(PLACES)
    assert after[0] == pytest.approx(place[0], abs=0.01)
    at_page(visit, 30)
    page.locator(".page-tools").get_by_label(re.compile("fit the width")).click()
    until(visit, f"{drawn} === {before}")


def test_on_a_phone_the_document_fills_the_screen(harbour: tuple[str, DocMind], visiting: Visiting) -> None:
    address, engine = harbour
    place = place_of(engine, "harbour.pdf", Scope("default"), "The lighthouse keeper retired")
    visit = visiting(address + place, viewport=PHONE)
    mark = visit.page.locator("#reader mark.cited")
    mark.wait_for()
    at_page(visit, 30)
    assert mark.evaluate(IN_VIEW)
    box = visit.page.locator("#reader").bounding_box()
    assert box == {"x": 0, "y": 0, **PHONE}
    assert visit.page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    visit.page.get_by_role("button", name="Close").click()
    assert visit.page.locator("#reader").is_hidden()


def test_a_file_that_is_gone_is_told_and_its_text_is_there(browser: object, visiting: Visiting, tmp_path: Any) -> None:
    (tmp_path / "harbour.pdf").write_bytes(long_paper())
    with DocMind(installed(tmp_path)) as engine:
        engine.ingest([tmp_path / "harbour.pdf"], Scope("default"))
        (tmp_path / "harbour.pdf").unlink()
        with visiting.serving(engine) as address:
            visit = visiting(address)
            visit.page.locator("#documents .entry").click()
            visit.page.locator(".viewer-note", has_text="was moved or deleted since it was read").wait_for()
            assert "reeds" in visit.page.locator("#panel-text").inner_text()
            assert all("404" in complaint for complaint in visit.complaints)
            visit.complaints.clear()


def test_with_keys_an_address_is_opened_once_the_key_is_given_and_not_in_anothers_workspace(
    browser: object, visiting: Visiting, tmp_path: Any
) -> None:
    (tmp_path / "gate.md").write_text("# Gate\n\nThe gate opens at seven.\n")
    with DocMind(installed(tmp_path)) as engine:
        engine.ingest([tmp_path / "gate.md"], Scope("works"))
        place = place_of(engine, "gate.md", Scope("works"), "opens at seven")
        _, token = engine.keys.create(Role.READER, workspace="works")
        with visiting.serving(engine) as address:
            visit = visiting(address + place)
            visit.page.get_by_label("Key", exact=True).fill(token)
            visit.page.get_by_role("button", name="Continue").click()
            visit.page.locator("#reader mark").wait_for()
            assert visit.page.locator("#reader mark").inner_text() == "opens at seven"
            visit.page.evaluate(f"location.hash = '{place.replace('/works/', '/other/')}'")
            visit.page.get_by_text("This link leads to the workspace “other”").wait_for()
            assert visit.page.locator("#workspace option").all_inner_texts() == ["works"]
            assert len(visit.complaints) == 1
            visit.complaints.clear()
