from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import httpx
import pytest

from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from docmind.server.deps import READS_AT_ONCE, Backend
from docmind.settings import IndexSettings, Settings
from tests.stores import without_sockets


def test_a_service_with_its_store_open_is_alive_and_ready(service: httpx.Client) -> None:
    assert service.get("/healthz").json() == {"status": "alive"}
    assert service.get("/readyz").json() == {"status": "ready"}


def _locked(settings: Settings) -> Settings:
    return settings


def _without_server(settings: Settings) -> Settings:
    return settings.model_copy(update={"index": IndexSettings(url="http://127.0.0.1:9")})


def _without_folder(settings: Settings) -> Settings:
    below = settings.home / "catalogue.db" / "below"
    return settings.model_copy(update={"data_dir": below})


@pytest.mark.parametrize(
    ("change", "reason", "status", "code"),
    [
        (_locked, "is in use by", 409, "store_locked"),
        (_without_server, "127.0.0.1:9", 503, "store_unavailable"),
        (_without_folder, "the service's log says why", 500, "internal_error"),
    ],
)
def test_a_service_whose_store_is_out_of_reach_is_alive_and_says_why_it_is_not_ready(
    settings: Settings,
    serving: Any,
    change: Callable[[Settings], Settings],
    reason: str,
    status: int,
    code: str,
) -> None:
    without_sockets(settings)
    with DocMind(settings) as holder:
        assert holder.index.count("default") == 0
        assert not holder.documents(Scope("default"))
        with DocMind(change(settings)) as engine, serving(create_app(engine)) as client:
            ready = client.get("/readyz")
            search = client.post("/v1/search", json={"query": "anything"})
            assert client.get("/healthz").status_code == 200
    assert (ready.status_code, ready.json()["code"]) == (503, "not_ready")
    assert ready.headers["content-type"] == "application/problem+json"
    assert reason in ready.json()["detail"]
    assert (search.status_code, search.json()["code"]) == (status, code)


def test_why_it_is_not_ready_is_told_to_this_machine_alone(settings: Settings, serving: Any) -> None:
    with DocMind(_without_server(settings)) as engine, serving(create_app(engine)) as client:
        assert "127.0.0.1:9" in client.get("/readyz").json()["detail"]
        afar = client.get("/readyz", headers={"X-Forwarded-For": "203.0.113.9"})
    assert (afar.status_code, afar.json()["code"]) == (503, "not_ready")
    assert afar.json()["detail"] == "The stores do not answer; the service's log says why."


def test_a_service_is_ready_as_soon_as_its_store_is_free(settings: Settings, serving: Any) -> None:
    without_sockets(settings)
    with DocMind(settings) as engine, serving(create_app(engine)) as client:
        with DocMind(settings) as holder:
            holder.index.count("default")
            assert client.get("/readyz").status_code == 503
        assert client.get("/readyz").status_code == 200


def test_reads_that_hang_hold_up_neither_health_nor_searches(settings: Settings, serving: Any) -> None:
    with DocMind(settings) as engine:
        app = create_app(engine)
        released = Event()

        @app.get("/hang")
        async def hang() -> bool:
            backend: Backend = app.state.backend
            return await backend.read(lambda _: released.wait())

        with serving(app) as client, ThreadPoolExecutor() as askers:
            hanging = [askers.submit(client.get, "/hang") for _ in range(READS_AT_ONCE + 1)]
            try:
                assert client.get("/healthz").status_code == 200
                assert client.post("/v1/search", json={"query": "anything"}).json() == {"hits": []}
                assert not any(asked.done() for asked in hanging)
            finally:
                released.set()
            assert [asked.result().json() for asked in hanging] == [True] * len(hanging)
