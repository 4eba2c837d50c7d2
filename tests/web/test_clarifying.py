"""Where a person is needed: the sides of a conflict, a question back, and a place on the map."""

import pytest

from tests.web.conftest import Visit

pytestmark = pytest.mark.web


def test_both_sides_of_a_conflict_are_shown_and_the_chosen_one_is_followed(visit: Visit) -> None:
    visit.in_("strategy", "strategy").ask("What is the capital budget of Project Heron?")
    sides = visit.page.locator(".side")
    assert visit.status == "Waiting for you"
    assert sides.locator(".side-value").all_inner_texts() == ["EUR 42.0 million", "EUR 47.5 million"]
    sides.nth(1).get_by_role("button", name="Follow this source").click()
    visit.page.locator(".reply").wait_for()
    visit.page.locator(".status.answered").wait_for()
    assert "EUR 47.5 million" in visit.answer
    assert "because you chose it" in visit.answer


def test_a_side_of_a_conflict_opens_its_document_at_the_claim(visit: Visit) -> None:
    visit.in_("strategy", "strategy").ask("What is the capital budget of Project Heron?")
    visit.page.get_by_role("button", name="Open the document").first.click()
    visit.page.locator("#tab-text").click()
    assert "EUR 42.0 million" in visit.page.locator("#panel-text mark").inner_text()


def test_a_place_is_asked_for_and_its_facilities_are_drawn(visit: Visit) -> None:
    visit.in_("facilities", "chat").ask("clinics open on Sunday near Springfield with vaccination")
    assert visit.page.locator(".banner-question").inner_text() == "Which Springfield do you mean?"
    visit.page.get_by_role("button", name="Springfield, Illinois, United States").click()
    visit.page.locator(".status.answered").wait_for()
    assert visit.page.locator(".map .pin").count() == visit.page.locator(".facility-list li").count() == 1
    call = visit.page.get_by_role("link", name="Call Lincoln Row Clinic")
    assert call.get_attribute("href") == "tel:+12175550112"


def test_a_question_back_can_be_answered_in_ones_own_words(visit: Visit) -> None:
    visit.in_("facilities", "chat").ask("clinics open on Sunday near Springfield with vaccination")
    visit.page.get_by_label("Your answer").fill("Springfield, Missouri")
    visit.page.get_by_label("Your answer").press("Enter")
    visit.page.locator(".reply").wait_for()
    visit.answered()
    assert "Missouri" in visit.answer


def test_what_waits_for_a_person_is_still_asked_after_a_reload(visit: Visit) -> None:
    visit.in_("strategy", "strategy").ask("What is the capital budget of Project Heron?")
    visit.page.reload()
    visit.page.locator("#conversations .entry").first.get_by_text("waiting for you").click()
    visit.page.get_by_role("button", name="Neither: show both").click()
    visit.page.locator(".status.caveat").wait_for()


def test_a_run_that_ended_with_a_question_does_not_pretend_to_wait(visit: Visit) -> None:
    visit.in_("strategy", "strategy").ask("Which risks threaten the start of production in Ostrava?")
    assert visit.status == "No answer"
    assert visit.page.locator(".banner").count() == 0
    assert visit.page.locator(".near").count() == 3
