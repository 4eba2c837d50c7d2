"""With keys the page asks for one, says when it is wrong, and offers no more than the key allows."""

from collections.abc import Iterator

import pytest

from docmind.domain.scope import Role, Scope
from docmind.runtime.engine import DocMind
from tests.web.conftest import Visiting, installed, serving

pytestmark = pytest.mark.web


@pytest.fixture(scope="module")
def guarded(browser: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a service with keys, and one that may only read in one workspace."""
    root = tmp_path_factory.mktemp("guarded")
    (root / "gate.md").write_text("# Gate\n\nThe gate opens at seven.\n")
    with DocMind(installed(root)) as engine:
        engine.ingest([root / "gate.md"], Scope("works"))
        _, token = engine.keys.create(Role.READER, workspace="works")
        with serving(engine) as address:
            yield address, token


def test_the_page_asks_for_a_key_until_it_has_one_and_keeps_to_its_workspace(
    guarded: tuple[str, str], visiting: Visiting
) -> None:
    address, token = guarded
    visit = visiting(address)
    page = visit.page
    page.get_by_label("Key", exact=True).fill("dm_wrong_wrong")
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("That key is not valid.").wait_for()
    page.get_by_label("Key", exact=True).fill(token)
    page.get_by_role("button", name="Continue").click()
    visit.ask("When does the gate open?")
    assert "seven" in visit.answer
    assert page.locator("#workspace option").all_inner_texts() == ["works"]
    assert page.get_by_role("button", name="New", exact=True).is_hidden()
    assert page.locator("#adding").is_hidden()
    # The browser itself notes each refused request.
    assert len(visit.complaints) == 2
    assert all("401" in complaint for complaint in visit.complaints)
    visit.complaints.clear()
