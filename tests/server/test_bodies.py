from collections.abc import Iterator

import httpx

from docmind.settings import ServerSettings

JSON = {"Content-Type": "application/json"}
MOST = ServerSettings().body_kb << 10


def test_a_body_of_the_largest_size_is_read(service: httpx.Client) -> None:
    assert service.post("/v1/search", content=b'{"query": "Halden"}'.ljust(MOST), headers=JSON).status_code == 200


def test_a_body_larger_than_that_is_refused_whether_or_not_it_says_so(service: httpx.Client) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(MOST // 1024 + 1):
            yield b" " * 1024

    for content in (b" " * (MOST + 1), pieces()):
        refused = service.post("/v1/search", content=content, headers=JSON)
        assert (refused.status_code, refused.json()["code"]) == (413, "body_too_large")
        assert refused.json()["detail"] == "The body may have 1,048,576 bytes at most."
