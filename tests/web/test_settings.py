"""The settings on the page: a model tried and chosen, limits, and keys; and nobody sees them who may not."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from docmind.domain.scope import Role, Scope
from docmind.runtime.configuration import own_file
from docmind.runtime.engine import DocMind
from tests.openai_server import Handler, Server
from tests.web.conftest import PHONE, Visit, Visiting, serving
from tests.web.test_looks import SIDEWAYS, TOO_FAINT, UNNAMED

pytestmark = pytest.mark.web


@pytest.fixture
def engine(browser: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DocMind]:
    monkeypatch.setenv("DOCMIND_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("DOCMIND_INGEST__WORKERS", "1")
    (tmp_path / "gate.md").write_text("# Gate\n\nThe gate opens at seven.\n")
    with DocMind() as opened:
        opened.ingest([tmp_path / "gate.md"], Scope("default"))
        yield opened


@pytest.fixture
def address(engine: DocMind) -> Iterator[str]:
    with serving(engine) as at:
        yield at


@pytest.fixture
def model(chat_server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    rows = json.dumps({"data": [{"id": "small"}, {"id": "large"}]}).encode()
    monkeypatch.setattr(Handler, "do_GET", lambda handler: handler.send(200, rows), raising=False)
    chat_server.play(chat_server.says("ready"), chat_server.says(json.dumps({"city": "Paris"})))
    return chat_server


def opened(visit: Visit, tab: str = "models") -> Visit:
    visit.page.get_by_role("button", name="Settings").click()
    visit.page.locator("#chat-form").wait_for()
    visit.page.locator(f"#tab-settings-{tab}").click()
    return visit


def test_a_model_is_listed_tried_and_chosen_and_its_key_is_not_shown_again(
    address: str, visiting: Visiting, model: Server
) -> None:
    page = opened(visiting(address)).page
    form = page.locator("#chat-form")
    page.locator("#chat-provider").select_option("server")
    page.locator("#chat-address").fill(model.url)
    page.locator("#chat-key").fill("sk-quiet")
    form.get_by_role("button", name="List models").click()
    page.locator("#chat-found").select_option(f"{model.url}#large")
    assert page.locator("#chat-model").input_value() == "large"
    form.get_by_role("button", name="Test").click()
    form.get_by_text("replies with the JSON that was asked for").wait_for()
    assert model.requests[-1]["model"] == "large"
    form.get_by_role("button", name="Save").click()
    form.get_by_text("Saved. It applies from the next question.").wait_for()
    assert page.locator("#chat-key").input_value() == ""
    assert "A key is stored on the server" in form.inner_text()
    assert f"DOCMIND_MODELS__CHAT='{model.url}#large'" in own_file().read_text()
    form.get_by_role("button", name="Remove the stored key").click()
    form.get_by_text("Saved.").wait_for()
    assert "sk-quiet" not in own_file().read_text()


def test_a_model_that_does_not_answer_is_told_in_words(address: str, visiting: Visiting) -> None:
    page = opened(visiting(address)).page
    form = page.locator("#chat-form")
    page.locator("#chat-provider").select_option("openai")
    form.get_by_role("button", name="Test").click()
    form.get_by_text("Name the model first.").wait_for()
    page.locator("#chat-provider").select_option("server")
    page.locator("#chat-address").fill("127.0.0.1:9/v1")
    form.get_by_role("button", name="Test").click()
    form.get_by_text("The model http://127.0.0.1:9/v1 failed: Connection error.").wait_for()
    form.get_by_role("button", name="List models").click()
    form.get_by_text("does not list its models").wait_for()


def test_a_limit_is_changed_a_wrong_one_is_told_and_an_emptied_field_is_the_default_again(
    address: str, visiting: Visiting, engine: DocMind
) -> None:
    visit = opened(visiting(address), "answers")
    page, form = visit.page, visit.page.locator("#answers-form")
    wrong = page.get_by_label("At most this share of wrong answers")
    wrong.fill("20")
    wrong.press("Enter")
    form.get_by_text("Saved. It applies from the next question.").wait_for()
    assert engine.settings.answers.most_wrong == 0.2
    assert wrong.input_value() == "20"
    wrong.fill("")
    form.get_by_role("button", name="Save").click()
    form.get_by_text("Saved.").wait_for()
    assert engine.settings.answers.most_wrong is None
    page.locator("#tab-settings-limits").click()
    limits = page.locator("#limits-form")
    page.locator("#setting-models-chat_price").fill("cheap")
    limits.get_by_role("button", name="Save").click()
    limits.get_by_text("Write two prices with a slash between them").wait_for()
    page.locator("#setting-models-chat_price").fill("")
    page.get_by_label("Pages of a document").fill("9")
    limits.get_by_role("button", name="Save").click()
    limits.get_by_text("Restart the service to use: Pages of a document.").wait_for()
    page.get_by_text("Changed, but only used after a restart: DOCMIND_INGEST__MAX_PAGES.").wait_for()
    assert page.get_by_label("Processes that read files").is_disabled()
    # The browser itself notes the refused request.
    assert [complaint for complaint in visit.complaints if "422" not in complaint] == []
    visit.complaints.clear()


def test_every_setting_has_a_plain_label_and_fine_tuning_its_name_in_the_file_too(
    address: str, visiting: Visiting
) -> None:
    page = opened(visiting(address), "answers").page
    for folded in page.locator("#answers-form summary").all():
        folded.click()
    for form in ("answers", "limits"):
        page.locator(f"#tab-settings-{form}").click()
        labels = page.locator(f"#{form}-form .setting > label").all_inner_texts()
        assert all(" " in label or label in ("Attempts", "Cost", "Judge", "Stand-in", "Tokens") for label in labels)
    page.locator("#tab-settings-answers").click()
    setting = page.locator(".setting", has=page.get_by_label("Confidence that a draft needs"))
    assert setting.locator("code").inner_text() == "DOCMIND_STRATEGY__MIN_CONFIDENCE"
    assert page.locator("fieldset .setting-name").count() == 0


def test_what_another_embedder_costs_is_told_before_it_is_chosen(address: str, visiting: Visiting) -> None:
    visit = opened(visiting(address))
    form = visit.page.locator("#embedder-form")
    form.get_by_label("Embedder").select_option("static")
    form.get_by_role("button", name="What a change costs").click()
    form.get_by_text("1 passage would be embedded again, about 1 second on this machine").wait_for()
    form.get_by_role("button", name="Save").click()
    visit.page.locator("#embedder-form").get_by_text("Indexed with another embedder").wait_for()
    visit.page.locator("#embedder-form").get_by_role("button", name="Reindex").click()
    visit.page.locator("#embedder-form").get_by_text("Every workspace is indexed with the current embedder").wait_for()


def test_the_first_key_keeps_the_page_open_and_others_are_made_and_revoked(
    address: str, visiting: Visiting, engine: DocMind
) -> None:
    visit = opened(visiting(address), "keys")
    page = visit.page
    page.get_by_role("button", name="Create a key").click()
    token = page.get_by_label("The new key").input_value()
    assert engine.keys.find(token) is not None
    page.get_by_text("in use here").wait_for()
    page.locator("#key-role").select_option("editor")
    page.locator("#key-form").get_by_label("Workspace").fill("default")
    page.locator("#key-form").get_by_label("User").fill("ada")
    page.get_by_role("button", name="Create a key").click()
    page.get_by_role("button", name="Revoke the key of ada").click()
    page.get_by_role("button", name="Revoke", exact=True).click()
    page.get_by_text("revoked", exact=True).wait_for()
    assert [key.revoked is None for key in engine.keys.all()] == [True, False]
    page.get_by_role("button", name="Close").click()
    visit.ask("When does the gate open?")
    assert "seven" in visit.answer


def test_whoever_may_not_change_settings_is_not_offered_them(address: str, visiting: Visiting, engine: DocMind) -> None:
    _, token = engine.keys.create(Role.ADMIN, workspace="default")
    visit = visiting(address)
    visit.page.get_by_label("Key", exact=True).fill(token)
    visit.page.get_by_role("button", name="Continue").click()
    visit.page.locator("#workflows button").first.wait_for()
    assert visit.page.locator("#show-settings").is_hidden()
    visit.complaints.clear()


@pytest.mark.parametrize(("scheme", "size"), [("light", None), ("dark", PHONE)])
def test_every_tab_can_be_read_named_and_reached_with_the_keyboard(
    address: str, visiting: Visiting, scheme: str, size: object
) -> None:
    kind = {"color_scheme": scheme} | ({"viewport": size} if size else {})
    visit = opened(visiting(address, **kind))
    page = visit.page
    page.locator("#tab-settings-models").focus()
    for tab in ("models", "answers", "limits", "keys"):
        page.locator(f"#panel-settings-{tab} [type=submit]").first.wait_for()
        assert page.evaluate(TOO_FAINT) == []
        assert page.evaluate(UNNAMED) == []
        assert page.evaluate(SIDEWAYS) == 0
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    assert page.locator("#settings").is_hidden()
