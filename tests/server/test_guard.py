from typing import Any

import httpx
import pytest

from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from docmind.server.hosts import is_this_machine
from docmind.settings import ServerSettings, Settings


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


@pytest.mark.parametrize(
    "origin", ["https://papers.example", "http://127.0.0.1:1", "http://localhost.papers.example", "null", "x["]
)
def test_a_request_that_another_sites_page_sends_is_refused(service: httpx.Client, origin: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        refused = service.request(method, "/v1/documents", headers={"Origin": origin})
        assert (refused.status_code, refused.json()["code"]) == (403, "foreign_origin")


def test_the_services_own_page_may_ask(service: httpx.Client) -> None:
    own = f"http://127.0.0.1:{service.base_url.port}"
    assert service.get("/v1/documents", headers={"Origin": own}).status_code == 200


@pytest.mark.parametrize("host", ["papers.example", "10.0.0.1:8000"])
def test_whoever_watches_over_machines_may_ask_by_any_name(service: httpx.Client, host: str) -> None:
    for path in ("/healthz", "/readyz"):
        assert service.get(path, headers={"Host": host}).status_code == 200


def test_hosts_that_the_settings_name_are_the_services_own(settings: Settings, serving: Any) -> None:
    named = settings.model_copy(update={"server": ServerSettings(hosts="docs.example.org, 10.0.0.5")})
    with DocMind(named) as engine, serving(create_app(engine)) as client:
        for host in ("docs.example.org", "DOCS.example.org:443", "10.0.0.5:8000", "127.0.0.1"):
            assert client.get("/v1/documents", headers={"Host": host}).status_code == 200
        behind_a_proxy = {"Host": "127.0.0.1:8000", "Origin": "https://docs.example.org"}
        assert client.get("/v1/documents", headers=behind_a_proxy).status_code == 200
        for host in ("example.org", "docs.example.org.papers.example", "10.0.0.50"):
            assert client.get("/v1/documents", headers={"Host": host}).json()["code"] == "foreign_host"
