"""Every screen, light and dark, wide and narrow, holds nothing that axe reports, and nothing scrolls sideways."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from docmind.domain.scope import Role
from docmind.runtime.engine import DocMind
from tests.web.conftest import PATIENCE_MS, installed, serving
from tests.web.screens import Shown, Tour, prepare
from tests.web.test_looks import SIDEWAYS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

pytestmark = pytest.mark.web

AXE = os.environ.get("DOCMIND_TEST_AXE")
"""The program that `make test-web` fetched."""
WIDTHS = {"wide": (1440, 900), "narrow": (390, 844)}
REPORT = """axe.run(document, {resultTypes: ["violations"]}).then(({violations}) => violations.flatMap(
  ({id, nodes}) => nodes.map(({target, failureSummary}) => `${id} at ${target.join(" ")}: ${failureSummary}`)))"""


@pytest.fixture(scope="module")
def shown(library: DocMind, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    return prepare(library, tmp_path_factory.mktemp("screens"))


@pytest.fixture(scope="module")
def empty(browser: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service with nothing in it, as it is where nothing was set by a program."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DOCMIND_DATA_DIR", str(tmp_path_factory.mktemp("empty")))
        with DocMind() as engine, serving(engine) as address:
            yield address


@pytest.fixture(scope="module")
def locked(browser: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service that asks for a key."""
    with DocMind(installed(tmp_path_factory.mktemp("locked"))) as engine, serving(engine) as address:
        engine.keys.create(Role.READER, workspace="works")
        yield address


@pytest.fixture(params=[(scheme, width) for scheme in ("light", "dark") for width in WIDTHS], ids="-".join)
def page(browser: "Browser", request: pytest.FixtureRequest) -> "Iterator[Page]":
    scheme, width = request.param
    across, down = WIDTHS[width]
    context = browser.new_context(
        viewport={"width": across, "height": down}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


def faults(page: "Page") -> list[str]:
    """What axe reports of what the page shows now. The page's policy lets only the browser's own tools bring it in."""
    tools: CDPSession = page.context.new_cdp_session(page)
    for program in (Path(AXE or "").read_text(), REPORT):
        answer: Any = tools.send(
            "Runtime.evaluate", {"expression": program, "awaitPromise": True, "returnByValue": program == REPORT}
        )
    tools.detach()
    assert "exceptionDetails" not in answer, answer
    found: list[str] = answer["result"]["value"]
    return found


@pytest.mark.skipif(AXE is None, reason="needs axe-core: run `make test-web` where npm is")
def test_axe_reports_nothing_of_any_screen(page: "Page", service: str, shown: Shown, empty: str, locked: str) -> None:
    found: dict[str, list[str]] = {}

    def look(name: str) -> None:
        if problems := faults(page) + [f"scrolls sideways by {by}" for by in [page.evaluate(SIDEWAYS)] if by]:
            found[name] = problems

    page.goto(locked)
    page.locator("#prompt[open]").wait_for()
    look("sign-in")
    for name in Tour(page, service, empty, shown).screens():
        look(name)
    assert found == {}
