"""Asking on the page: each workflow, the sources to the character, the checks, and the run behind the answer."""

import json
import re
from pathlib import Path

import pytest

from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from tests.web.conftest import Visit

pytestmark = pytest.mark.web

OSTRAVA = "When does production in Ostrava start?"


@pytest.mark.parametrize(
    ("workspace", "workflow", "question", "part"),
    [
        ("strategy", "docs", OSTRAVA, "Production starts on 1 October 2027"),
        ("strategy", "strategy", "Who sells a ten-year full service contract?", "Kaltwerk delivers fastest"),
        ("strategy", "chat", "Who sells a ten-year full service contract?", "Kaltwerk delivers fastest"),
        ("finance", "finance", "What was Ellandor's revenue in 2024?", "655,230"),
    ],
    ids=["docs", "strategy", "chat", "finance"],
)
def test_each_workflow_answers_with_sources_and_checks(
    visit: Visit, workspace: str, workflow: str, question: str, part: str
) -> None:
    visit.in_(workspace, workflow).ask(question)
    assert part in visit.answer
    assert visit.page.locator(".prose button.cite").count() >= 1
    assert visit.page.locator(".prose .claim.supported").count() >= 1
    assert "Supported" in visit.tab("checks").inner_text()


def test_pointing_at_a_citation_shows_the_exact_quote(visit: Visit) -> None:
    visit.in_("strategy").ask(OSTRAVA)
    visit.page.locator("button.cite").first.hover()
    card = visit.page.locator("#quote-card")
    assert "Production starts on 1 October 2027 with one shift" in card.inner_text()
    visit.page.locator(".asked").hover()
    assert card.is_hidden()


def test_a_citation_opens_the_document_with_exactly_its_characters_marked(visit: Visit, library: DocMind) -> None:
    visit.in_("strategy").ask(OSTRAVA)
    (run,) = library.runs(Scope("strategy"), limit=1)
    assert run.result is not None
    cited = run.result.citations[0]
    visit.page.locator("button.cite").first.click()
    visit.page.locator("#tab-text").click()
    marked = visit.page.locator("#panel-text mark")
    marked.wait_for()
    whole = library.text(library.document(cited.document, Scope("strategy")))
    assert marked.inner_text() == whole[cited.start : cited.end] == cited.quote
    before = visit.page.locator(".running-text").evaluate("node => node.firstChild.data")
    assert len(before) == cited.start
    visit.page.keyboard.press("Escape")
    assert visit.page.locator("#reader").is_hidden()


def test_what_is_not_checked_yet_is_marked_as_a_draft(visit: Visit) -> None:
    visit.in_("strategy")
    visit.page.evaluate("""() => {
      window.seen = [];
      const look = () => {
        const label = document.querySelector(".draft-label")?.textContent;
        if (label && document.querySelector(".status")) window.seen.push("a draft beside a status");
        else if (label && !window.seen.includes(label)) window.seen.push(label);
      };
      new MutationObserver(look).observe(document.querySelector("#turns"), { childList: true, subtree: true });
    }""")
    visit.ask(OSTRAVA)
    seen = visit.page.evaluate("window.seen")
    assert seen[0] == "Draft Not checked yet. It may still change."
    assert "a draft beside a status" not in seen
    assert visit.page.locator(".draft").count() == 0


def test_a_question_the_documents_do_not_answer_is_refused_in_so_many_words(visit: Visit) -> None:
    visit.in_("strategy").ask("What is the chief executive's shoe size?")
    assert visit.status == "No answer"
    assert visit.page.locator(".prose .claim").count() == 0
    assert visit.page.locator(".sureness").count() == 0


def test_below_a_refusal_the_nearest_passages_can_be_opened_and_are_no_citations(visit: Visit) -> None:
    visit.in_("strategy").ask("What is the chief executive's shoe size?")
    near = visit.page.locator(".nearest")
    assert near.locator("li").count() == 3
    assert visit.page.locator(".nearest .cite, .nearest q").count() == 0
    near.locator("button").first.click()
    visit.page.locator("#reader mark").first.wait_for()


def test_how_likely_an_answer_is_right_is_said_once_in_words_and_percent(visit: Visit) -> None:
    visit.in_("strategy").ask(OSTRAVA)
    assert re.fullmatch(r"[A-Z][a-z ]+, \d+%", visit.page.locator(".sureness").inner_text())
    for tab in ("sources", "checks"):
        assert "%" not in visit.tab(tab).inner_text()


def test_the_run_can_be_stepped_through_and_shows_its_loops(visit: Visit) -> None:
    visit.in_("strategy", "strategy").ask("What is the capital budget of Project Heron?")
    run = visit.tab("run")
    assert run.locator(".steps li").count() == 15
    assert run.locator(".node.visited").count() == 5
    assert run.locator(".times.loops text").all_text_contents() == ["2×"]
    run.locator(".step").first.click()
    assert run.locator(".node.active").get_attribute("data-node") == "supervisor"
    run.get_by_role("button", name="Next").click()
    assert run.locator(".node.active").get_attribute("data-node") == "researcher"
    assert run.locator(".times.loops").count() == 0


def test_the_whole_page_can_be_used_with_the_keyboard_alone(visit: Visit) -> None:
    page = visit.page
    visit.in_("strategy")
    page.reload()
    page.locator("#workflows button").first.wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.type(OSTRAVA)
    page.keyboard.press("Enter")
    visit.answered()
    for _ in range(40):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.classList.contains('cite')"):
            break
    assert page.locator("#quote-card").is_visible()
    page.keyboard.press("Enter")
    page.locator("#reader mark").first.wait_for()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.classList.contains('cite')")


def test_an_earlier_question_can_be_looked_at_again_after_a_reload(visit: Visit) -> None:
    visit.in_("strategy").ask("Who abstained from resolution IC-2026-07?")
    answer = visit.answer
    visit.page.reload()
    visit.page.locator("#conversations .entry").first.click()
    visit.answered()
    assert visit.answer == answer


def test_a_conversation_is_carried_on_and_begun_anew(visit: Visit, library: DocMind) -> None:
    visit.in_("finance", "finance").ask("What was Ellandor's revenue in 2024?").ask("And in 2023?")
    assert "601,020" in visit.answer
    first, second = library.runs(Scope("finance"), limit=2)
    assert first.thread == second.thread is not None
    visit.page.get_by_role("button", name="New conversation").click()
    assert visit.page.locator(".turn").count() == 0


def test_an_answer_can_be_taken_away_as_markdown_and_json(visit: Visit, tmp_path: Path) -> None:
    visit.in_("strategy").ask(OSTRAVA)
    saved = {}
    for kind in ("Markdown", "JSON"):
        visit.page.get_by_role("button", name="Share this answer").click()
        with visit.page.expect_download() as download:
            visit.page.get_by_role("menuitem", name=f"Save as {kind}").click()
        download.value.save_as(tmp_path / kind)
        saved[kind] = (tmp_path / kind).read_text(encoding="utf-8")
    assert saved["Markdown"].startswith(f"# {OSTRAVA}\n")
    assert "HR and capacity plan 2026 to 2028: “Production starts" in saved["Markdown"]
    assert json.loads(saved["JSON"])["status"] == "answered"
