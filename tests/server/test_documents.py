from typing import Any

import httpx
import pytest

from docmind.domain.rows import DocumentRow
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind


def listed(service: httpx.Client, **scope: str) -> dict[str, dict[str, Any]]:
    rows = service.get("/v1/documents", params=scope).json()["documents"]
    return {row["name"].split("/")[-1]: row for row in rows}


def test_the_list_has_the_documents_in_the_form_of_the_command_line(service: httpx.Client, library: DocMind) -> None:
    rows = service.get("/v1/documents").json()["documents"]
    assert rows == [DocumentRow.of(document).model_dump() for document in library.documents(Scope("default"))]
    assert [row["name"].split("/")[-1] for row in rows] == ["minutes.md", "prices.csv"]


def test_a_user_sees_their_own_documents_besides_the_shared_ones(service: httpx.Client) -> None:
    assert listed(service, user="alice").keys() - listed(service).keys() == {"diary.md"}
    assert listed(service, user="bob") == listed(service)
    assert listed(service, workspace="other").keys() == {"plan.md"}
    assert listed(service, workspace="empty") == {}


def test_a_document_is_found_by_its_id_the_start_of_it_or_its_name(service: httpx.Client) -> None:
    row = listed(service)["minutes.md"]
    for reference in (row["id"], row["id"][:13], "minutes.md"):
        assert service.get(f"/v1/documents/{reference}").json() == row


@pytest.mark.parametrize("scope", [{}, {"user": "bob"}, {"workspace": "other", "user": "alice"}])
@pytest.mark.parametrize("path", ["/v1/documents/{}", "/v1/documents/{}/text"])
def test_a_document_of_another_scope_is_not_there(service: httpx.Client, path: str, scope: dict[str, str]) -> None:
    address = path.format(listed(service, user="alice")["diary.md"]["id"])
    assert service.get(address, params={"user": "alice"}).status_code == 200
    refused = service.get(address, params=scope)
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")


def test_the_text_is_exact_to_the_character(service: httpx.Client, library: DocMind) -> None:
    document = library.document("minutes.md", Scope("default"))
    text = library.text(document)
    assert any(ord(character) > 0xFFFF for character in text)
    address = f"/v1/documents/{document.id}/text"
    whole = service.get(address)
    assert (whole.text, whole.headers["content-type"]) == (text, "text/plain; charset=utf-8")
    for start in range(0, len(text), 7):
        for end in (start, start + 1, len(text)):
            assert service.get(address, params={"start": start, "end": end}).content == text[start:end].encode()
    assert service.get(address, params={"start": 5}).text == text[5:]
    assert service.get(address, params={"end": 5}).text == text[:5]


@pytest.mark.parametrize("span", [{"start": 5, "end": 2}, {"end": 10**30}, {"start": -1}, {"end": -1}, {"start": "x"}])
def test_characters_that_are_not_in_the_document_are_refused(service: httpx.Client, span: dict[str, Any]) -> None:
    refused = service.get("/v1/documents/minutes.md/text", params=span)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_request")
