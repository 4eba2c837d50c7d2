"""Web addresses over real HTTP: fetched within limits, again only where they changed, and never where they may not."""

import socket
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from docmind.corpus.report import Outcome
from docmind.corpus.web import is_public, page_name
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.settings import IngestSettings, Settings
from tests.office_files import letter, zipped

PAGE = b"<!-- made by hand --><h1>Handbook</h1><p>Trains leave at nine from the harbour.</p>"
Pages = dict[str, Callable[[BaseHTTPRequestHandler], None]]
SCOPE = Scope("w")


def send(request: BaseHTTPRequestHandler, content: bytes, status: int = 200, **headers: str) -> None:
    request.send_response(status)
    for name, value in {"Content-Length": str(len(content)), **headers}.items():
        request.send_header(name.replace("_", "-"), value)
    request.end_headers()
    request.wfile.write(content)


class Site:
    """A web server on loopback, and what it was asked."""

    def __init__(self) -> None:
        self.pages: Pages = {}
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                if answer := site.pages.get(self.path):
                    answer(self)
                else:
                    send(self, b"", 404)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    thread = Thread(target=site.server.serve_forever)
    thread.start()
    yield site
    site.server.shutdown()
    thread.join()
    site.server.server_close()


@pytest.fixture
def engine(settings: Settings) -> Iterator[DocMind]:
    ingest = IngestSettings(workers=1, private_addresses=True, web_timeout_s=20, max_file_mb=1)
    with DocMind(settings.model_copy(update={"ingest": ingest})) as opened:
        yield opened


def reason(engine: DocMind, address: str) -> str:
    (filed,) = engine.add_web_page(address, SCOPE)
    assert filed.outcome is Outcome.REJECTED
    return filed.reason


def test_a_page_is_a_document_known_by_its_address_and_kept_as_it_came(engine: DocMind, site: Site) -> None:
    site.pages["/guide?v=1"] = lambda request: send(request, PAGE, Content_Type="text/html; charset=utf-8")
    report = engine.ingest([f"{site.address}/guide?v=1#trains"], SCOPE)
    assert (report.added, report.rejected) == (1, [])
    (document,) = engine.documents(SCOPE)
    assert document.source == f"{site.address}/guide?v=1"
    assert document.name == document.source
    assert engine.text(document) == "Handbook\n\nTrains leave at nine from the harbour."
    assert engine.original(document) == PAGE
    assert list((engine.settings.home / "originals" / "incoming").iterdir()) == []


def test_what_the_server_calls_a_page_goes_before_the_end_of_its_address(engine: DocMind, site: Site) -> None:
    site.pages["/readme.md"] = lambda request: send(request, PAGE, Content_Type="text/html")
    engine.ingest([f"{site.address}/readme.md"], SCOPE)
    (document,) = engine.documents(SCOPE)
    assert document.media_type == "text/html"


def test_a_page_is_fetched_again_only_where_it_has_changed(engine: DocMind, site: Site) -> None:
    version, seen = "", []

    def page(request: BaseHTTPRequestHandler) -> None:
        seen.append(request.headers.get("If-None-Match"))
        if seen[-1] == version:
            send(request, b"", 304)
        else:
            send(request, PAGE.replace(b"nine", version.encode()), Content_Type="text/html", ETag=version)

    site.pages["/"] = page
    outcomes = []
    for version in ('"one"', '"one"', '"two"'):  # noqa: B007 - what the server sends
        (filed,) = engine.add_web_page(f"{site.address}/", SCOPE)
        outcomes.append(filed.outcome)
    assert outcomes == [Outcome.ADDED, Outcome.UNCHANGED, Outcome.UPDATED]
    assert seen == [None, '"one"', '"one"']
    (document,) = engine.documents(SCOPE)
    assert '"two"' in engine.text(document)
    # In another workspace nothing is known of it.
    assert engine.add_web_page(f"{site.address}/", Scope("x"))[0].outcome is Outcome.ADDED
    assert seen[-1] is None


def test_without_a_version_the_content_says_whether_a_page_has_changed(engine: DocMind, site: Site) -> None:
    site.pages["/"] = lambda request: send(request, PAGE, Content_Type="text/html")
    outcomes = [engine.add_web_page(f"{site.address}/", SCOPE)[0].outcome for _ in range(2)]
    assert outcomes == [Outcome.ADDED, Outcome.UNCHANGED]


