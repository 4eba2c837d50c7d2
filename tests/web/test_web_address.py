"""Adding a page on the web: the field, what becomes of the address, and why one is refused."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import pytest

from docmind.runtime.engine import DocMind
from tests.web.conftest import Visit, Visiting, installed, serving

pytestmark = pytest.mark.web

HANDBOOK = b"<title>Handbook</title><h1>Handbook</h1><p>Trains leave at nine from the harbour.</p>"


class Handbook(BaseHTTPRequestHandler):
    """A web server with a single page, which answers when it may."""

    may_answer = Event()
    may_answer.set()

    def do_GET(self) -> None:
        self.may_answer.wait()
        is_there = self.path.startswith("/handbook")
        self.send_response(200 if is_there else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(HANDBOOK) if is_there else 0))
        self.end_headers()
        self.wfile.write(HANDBOOK if is_there else b"")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handbook) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def reaching(browser: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service that may fetch from this machine too."""
    settings = installed(tmp_path_factory.mktemp("reaching"))
    ingest = settings.ingest.model_copy(update={"private_addresses": True})
    with DocMind(settings.model_copy(update={"ingest": ingest})) as engine, serving(engine) as address:
        yield address


def add(visit: Visit, address: str) -> None:
    visit.page.get_by_label("Add a web address").fill(address)
    visit.page.get_by_label("Add a web address").press("Enter")


def test_a_web_address_becomes_a_document_that_can_be_asked(visiting: Visiting, reaching: str, site: str) -> None:
    visit = visiting(reaching)
    add(visit, f"{site}/handbook")
    visit.page.locator("#uploads .outcome", has_text=f"{site}/handbook").wait_for()
    visit.page.locator("#uploads .added").wait_for()
    visit.page.locator("#documents .entry").wait_for()
    assert visit.page.get_by_label("Add a web address").input_value() == ""
    assert "harbour" in visit.ask("Where do trains leave from at nine?").answer
    visit.page.get_by_role("button", name="Clear files that are done from this list").click()
    visit.page.locator("#uploads .outcome").wait_for(state="detached")


def test_a_page_that_is_being_fetched_is_listed_after_a_reload(visiting: Visiting, reaching: str, site: str) -> None:
    visit = visiting(reaching)
    Handbook.may_answer.clear()
    add(visit, f"{site}/handbook?slow")
    fetching = visit.page.locator("#uploads .reading", has_text=f"Fetching {site}/handbook?slow")
    fetching.wait_for()
    visit.page.reload()
    fetching.wait_for()
    Handbook.may_answer.set()
    visit.page.locator("#uploads .added").wait_for()


def test_an_address_that_cannot_be_read_says_why(visiting: Visiting, reaching: str, site: str) -> None:
    visit = visiting(reaching)
    add(visit, f"{site}/nothing")
    said = visit.page.locator("#uploads .rejected")
    said.wait_for()
    assert f"{site}/nothing" in said.inner_text()
    assert "404" in said.inner_text()


def test_an_address_in_a_private_network_is_refused_with_the_reason(visit: Visit, site: str) -> None:
    visit.in_("default")
    add(visit, f"{site}/handbook")
    said = visit.page.locator("#uploads .rejected", has_text=site).inner_text()
    assert "this machine or in a private network" in said
    assert visit.page.locator("#documents .entry", has_text="Handbook").count() == 0


def test_an_address_may_be_written_without_its_beginning(visit: Visit) -> None:
    visit.in_("default")
    with visit.page.expect_request("**/v1/uploads/web") as sent:
        add(visit, "127.0.0.1/handbook")
    assert sent.value.post_data_json == {"url": "https://127.0.0.1/handbook", "workspace": "default"}
    visit.page.locator("#uploads .rejected", has_text="https://127.0.0.1/").wait_for()
