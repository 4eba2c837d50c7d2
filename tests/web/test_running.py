"""While a run goes on: where it is, stopping it, and going on from there."""

from pathlib import Path

import pytest

from docmind.domain.scope import Scope
from docmind.models.chat.recording import Silence
from docmind.models.chat.roles import Roles
from docmind.runtime.engine import DocMind
from tests.web.conftest import Puppet, Visiting, installed

pytestmark = pytest.mark.web


def test_a_run_shows_where_it_is_and_once_stopped_goes_on_from_there(visiting: Visiting, tmp_path: Path) -> None:
    (tmp_path / "gate.md").write_text("# Gate\n\nThe gate opens at seven.\n")
    puppet = Puppet()
    puppet.answer = Silence()
    with DocMind(installed(tmp_path), roles=Roles(writer=puppet.chat)) as engine:
        engine.ingest([tmp_path / "gate.md"], Scope("default"))
        with visiting.serving(engine) as address:
            visit = visiting(address)
            page = visit.page
            page.locator("#question").fill("When does the gate open?")
            page.locator("#question").press("Enter")
            page.locator(".node.active[data-node=generate]").wait_for()
            assert page.locator(".node.visited").count() == 2
            page.get_by_role("button", name="Stop").click()
            visit.answered()
            assert visit.status == "Stopped"
            puppet.answer = "The gate opens at seven [1]."
            page.get_by_role("button", name="Continue").click()
            page.locator(".status.answered").wait_for()
            assert visit.answer == "The gate opens at seven."
            assert page.locator(".steps li").count() == 5
