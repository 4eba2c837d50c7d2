"""Uploads in the background: taken in at once, read in turn, listed with what became of each, and cancelled."""

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from docmind.corpus.uploads import QueuedFile, Uploads
from docmind.domain.scope import Role, Scope
from docmind.runtime.engine import DocMind
from docmind.runtime.upload_queue import SMALL_BYTES
from docmind.server.app import create_app
from docmind.settings import IngestSettings, ModelSettings, ServerSettings, Settings
from tests.server.conftest import events_of, eventually

PAPER = "# Receipts\n\nReceipts are kept for ten years.\n"
LARGE = f"<h1>Log</h1><p>The pump ran at noon.</p><!-- {'-' * SMALL_BYTES} -->"
ENDED = {"done", "rejected", "cancelled"}
SITE = ("small.md", "large.html")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    chosen = Settings(
        data_dir=tmp_path_factory.mktemp("queue") / "data",
        models=ModelSettings(embedder="static"),
        ingest=IngestSettings(workers=1),
        server=ServerSettings(files=12, workspace_files=5, workspace_mb=6),
    )
    with DocMind(chosen) as opened:
        yield opened


@pytest.fixture(scope="module")
def client(engine: DocMind, serving: Any) -> Iterator[httpx.Client]:
    with serving(create_app(engine)) as opened:
        yield opened


def send(client: httpx.Client, workspace: str, *files: tuple[str, str | bytes], **how: Any) -> httpx.Response:
    parts = [("files", (name, content)) for name, content in files]
    return client.post("/v1/uploads", files=parts, data={"workspace": workspace, **how.pop("data", {})}, **how)


def listed(client: httpx.Client, workspace: str, **how: Any) -> list[dict[str, Any]]:
    """Every file of the workspace's uploads."""
    uploads = client.get("/v1/uploads", params={"workspace": workspace}, **how).json()["uploads"]
    return [file for upload in uploads for file in upload["files"]]


def ended(client: httpx.Client, workspace: str) -> dict[str, dict[str, Any]]:
    """The files of a workspace by name, once all of them have ended."""
    files = eventually(
        lambda: (found := listed(client, workspace)) and all(one["state"] in ENDED for one in found) and found
    )
    return {one["name"]: one for one in files}


@contextmanager
def busy(engine: DocMind) -> Iterator[None]:
    """Nothing can be stored as long as the block runs, so that whatever is read waits there."""
    eventually(lambda: not engine.uploads.unfinished() and not engine.upload_queue.is_busy)
    with engine._ingestor._storing:
        yield


def test_files_are_taken_in_at_once_and_each_is_listed_with_what_became_of_it(
    client: httpx.Client, engine: DocMind
) -> None:
    sent = send(client, "first", ("receipts.md", PAPER), ("program.exe", b"MZ\x90"), ("a/../receipts.md", PAPER))
    assert sent.status_code == 202
    upload = sent.json()
    assert sent.headers["location"] == f"/v1/uploads/{upload['id']}"
    assert [one["name"] for one in upload["files"]] == ["receipts.md", "program.exe", "a/receipts.md"]
    files = ended(client, "first")
    assert {name: one["state"] for name, one in files.items()} == {
        "receipts.md": "done",
        "program.exe": "rejected",
        "a/receipts.md": "done",
    }
    (outcome,) = files["receipts.md"]["outcomes"]
    assert outcome["outcome"] == "added"
    original = client.get(f"/v1/documents/{outcome['document']}/original", params={"workspace": "first"})
    assert original.text == PAPER
    assert "supported format" in files["program.exe"]["outcomes"][0]["reason"]
    assert list((engine.settings.home / "originals" / "queued").iterdir()) == []
    assert client.get(f"/v1/uploads/{upload['id']}", params={"workspace": "first"}).json()["files"] == list(
        files.values()
    )


def test_two_files_of_one_name_in_one_upload_are_not_both_taken(client: httpx.Client) -> None:
    sent = send(client, "twice", ("a.md", PAPER), ("./a.md", "# Other\n\nText.\n")).json()["files"]
    assert [one["state"] for one in sent][1] == "rejected"
    assert sent[1]["outcomes"][0]["reason"] == "has the name of another file of the same upload."


def test_the_members_of_an_archive_are_told_one_by_one(client: httpx.Client) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.md", PAPER)
        archive.writestr("b.bin", b"\0\1\2\3")
    send(client, "zip", ("papers.zip", packed.getvalue()))
    (file,) = ended(client, "zip").values()
    assert file["state"] == "done"
    assert {one["name"]: one["outcome"] for one in file["outcomes"]} == {
        "papers.zip!a.md": "added",
        "papers.zip!b.bin": "rejected",
    }


