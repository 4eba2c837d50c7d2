"""Conversations on the page: listed, found, renamed, pinned, deleted, shared, judged, and come back to by address."""

import re
from pathlib import Path

import pytest

from docmind.domain.errors import ModelError
from docmind.domain.scope import Scope
from docmind.models.chat.recording import Silence
from docmind.models.chat.roles import Roles
from docmind.runtime.engine import DocMind
from tests.web.conftest import PATIENCE_MS, PHONE, Puppet, Visit, Visiting, installed, until

pytestmark = pytest.mark.web

OSTRAVA = "When does production in Ostrava start?"
ABSTAINED = "Who abstained from resolution IC-2026-07?"


def more(visit: Visit, name: str) -> None:
    """Choose from the menu of the first conversation."""
    visit.page.locator("#conversations .more").first.click()
    visit.page.locator("#conversations .menu:popover-open").get_by_role("menuitem", name=name).click()


def titles(visit: Visit) -> list[str]:
    return [title.strip() for title in visit.page.locator("#conversations .entry-title").all_inner_texts()]


def test_each_question_to_the_documents_is_a_conversation_with_an_address(visit: Visit, library: DocMind) -> None:
    visit.in_("strategy").ask(OSTRAVA)
    (run,) = library.runs(Scope("strategy"), limit=1)
    first = visit.address
    assert first.endswith(f"#/w/strategy/r/{run.id}")
    answer = visit.answer
    visit.ask(ABSTAINED)
    assert visit.page.locator(".turn").count() == 1
    visit.page.go_back()
    visit.page.locator(".asked", has_text=OSTRAVA).wait_for()
    assert (visit.address, visit.answered().answer) == (first, answer)
    visit.page.go_forward()
    visit.page.locator(".asked", has_text=ABSTAINED).wait_for()
    visit.page.goto(first)
    visit.page.reload()
    visit.page.locator(".asked", has_text=OSTRAVA).wait_for()
    assert visit.answered().answer == answer
    assert visit.page.locator("#conversations [aria-current=true]").count() == 1


def test_a_thread_is_come_back_to_in_its_workspace_and_carried_on(visit: Visit, library: DocMind) -> None:
    visit.in_("finance", "finance").ask("What was Ellandor's revenue in 2024?")
    address = visit.address
    visit.in_("strategy")
    until(visit, "location.hash === '#/w/strategy'")
    visit.page.goto(address)
    visit.page.locator(".turn").wait_for()
    assert visit.page.locator("#workspace").input_value() == "finance"
    assert "655,230" in visit.answered().answer
    visit.ask("And in 2023?")
    assert visit.address == address
    first, second = library.runs(Scope("finance"), limit=2)
    assert first.thread == second.thread


def test_an_address_of_nothing_says_so_and_the_page_goes_on(visit: Visit, service: str) -> None:
    visit.page.goto(f"{service}#/w/strategy/t/nobodys")
    visit.page.locator("#notice").get_by_text("There is no thread 'nobodys'").wait_for()
    # The browser itself notes that the service answered 404.
    visit.complaints.clear()
    visit.ask(OSTRAVA)
    assert "1 October 2027" in visit.answer


def test_a_conversation_is_renamed_pinned_found_and_deleted_with_the_keyboard(visit: Visit, library: DocMind) -> None:
    library.create_workspace("desk")
    scope, page = Scope("desk"), visit.page
    for question in ("What is a gate?", "What is a lock?"):
        library.run(question, scope)
    page.reload()
    visit.in_("desk")
    page.locator("#conversations .entry-title", has_text="lock").wait_for()
    page.locator("#conversations .more").last.focus()
    page.keyboard.press("Enter")
    page.locator(".menu:popover-open .menu-item:focus").get_by_text("Rename").wait_for()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.classList.contains('more')")
    page.keyboard.press("Enter")
    page.locator(".menu:popover-open .menu-item:focus").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator(".pin").wait_for()
    assert titles(visit) == ["Pinned What is a gate?", "What is a lock?"]
    more(visit, "Rename")
    page.locator("#prompt-field").fill("Doors & <b>gates</b>")
    page.keyboard.press("Enter")
    page.locator(".entry-title", has_text="Doors & <b>gates</b>").wait_for()
    page.locator("#conversation-search").fill("GATES doors")
    until(visit, "document.querySelectorAll('#conversations li').length === 1")
    page.locator("#conversation-search").fill("lock")
    page.locator("#conversations .entry-title", has_text="What is a lock?").wait_for()
    until(visit, "document.querySelectorAll('#conversations li').length === 1")
    page.locator("#conversations .entry").click()
    page.locator(".asked", has_text="What is a lock?").wait_for()
    more(visit, "Delete")
    page.get_by_role("button", name="Cancel").click()
    assert len(library.runs(scope)) == 2
    more(visit, "Delete")
    page.locator("#prompt").get_by_role("button", name="Delete").click()
    page.get_by_text("Nothing found.").wait_for()
    assert [run.question for run in library.runs(scope)] == ["What is a gate?"]
    assert page.locator(".turn").count() == 0


def test_feedback_is_kept_shown_again_and_taken_back(visit: Visit, library: DocMind) -> None:
    visit.in_("strategy").ask(OSTRAVA)
    page = visit.page
    page.get_by_role("button", name="This answer is wrong").click()
    page.get_by_label("Comment").fill("That is the <b>second</b> shift.")
    page.locator(".comment").get_by_role("button", name="Save").click()
    page.locator("#live", has_text="Saved.").wait_for()
    (run,) = library.runs(Scope("strategy"), limit=1)
    until(visit, "document.querySelector('.comment input').value.includes('second')")
    assert run.feedback is not None
    page.reload()
    page.locator(".thumb.down[aria-pressed=true]").wait_for()
    assert page.get_by_label("Comment").input_value() == "That is the <b>second</b> shift."
    page.locator(".thumb.down").click()
    page.locator(".thumb.down[aria-pressed=false]").wait_for()
    assert library.find_run(run.id, Scope("strategy")).feedback is None