def test_an_archive_and_an_email_at_an_address_are_opened(engine: DocMind, site: Site) -> None:
    site.pages["/all.zip"] = lambda request: send(request, zipped({"a.md": "# A\n\nText.", "b.md": "# B\n\nText."}))
    site.pages["/a.eml"] = lambda request: send(request, letter(minutes_md=b"# Minutes\n\nText."))
    report = engine.ingest([f"{site.address}/all.zip", f"{site.address}/a.eml"], SCOPE)
    assert (report.added, report.rejected) == (4, [])
    sources = {document.source.removeprefix(site.address): document for document in engine.documents(SCOPE)}
    assert sources.keys() == {"/all.zip!a.md", "/all.zip!b.md", "/a.eml", "/a.eml!minutes.md"}
    assert engine.original(sources["/a.eml!minutes.md"]) == b"# Minutes\n\nText."


def test_redirects_are_followed_to_an_end(engine: DocMind, site: Site) -> None:
    site.pages["/old"] = lambda request: send(request, b"", 302, Location="/new")
    site.pages["/new"] = lambda request: send(request, PAGE, Content_Type="text/html")
    site.pages["/round"] = lambda request: send(request, b"", 302, Location="/round")
    site.pages["/out"] = lambda request: send(request, b"", 302, Location="file:///etc/passwd")
    assert engine.add_web_page(f"{site.address}/old", SCOPE)[0].outcome is Outcome.ADDED
    assert reason(engine, f"{site.address}/round") == "leads on more than 5 times."
    assert reason(engine, f"{site.address}/out") == "leads on to file:/etc/passwd, which is no web address."


def test_what_is_too_large_is_refused_whether_or_not_it_says_so(engine: DocMind, site: Site) -> None:
    def endless(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        try:
            while True:
                request.wfile.write(b"x" * 65_536)
        except OSError:
            return

    site.pages["/said"] = lambda request: send(request, bytes(2 << 20))
    site.pages["/endless"] = endless
    for path in ("/said", "/endless"):
        assert reason(engine, site.address + path) == "is larger than 1 MB, which is the limit."


def test_what_cannot_be_fetched_is_told_with_the_reason(engine: DocMind, site: Site) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert reason(engine, f"{site.address}/none") == "cannot be fetched: the server answered 404 (Not Found)."
    assert reason(engine, f"http://127.0.0.1:{port}/").startswith("cannot be fetched: ")
    assert reason(engine, "http://user:secret@127.0.0.1/").startswith("holds a user name or password")
    assert reason(engine, f"http://a/{'x' * 3_000}").startswith("is an address of more than")
    assert "secret" not in page_name("http://user:secret@127.0.0.1/")


def test_this_machine_and_private_networks_are_refused_unless_allowed(settings: Settings, site: Site) -> None:
    with DocMind(settings) as engine:
        for host in ("127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1"):
            said = reason(engine, f"http://{host}:{site.server.server_port}/")
            assert said.startswith(("leads to ", "cannot be fetched: the host "))
    assert site.asked == []


def test_a_redirect_leads_to_no_private_address_either(
    settings: Settings, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The only network of these tests is loopback: its first address stands for one on the internet.
    monkeypatch.setattr("docmind.corpus.web.is_public", lambda number: number == "127.0.0.1")
    site.pages["/"] = lambda request: send(request, b"", 302, Location="http://127.0.0.2:9/admin")
    with DocMind(settings) as engine:
        assert reason(engine, f"{site.address}/").startswith("leads to '127.0.0.2', which is this machine")
    assert site.asked == ["/"]


@pytest.mark.parametrize(
    "number",
    ["127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
     "255.255.255.255", "::1", "::", "fe80::1%eth0", "fc00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
     "not a number"],
)  # fmt: skip
def test_addresses_that_are_not_on_the_internet_are_known(number: str) -> None:
    assert not is_public(number)


@pytest.mark.parametrize("number", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "64:ff9b::5db8:d70e"])
def test_addresses_on_the_internet_are_known(number: str) -> None:
    assert is_public(number)
