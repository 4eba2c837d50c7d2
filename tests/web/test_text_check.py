"""Checking a text on the page: each sentence marked, the quote behind it, and the document at that place."""

import pytest

from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from tests.web.conftest import PHONE, Visit, Visiting
from tests.web.test_looks import TOO_FAINT, UNNAMED

pytestmark = pytest.mark.web

COPIED = "The plant in Ostrava, Czechia needs 204 employees at the end of 2028."
CHANGED = "The plant in Ostrava, Czechia needs 214 employees at the end of 2028."
FOREIGN = "The wizard flew to Mars on seventy dragons."
TEXT = f"😀 Is it so?\n\n{COPIED} {CHANGED}\n\n{FOREIGN}\n"
OVERFLOWING = "() => { const d = document.querySelector('#text-check'); return d.scrollWidth - d.clientWidth; }"


def check(visit: Visit, text: str = TEXT) -> None:
    visit.page.get_by_role("button", name="Check a text").click()
    visit.page.get_by_label("Text to check").fill(text)
    visit.page.get_by_role("button", name="Check", exact=True).click()
    visit.page.locator("#text-check .claim, #text-check .error:not(:empty)").first.wait_for()


def test_each_sentence_is_marked_with_what_the_documents_say(visit: Visit) -> None:
    check(visit.in_("strategy"))
    marks = visit.page.locator("#text-check .claim")
    classes = marks.evaluate_all("nodes => nodes.map(node => node.className)")
    assert classes == ["claim supported", "claim contradicted", "claim not_found"]
    assert marks.nth(0).inner_text().startswith(f"✓ {COPIED}")
    said = visit.page.locator("#text-check [role=status]").inner_text()
    assert said.startswith("3 sentences: 1 supported, 1 contradicted, 1 not found.")
    assert "Is it so?" in visit.page.locator(".checked-text").inner_text()


def test_a_sentence_shows_its_quote_and_opens_the_document_at_exactly_that_place(
    visit: Visit, library: DocMind
) -> None:
    check(visit.in_("strategy"))
    visit.page.locator("#text-check .claim.contradicted").click()
    finding = visit.page.locator(".finding")
    assert "The documents say something else." in finding.inner_text()
    assert finding.locator("blockquote").inner_text() == COPIED
    visit.page.get_by_role("button", name="Open HR and capacity plan 2026 to 2028").click()
    visit.page.locator("#tab-text").click()
    marked = visit.page.locator("#panel-text mark")
    marked.wait_for()
    assert marked.inner_text() == COPIED
    claim = library.check(TEXT, Scope("strategy")).claims[1]
    before = visit.page.locator(".running-text").evaluate("node => node.firstChild.data")
    assert len(before) == claim.quote_start
    visit.page.keyboard.press("Escape")
    assert visit.page.locator("#reader").is_hidden()
    assert visit.page.locator("#text-check").is_visible()


def test_what_is_not_found_has_nothing_to_open(visit: Visit) -> None:
    check(visit.in_("strategy"))
    visit.page.locator("#text-check .claim.not_found").click()
    finding = visit.page.locator(".finding")
    assert "No document says so." in finding.inner_text()
    assert finding.get_by_role("button").count() == 0


def test_a_text_is_checked_with_the_keyboard_alone(visit: Visit) -> None:
    page = visit.in_("strategy").page
    page.locator("#check-text").focus()
    page.keyboard.press("Enter")
    page.keyboard.type(f"{COPIED} {FOREIGN}")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator("#text-check .claim").first.wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.classList.contains('supported')")
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator("#reader mark").first.wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.classList.contains('not_found')")
    assert page.locator(".finding").count() == 1


def test_a_workspace_without_documents_is_said_in_the_dialog(
    visiting: Visiting, service: str, library: DocMind
) -> None:
    library.create_workspace("empty")
    visit = visiting(service)
    check(visit.in_("empty"))
    assert "Workspace 'empty' has no documents" in visit.page.locator("#text-check .error").inner_text()
    assert visit.page.locator("#text-check .claim").count() == 0
    # The browser itself notes an answer that is an error.
    visit.complaints = [one for one in visit.complaints if "404" not in one]


def test_another_workspace_has_not_said_anything_of_the_text_yet(visit: Visit) -> None:
    check(visit.in_("strategy"))
    visit.page.keyboard.press("Escape")
    visit.in_("finance")
    visit.page.get_by_role("button", name="Check a text").click()
    assert visit.page.get_by_label("Text to check").input_value() == TEXT
    assert visit.page.locator("#text-check .claim").count() == 0


def test_markup_in_a_text_stays_text(visit: Visit) -> None:
    check(visit.in_("strategy"), f"<img src=x onerror=alert(1)> {COPIED} <script>alert(2)</script>")
    assert visit.page.locator("#text-check img, #text-check script").count() == 0
    assert "<img src=x onerror=alert(1)>" in visit.page.locator(".checked-text").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_checked_text_is_readable_to_everybody(visiting: Visiting, service: str, scheme: str) -> None:
    visit = visiting(service, color_scheme=scheme)
    check(visit.in_("strategy"))
    for status in ("supported", "contradicted", "not_found"):
        visit.page.locator(f"#text-check .claim.{status}").click()
        assert visit.page.evaluate(TOO_FAINT) == []
    assert visit.page.evaluate(UNNAMED) == []


def test_on_a_phone_a_checked_text_fills_the_page_and_scrolls_downwards_only(visiting: Visiting, service: str) -> None:
    visit = visiting(service, viewport=PHONE)
    visit.page.locator("#show-library").click()
    visit.page.locator("#workspace").select_option("strategy")
    visit.page.keyboard.press("Escape")
    check(visit, f"{TEXT}\n{'Production starts on 1 October 2027 with one shift. ' * 20}")
    visit.page.locator("#text-check .claim.contradicted").click()
    assert visit.page.evaluate(OVERFLOWING) == 0
    box = visit.page.locator("#text-check").bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == (PHONE["width"], PHONE["height"])
