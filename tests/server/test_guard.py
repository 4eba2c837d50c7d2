from collections.abc import Iterator

import httpx
import pytest

from docmind.server.guard import MAX_BODY_BYTES, is_this_machine


def test_a_body_of_the_largest_size_is_read(service: httpx.Client) -> None:
    body = b'{"query": "Halden"}'.ljust(MAX_BODY_BYTES)
    assert service.post("/v1/search", content=body, headers={"Content-Type": "application/json"}).status_code == 200


def test_a_body_larger_than_that_is_refused_whether_or_not_it_says_so(service: httpx.Client) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(MAX_BODY_BYTES // 1024 + 1):
            yield b" " * 1024

    for content in (b" " * (MAX_BODY_BYTES + 1), pieces()):
        refused = service.post("/v1/search", content=content, headers={"Content-Type": "application/json"})
        assert (refused.status_code, refused.json()["code"]) == (413, "body_too_large")
        assert refused.json()["detail"] == "The body may have 65,536 bytes at most."


@pytest.mark.parametrize("host", ["papers.example", "papers.example:8000", "127.0.0.1.papers.example", "10.0.0.1"])
def test_a_request_under_another_host_name_is_refused(service: httpx.Client, host: str) -> None:
    refused = service.get("/v1/documents", headers={"Host": host})
    assert (refused.status_code, refused.json()["code"]) == (421, "foreign_host")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1", "127.0.0.2:80", "[::1]", "[::1]:8000"])
def test_a_request_under_a_name_of_this_machine_is_answered(service: httpx.Client, host: str) -> None:
    assert service.get("/v1/documents", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "papers.example", "", "127.0.0.1:80", "127.1"])
def test_only_loopback_is_this_machine(host: str) -> None:
    assert not is_this_machine(host)