@pytest.mark.parametrize(
    ("workflow", "words", "asks"),
    [
        ("docs", OSTRAVA, True),
        ("docs", "What is the chief executive's shoe size?", False),
        ("docs", "Which documents are there?", False),
        ("chat", "Hello!", False),
    ],
    ids=["answer", "refusal", "list", "greeting"],
)
def test_only_what_was_answered_from_the_documents_can_be_rated(
    visit: Visit, workflow: str, words: str, asks: bool
) -> None:
    visit.in_("strategy", workflow)
    visit.page.locator("#question").fill(words)
    visit.page.locator("#question").press("Enter")
    visit.page.locator(".turn .prose").wait_for()
    visit.page.locator("#ask").wait_for()
    until(visit, "!document.querySelector('.turn.running')")
    assert visit.page.locator(".feedback").count() == asks


def test_an_answer_is_shared_as_one_page_that_loads_nothing(visit: Visit, visiting: Visiting, tmp_path: Path) -> None:
    visit.in_("strategy").ask(OSTRAVA)
    visit.page.get_by_role("button", name="Share this answer").click()
    with visit.page.expect_download() as download:
        visit.page.get_by_role("menuitem", name="Save as a page").click()
    download.value.save_as(tmp_path / "answer.html")
    page = visit.page.context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "answer.html").as_uri())
    text = page.locator("body").inner_text()
    assert all(part in text for part in (OSTRAVA, "Production starts on 1 October 2027", "Sources", "Checks", "%"))
    assert len(asked) == 1
    page.locator("a.cite").first.click()
    assert page.locator("li:target").count() == 1
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
    page.close()


def test_the_one_number_is_explained_to_the_keyboard(visit: Visit) -> None:
    visit.in_("strategy").ask(OSTRAVA)
    number = re.search(r"(\d+)%", visit.page.locator(".sureness").inner_text())
    assert number is not None
    visit.page.get_by_role("button", name="What does this percentage mean?").focus()
    visit.page.keyboard.press("Enter")
    meaning = visit.page.locator(".meaning:popover-open")
    assert f"of 100 answers with this percentage, about {number[1]} should be" in meaning.inner_text()
    visit.page.keyboard.press("Escape")
    assert meaning.count() == 0


def test_nobody_who_was_shown_passages_is_asked_to_rephrase(visit: Visit) -> None:
    for workflow in ("docs", "strategy"):
        visit.in_("strategy", workflow).ask("What is the weather in Paris tomorrow?")
        assert visit.status == "No answer"
        assert visit.page.locator(".near").count() == 3
        assert "rephrase" not in visit.page.locator(".turn").inner_text()
        assert visit.page.locator(".banner").count() == 0


def test_what_is_being_done_is_told_in_words_and_a_model_that_is_away_on_the_answer(
    visiting: Visiting, tmp_path: Path
) -> None:
    (tmp_path / "gate.md").write_text("# Gate\n\nThe gate opens at seven.\n")
    puppet = Puppet()
    puppet.answer = Silence()
    with DocMind(installed(tmp_path), roles=Roles(writer=puppet.chat)) as engine:
        engine.ingest([tmp_path / "gate.md"], Scope("default"))
        with visiting.serving(engine) as address:
            visit = visiting(address)
            visit.page.locator("#question").fill("When does the gate open?")
            visit.page.locator("#question").press("Enter")
            visit.page.locator(".state", has_text="Reading 1 passage and writing the answer").wait_for()
            visit.page.get_by_role("button", name="Stop").click()
            visit.page.locator(".status", has_text="Stopped").wait_for()
            visit.page.reload()
            visit.page.get_by_text("Stopped before there was an answer.").wait_for()
            puppet.answer = ModelError("The model puppet does not answer.")
            visit.page.get_by_role("button", name="Continue").click()
            visit.page.locator(".outage", has_text="The model puppet does not answer.").wait_for(timeout=PATIENCE_MS)
            assert "The gate opens at seven" in visit.answered().answer


def test_an_answer_that_comes_while_somebody_reads_is_offered_and_not_forced(visiting: Visiting, service: str) -> None:
    visit = visiting(service, viewport={"width": 1280, "height": 420})
    visit.in_("finance", "finance")
    for question in ("How did Ellandor's revenue develop from 2022 to 2024?", "And its net profit?"):
        visit.ask(question)
    page = visit.page
    page.locator("#question").fill("And its total assets?")
    page.locator("#question").press("Enter")
    page.locator("#scroll").hover()
    page.mouse.wheel(0, -20_000)
    visit.answered()
    page.locator("#jump").wait_for()
    assert page.evaluate("document.querySelector('#scroll').scrollTop") == 0
    page.locator("#jump").click()
    until(visit, "document.querySelector('#scroll').scrollTop > 0")
    assert page.locator("#jump").is_hidden()


def test_on_a_phone_the_list_and_its_menu_fit(visiting: Visiting, service: str) -> None:
    visit = visiting(service, viewport=PHONE)
    page = visit.page
    page.locator("#show-library").click()
    page.locator("#workspace").select_option("strategy")
    page.locator("#conversations .more").first.click()
    box = page.locator(".menu:popover-open").bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= PHONE["width"] - box["width"]
    assert 0 <= box["y"] <= PHONE["height"] - box["height"]
