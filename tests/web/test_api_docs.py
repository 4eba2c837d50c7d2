"""The API's documentation in a real browser: without a network, within its policy, with and without keys."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docmind.domain.scope import Role, Scope
from docmind.runtime.engine import DocMind
from tests.web.conftest import PHONE, Visit, Visiting, installed
from tests.web.test_looks import SIDEWAYS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator

pytestmark = pytest.mark.web


class Reading(Visiting):
    """Opens the documentation of a service."""

    def opened(self, context: "BrowserContext", address: str) -> Visit:
        visit = Visit(context.new_page(), f"{address}docs")
        visit.page.locator(".opblock").first.wait_for()
        return visit


@pytest.fixture
def visiting(browser: "Browser", seat: "BrowserContext") -> Iterator[Visiting]:
    visiting = Reading(browser, seat)
    yield visiting
    visiting.close()


def sent(operation: "Locator") -> str:
    """What the service answers to the example of an operation."""
    operation.locator(".opblock-summary-control").click()
    operation.locator(".execute").click()
    answer = operation.locator(".live-responses-table .response").first
    answer.wait_for()
    return answer.inner_text()


def test_a_call_is_tried_from_the_page(visiting: Visiting, service: str) -> None:
    visit = visiting(service)
    elsewhere: list[str] = []
    visit.page.on("request", lambda request: elsewhere.append(request.url))
    told = sent(visit.page.locator("#operations-search-search"))
    assert "200" in told
    assert "relevance_score" in told
    assert [url for url in elsewhere if not url.startswith((service, "data:"))] == []


def test_a_key_is_entered_once(visiting: Visiting, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Note\n\nThe gate opens at seven.\n")
    with DocMind(installed(tmp_path)) as engine:
        engine.ingest([tmp_path / "note.md"], Scope("strategy"))
        _, key = engine.keys.create(Role.READER, workspace="strategy")
        with visiting.serving(engine) as address:
            visit = visiting(address)
            visit.page.locator(".auth-wrapper .authorize").first.click()
            visit.page.locator(".modal-ux input").fill(key)
            visit.page.locator(".modal-ux .authorize").click()
            visit.page.locator(".modal-ux .btn-done").click()
            told = sent(visit.page.locator("#operations-service-me"))
    assert "200" in told
    assert '"role": "reader"' in told


def test_it_fits_a_phone(visiting: Visiting, service: str) -> None:
    visit = visiting(service, viewport=PHONE)
    assert visit.page.evaluate(SIDEWAYS) <= 0