def test_a_large_file_does_not_hold_up_a_small_one(client: httpx.Client, engine: DocMind) -> None:
    with busy(engine):
        for name in ("one", "two"):
            send(client, "large", (f"{name}.html", LARGE))
        eventually(lambda: [one["state"] for one in listed(client, "large")] == ["reading", "queued"])
        send(client, "large", ("small.md", PAPER))
        eventually(lambda: [one["state"] for one in listed(client, "large")] == ["reading", "queued", "reading"])
    assert {one["state"] for one in ended(client, "large").values()} == {"done"}


def test_one_workspace_does_not_hold_up_another(client: httpx.Client, engine: DocMind) -> None:
    order: list[str] = []
    begin = Uploads.begin

    def noted(uploads: Uploads, file: QueuedFile) -> bool:
        order.append(file.scope.workspace)
        return begin(uploads, file)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Uploads, "begin", noted)
        with busy(engine):
            send(client, "many", *((f"{number}.md", f"{PAPER}{number}") for number in range(5)))
            eventually(lambda: len(order) == 2)
            send(client, "few", ("a.md", PAPER))
        ended(client, "many")
        ended(client, "few")
    assert order.index("few") <= 3


def test_what_has_not_begun_is_cancelled_and_what_has_ended_is_taken_off_the_list(
    client: httpx.Client, engine: DocMind
) -> None:
    with busy(engine):
        upload = send(client, "stop", *((f"{number}.md", f"{PAPER}{number}") for number in range(5))).json()
        eventually(lambda: [one["state"] for one in listed(client, "stop")].count("reading") == 2)
        last = listed(client, "stop")[-1]
        assert last["ahead"] == 4
        one = client.delete(f"/v1/uploads/{last['id']}", params={"workspace": "stop"}).json()
        assert [file["state"] for file in one["files"]] == ["cancelled"]
        rest = client.delete(f"/v1/uploads/{upload['id']}", params={"workspace": "stop"}).json()
        assert [file["state"] for file in rest["files"]] == ["reading", "reading", *["cancelled"] * 3]
        assert len(list((engine.settings.home / "originals" / "queued").iterdir())) == 2
    assert sorted(one["state"] for one in ended(client, "stop").values()) == [*["cancelled"] * 3, "done", "done"]
    assert len(engine.documents(Scope("stop"))) == 2
    client.delete(f"/v1/uploads/{upload['id']}", params={"workspace": "stop"})
    assert listed(client, "stop") == []
    gone = client.delete(f"/v1/uploads/{upload['id']}", params={"workspace": "stop"})
    assert (gone.status_code, gone.json()["code"]) == (404, "not_found")


def test_the_list_is_told_again_at_every_change_until_all_have_ended(client: httpx.Client, engine: DocMind) -> None:
    with busy(engine):
        send(client, "told", ("a.md", PAPER))
        stream = client.stream(
            "GET", "/v1/uploads", params={"workspace": "told"}, headers={"Accept": "text/event-stream"}
        )
        with stream as answer:
            events = events_of(answer.iter_lines())
            assert next(events)[1]["uploads"][0]["files"][0]["state"] in ("queued", "reading")
            storing: Any = engine._ingestor._storing
            storing.release()
            last = [data for _, data in events][-1]
            storing.acquire()
    assert last["uploads"][0]["files"][0]["state"] == "done"


def test_more_than_a_workspace_may_hold_is_refused_whole_in_a_sentence(client: httpx.Client, engine: DocMind) -> None:
    send(client, "full", *((f"{number}.md", f"{PAPER}{number}") for number in range(4)))
    ended(client, "full")
    for address in ("/v1/uploads", "/v1/documents"):
        parts = [("files", (name, PAPER)) for name in ("x.md", "y.md")]
        refused = client.post(address, files=parts, data={"workspace": "full"})
        assert (refused.status_code, refused.json()["code"]) == (413, "quota_exceeded")
        assert refused.json()["detail"].startswith(
            "Workspace 'full' may hold 5 documents. It has 4, and this upload has 2 more."
        )
    # What takes the place of something that is there needs no more room.
    assert send(client, "full", ("0.md", PAPER + "Or eleven."), ("x.md", PAPER)).status_code == 202
    heavy = send(client, "heavy", ("a.txt", "a" * (4 << 20)), ("b.txt", "b" * (3 << 20)))
    assert "may keep 6 MB of files. It keeps 0.0 MB, and this upload has 7.0 MB more." in heavy.json()["detail"]
    assert listed(client, "heavy") == []


