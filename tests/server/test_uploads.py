"""Files over HTTP: brought in, kept as they came, replaced, taken away, and never laid down where they ask to be."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from docmind.corpus.index.embedded.index import EdgeIndex
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from docmind.settings import IngestSettings, ModelSettings, ServerSettings, Settings
from tests.server.conftest import events_of, write

PAPER = "# Receipts\n\nReceipts are kept for ten years.\n"
EVENTS = {"Accept": "text/event-stream"}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    root = tmp_path_factory.mktemp("uploads")
    chosen = Settings(
        data_dir=root / "data",
        models=ModelSettings(embedder="static"),
        ingest=IngestSettings(workers=1),
        server=ServerSettings(files=12, file_mb=1, upload_mb=2),
    )
    with DocMind(chosen) as opened:
        yield opened


@pytest.fixture(scope="module")
def client(engine: DocMind, serving: Any) -> Iterator[httpx.Client]:
    with serving(create_app(engine)) as opened:
        yield opened


def send(client: httpx.Client, workspace: str, *files: tuple[str, str | bytes], **how: Any) -> httpx.Response:
    parts = [("files", (name, content)) for name, content in files]
    return client.post("/v1/documents", files=parts, data={"workspace": workspace, **how.pop("data", {})}, **how)


def outcomes(answer: httpx.Response) -> dict[str, str]:
    assert answer.status_code == 200, answer.text
    return {row["name"]: row["outcome"] for row in answer.json()["files"]}


def kept(engine: DocMind) -> list[Path]:
    """The originals; a label beside one has no place without it."""
    files = [path for path in (engine.settings.home / "originals").rglob("*") if path.is_file()]
    return list(dict.fromkeys(path.with_name(path.name.removesuffix(".json")) for path in files))


def test_files_are_brought_in_each_with_what_became_of_it(client: httpx.Client, engine: DocMind) -> None:
    sent = send(client, "first", ("receipts.md", PAPER), ("program.exe", b"MZ\x90"), ("empty.txt", ""))
    assert outcomes(sent) == {"receipts.md": "added", "program.exe": "rejected", "empty.txt": "rejected"}
    rows = {row["name"]: row for row in sent.json()["files"]}
    assert "supported format" in rows["program.exe"]["reason"]
    assert rows["empty.txt"]["reason"] == "is empty."
    document = rows["receipts.md"]["document"]
    assert client.get(f"/v1/documents/{document}", params={"workspace": "first"}).json()["name"] == "receipts.md"
    found = client.post("/v1/ask", json={"question": "How long are receipts kept?", "workspace": "first"}).json()
    assert found["citations"][0]["document"] == document


def test_the_same_again_is_a_conflict_and_another_content_an_update(client: httpx.Client, engine: DocMind) -> None:
    first = send(client, "again", ("a.md", PAPER)).json()["files"][0]
    duplicate = send(client, "again", ("a.md", PAPER))
    assert (duplicate.status_code, duplicate.json()["code"]) == (409, "duplicate_document")
    assert duplicate.json()["detail"] == "Everything is there already, unchanged: a.md."
    before = len(kept(engine))
    assert outcomes(send(client, "again", ("a.md", PAPER + "\nOr eleven.\n"), ("b.md", "# B\n\nText.\n"))) == {
        "a.md": "updated",
        "b.md": "added",
    }
    assert len(kept(engine)) == before + 1
    assert client.get(f"/v1/documents/{first['document']}", params={"workspace": "again"}).status_code == 404


def test_progress_comes_as_events_and_the_report_last(client: httpx.Client) -> None:
    sent = send(client, "events", ("a.md", PAPER), ("b.bin", b"\0\1\2\3"), headers=EVENTS)
    *done, (last, report) = events_of(sent.text.splitlines())
    assert sorted((data["name"], data["stage"]) for _, data in done) == [("a.md", "added"), ("b.bin", "rejected")]
    assert [(name, data["done"], data["total"]) for name, data in done] == [("file", 1, 2), ("file", 2, 2)]
    assert last == "report"
    assert {row["outcome"] for row in report["files"]} == {"added", "rejected"}
    again = send(client, "events", ("a.md", PAPER), headers=EVENTS)
    assert list(events_of(again.text.splitlines()))[-1][1]["files"][0]["outcome"] == "unchanged"


HOSTILE = {
    "../../../etc/cron.d/evil.md": "etc/cron.d/evil.md",
    "/etc/passwd.md": "etc/passwd.md",
    "C:\\Windows\\system.md": "system.md",
    "..\\..\\up.md": "up.md",
    "a/./b/../c.md": "a/b/c.md",
    "<script>alert(1)</script>.md": "<script>alert(1)</script>.md",
    "\u202egpj.exe.md": "gpj.exe.md",
    "x" * 300 + ".md": "x" * 197 + ".md",
    "'; DROP TABLE documents; --.md": "'; DROP TABLE documents; --.md",
    "%2e%2e%2fup.md": "%2e%2e%2fup.md",
    "....": "....",
}


def test_a_name_never_becomes_a_path(client: httpx.Client, engine: DocMind) -> None:
    home = engine.settings.home

    def outside() -> set[Path]:
        return {path for path in home.parent.rglob("*") if home not in path.parents}

    before = outside()
    sent = send(client, "names", *((name, f"{PAPER}{shown}\n") for name, shown in HOSTILE.items()))
    assert outcomes(sent) == dict.fromkeys(HOSTILE.values(), "added")
    assert outside() == before
    for row in sent.json()["files"]:
        assert (home / "originals" / row["document"]).is_file()
        original = client.get(f"/v1/documents/{row['document']}/original", params={"workspace": "names"})
        assert original.text == f"{PAPER}{row['name']}\n"
        assert original.headers["content-disposition"].isascii()
        assert (
            client.get(f"/v1/documents/{row['document']}", params={"workspace": "names"}).json()["name"] == row["name"]
        )


def test_two_files_of_one_name_in_one_upload_are_not_both_taken(client: httpx.Client) -> None:
    sent = send(client, "twice", ("a.md", PAPER), ("x/../a.md", PAPER), ("./a.md", "# Other\n\nText.\n")).json()[
        "files"
    ]
    by_outcome = sorted((row["outcome"], row["name"]) for row in sent)
    assert by_outcome == [("added", "a.md"), ("added", "x/a.md"), ("rejected", "a.md")]


def test_the_members_of_an_archive_come_in_one_by_one_with_their_own_originals(client: httpx.Client) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("in/a.md", PAPER)
        archive.writestr("../up.md", PAPER)
    sent = send(client, "zip", ("papers.zip", packed.getvalue()))
    assert outcomes(sent) == {"papers.zip!in/a.md": "added", "papers.zip!../up.md": "rejected"}
    document = next(row["document"] for row in sent.json()["files"] if row["document"])
    original = client.get(f"/v1/documents/{document}/original", params={"workspace": "zip"})
    assert original.text == PAPER
    assert original.headers["content-disposition"].endswith("a.md")


@pytest.mark.parametrize(
    ("files", "status", "detail"),
    [
        ([("a.md", "a")] * 13, 422, "The upload has 13 files; the most is 12."),
        ([("big.md", b"a" * ((1 << 20) + 1))], 413, "'big.md' is larger than 1 MB."),
        ([("big.md", b"a" * (3 << 20))], 413, "The body may have 2,097,152 bytes at most."),
    ],
)
def test_more_than_the_service_takes_on_is_refused(
    client: httpx.Client, engine: DocMind, files: list[Any], status: int, detail: str
) -> None:
    before = kept(engine)
    refused = send(client, "limits", *files)
    assert (refused.status_code, refused.json()["detail"]) == (status, detail)
    assert kept(engine) == before


@pytest.mark.parametrize("sent", [{"json": {"files": []}}, {"data": {"workspace": "w"}}, {"content": b"--x"}, {}])
def test_what_is_no_upload_is_told_so(client: httpx.Client, sent: dict[str, Any]) -> None:
    refused = client.post("/v1/documents", **sent)
    assert refused.status_code in (400, 422)
    assert refused.headers["content-type"] == "application/problem+json"


def test_a_user_s_upload_is_seen_by_that_user_alone(client: httpx.Client) -> None:
    (row,) = send(client, "users", ("diary.md", PAPER), data={"user": "alice"}).json()["files"]
    address = f"/v1/documents/{row['document']}"
    for path in (address, f"{address}/text", f"{address}/original"):
        assert client.get(path, params={"workspace": "users", "user": "alice"}).status_code == 200
        for other in ({"workspace": "users"}, {"workspace": "users", "user": "bob"}, {"user": "alice"}):
            assert client.get(path, params=other).status_code == 404
    for other in ({"workspace": "users"}, {"workspace": "users", "user": "bob"}):
        assert client.delete(address, params=other).status_code == 404
    assert outcomes(send(client, "users", ("diary.md", PAPER), data={"user": "bob"})) == {"diary.md": "added"}


def test_an_original_goes_with_its_document_and_its_workspace(client: httpx.Client, engine: DocMind) -> None:
    before = set(kept(engine))
    first, second = (send(client, "going", (name, PAPER)).json()["files"][0]["document"] for name in ("a.md", "b.md"))
    assert {path.name for path in set(kept(engine)) - before} == {first, second}
    client.delete(f"/v1/documents/{first}", params={"workspace": "going"})
    assert {path.name for path in set(kept(engine)) - before} == {second}
    client.delete("/v1/workspaces/going")
    assert set(kept(engine)) == before


def test_the_original_of_a_file_on_disk_is_what_lies_there_while_it_is_the_same(
    client: httpx.Client, engine: DocMind, tmp_path: Path
) -> None:
    folder = write(tmp_path / "papers", {"a.md": PAPER})
    with zipfile.ZipFile(folder / "b.zip", "w") as archive:
        archive.writestr("in.md", PAPER)
    engine.ingest([folder], Scope("disk"))
    asked = {"workspace": "disk"}
    for name in ("a.md", "b.zip!in.md"):
        assert client.get(f"/v1/documents/{name}/original", params=asked).text == PAPER
    (folder / "a.md").write_text("Something else.")
    changed = client.get("/v1/documents/a.md/original", params=asked)
    assert (changed.status_code, changed.json()["code"]) == (404, "not_found")
    assert changed.json()["detail"].endswith("has changed since it was read; ingest it again.")
    for path in folder.iterdir():
        path.unlink()
    gone = client.get("/v1/documents/b.zip!in.md/original", params=asked)
    assert gone.json()["detail"].endswith("was moved or deleted since it was read.")


def test_a_page_that_was_uploaded_runs_nothing_and_a_pdf_is_shown(client: httpx.Client) -> None:
    paper = Path(__file__).parents[2] / "examples" / "strategy" / "board-paper-european-expansion.pdf"
    send(
        client,
        "shown",
        ("page.html", "<h1>Hello</h1><p>There.<script>alert(1)</script>"),
        (paper.name, paper.read_bytes()),
    )
    page = client.get("/v1/documents/page.html/original", params={"workspace": "shown"})
    assert page.headers["content-disposition"].startswith("attachment")
    assert page.headers["content-security-policy"].startswith("sandbox")
    shown = client.get(f"/v1/documents/{paper.name}/original", params={"workspace": "shown"})
    assert shown.content == paper.read_bytes()
    assert (shown.headers["content-type"], shown.headers["content-disposition"][:6]) == ("application/pdf", "inline")
    assert {answer.headers["x-content-type-options"] for answer in (page, shown)} == {"nosniff"}


def test_an_upload_that_cannot_be_stored_leaves_nothing_half(
    engine: DocMind, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kept(engine)

    def breaks(*_: object) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as broken:
        broken.setattr(EdgeIndex, "upsert", breaks)
        assert send(client, "half", ("a.md", PAPER)).status_code == 500
    assert client.get("/v1/documents", params={"workspace": "half"}).json() == {"documents": []}
    assert outcomes(send(client, "half", ("b.md", PAPER))) == {"b.md": "added"}
    assert len(kept(engine)) == len(before) + 1


def test_a_web_address_that_leads_to_this_machine_is_rejected_with_the_reason(client: httpx.Client) -> None:
    sent = client.post("/v1/documents/web", json={"url": f"{client.base_url}/livez", "workspace": "web"})
    assert list(outcomes(sent).values()) == ["rejected"]
    assert "this machine or in a private network" in sent.json()["files"][0]["reason"]
    assert client.get("/v1/documents", params={"workspace": "web"}).json()["documents"] == []


def test_a_web_address_becomes_a_document_that_cites_it(client: httpx.Client, settings: Settings, serving: Any) -> None:
    ingest = settings.ingest.model_copy(update={"private_addresses": True})
    # Another service stands for the web: it serves its own file as a page.
    send(client, "web", ("receipts.md", PAPER))
    page = f"{client.base_url}/v1/documents/receipts.md/original?workspace=web"
    with DocMind(settings.model_copy(update={"ingest": ingest})) as other, serving(create_app(other)) as opened:
        sent = opened.post("/v1/documents/web", json={"url": page, "workspace": "cited"})
        assert list(outcomes(sent).values()) == ["added"]
        asked = {"question": "How long are receipts kept?", "workspace": "cited"}
        (cited, *_) = opened.post("/v1/ask", json=asked).json()["citations"]
        assert cited["source"] == page