def test_an_upload_goes_with_its_workspace_also_while_it_is_read(client: httpx.Client, engine: DocMind) -> None:
    with busy(engine):
        send(client, "going", ("a.md", PAPER))
        eventually(lambda: listed(client, "going")[0]["state"] == "reading")
        engine.uploads.drop("going")
        engine._ingestor._dropped["going"] += 1
    eventually(lambda: not engine.upload_queue.is_busy)
    assert engine.documents(Scope("going")) == []
    assert listed(client, "going") == []


def test_uploads_of_a_user_are_that_users_alone(client: httpx.Client, engine: DocMind) -> None:
    keys = {user: engine.keys.create(Role.EDITOR, workspace="users", user=user)[1] for user in ("alice", "bob")}
    alice, bob = ({"Authorization": f"Bearer {token}"} for token in keys.values())
    try:
        sent = send(client, "users", ("diary.md", PAPER), headers=alice).json()
        assert [one["name"] for one in listed(client, "users", headers=alice)] == ["diary.md"]
        assert listed(client, "users", headers=bob) == []
        for call in (client.get, client.delete):
            refused = call(f"/v1/uploads/{sent['id']}", params={"workspace": "users"}, headers=bob)
            assert refused.status_code == 404
        eventually(lambda: listed(client, "users", headers=alice)[0]["state"] == "done")
        assert client.get("/v1/documents", headers=bob).json() == {"documents": []}
    finally:
        engine.keys.forget()


def test_a_file_that_ends_the_service_again_and_again_is_given_up(settings: Settings, tmp_path: Path) -> None:
    from docmind.runtime.documents import Upload

    with DocMind(settings) as engine:
        with engine.originals.incoming() as place:
            place.write_text(PAPER)
            engine.queue([Upload("a.md", place)], Scope("w"))
        for _ in range(3):
            (found,) = engine.uploads.unfinished()
            assert engine.uploads.begin(found)
        engine.upload_queue.start()
        eventually(lambda: not engine.uploads.unfinished())
        engine.upload_queue.stop()
        (told,) = engine.queued(Scope("w"))[0].outcomes
        assert "the service stopped 3 times while it read it" in told.reason
        assert engine.documents(Scope("w")) == []


def test_a_web_page_is_fetched_in_the_background_and_counts_towards_what_a_workspace_may_hold(
    tmp_path: Path, serving: Any, client: httpx.Client, engine: DocMind
) -> None:
    # The other service stands for the web: it serves its own files as pages.
    send(client, "site", ("small.md", PAPER), ("large.html", LARGE))
    ended(client, "site")
    small, large = (f"{client.base_url}/v1/documents/{name}/original?workspace=site" for name in SITE)
    chosen = engine.settings.model_copy(
        update={
            "data_dir": tmp_path / "data",
            "ingest": IngestSettings(workers=1, private_addresses=True),
            "server": ServerSettings(workspace_files=1, workspace_mb=1),
        }
    )
    with DocMind(chosen) as other, serving(create_app(other)) as opened:

        def add(address: str) -> Any:
            return opened.post("/v1/uploads/web", json={"url": address, "workspace": "cited"})

        assert add(large).status_code == 202
        (outcome,) = ended(opened, "cited")[large]["outcomes"]
        assert outcome["reason"].startswith("was not added. Workspace 'cited' may keep 1 MB of files.")
        assert add(small).status_code == 202
        assert ended(opened, "cited")[small]["outcomes"][0]["outcome"] == "added"
        assert add(small).status_code == 202
        assert add(large).json()["code"] == "quota_exceeded"
        wrong = add("ftp://example.org/").json()["files"][0]
        assert wrong["state"] == "rejected"
        assert "begins with http:// or https://" in wrong["outcomes"][0]["reason"]
        now = opened.post("/v1/documents/web", json={"url": large, "workspace": "cited"}).json()["files"][0]
        assert now["reason"].startswith("was not added. Workspace 'cited' may hold 1 documents.")


def test_a_file_that_was_cancelled_on_another_machine_is_removed_here(
    tmp_path: Path, serving: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docmind.runtime.upload_queue.RENEWED_EVERY_S", 0.05)
    chosen = Settings(
        data_dir=tmp_path / "data", models=ModelSettings(embedder="static"), ingest=IngestSettings(workers=1)
    )
    with DocMind(chosen) as engine, serving(create_app(engine)) as client, busy(engine):
        send(client, "stop", *((f"{number}.md", f"{PAPER}{number}") for number in range(3)))
        eventually(lambda: [one["state"] for one in listed(client, "stop")].count("reading") == 2)
        # The other machine reaches the record, and not the files.
        engine.uploads.cancel([one["id"] for one in listed(client, "stop")])
        eventually(lambda: len(list((engine.settings.home / "originals" / "queued").iterdir())) == 2)
