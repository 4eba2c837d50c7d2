from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from docmind.server.app import create_app

TABLE = Path(__file__).parents[2] / "examples" / "facilities" / "facilities.csv"
HEADER = "name,kind,latitude,longitude\n"


@pytest.fixture
def client(opened: Any, serving: Any) -> Iterator[httpx.Client]:
    with serving(create_app(opened())) as served:
        yield served


def bring(client: httpx.Client, name: str, table: str | bytes) -> httpx.Response:
    return client.post("/v1/facilities", files={"file": (name, table)})


def test_a_table_comes_in_and_the_nearest_that_fit_come_out(client: httpx.Client) -> None:
    imported = bring(client, "../../facilities.csv", TABLE.read_bytes()).json()
    assert imported["errors"] == []
    assert imported["imported"] == TABLE.read_text(encoding="utf-8").count("\n") - 1
    near = {"near": "Springfield, Illinois", "radius_km": 500, "limit": 2}
    by_fields = client.post("/v1/facilities/search", json=near).json()
    assert [feature["geometry"]["type"] for feature in by_fields["geojson"]["features"]] == ["Point", "Point"]
    asked_back = client.post("/v1/facilities/search", json={"query": "clinics near Springfield"}).json()
    assert asked_back["clarification"]["options"]
    assert client.post("/v1/facilities/search", json={**near, "workspace": "other"}).json()["geojson"]["features"] == []


def test_a_table_with_errors_is_told_row_by_row_and_changes_nothing(client: httpx.Client) -> None:
    assert bring(client, "t.csv", f"{HEADER}Mill,shop,52.1,4.3\n").json() == {"imported": 1, "errors": []}
    wrong = bring(client, "t.csv", f"{HEADER}Mill,shop,52.1,4.3\nX,shop,999,1\n").json()
    assert wrong["imported"] == 0
    assert [error["row"] for error in wrong["errors"]] == ["Row 3"]
    shapeless = bring(client, "t.csv", "name,kind\nX,shop\n").json()["errors"]
    assert (shapeless[0]["row"], len(shapeless)) == (None, 1)
    refused = bring(client, "t.exe", "x")
    assert (refused.status_code, refused.json()["code"]) == (422, "file_rejected")
    assert refused.json()["detail"].startswith("t.exe is not a table of facilities")
    here = client.post("/v1/facilities/search", json={"near": "52.1,4.3"}).json()
    assert [feature["properties"]["name"] for feature in here["geojson"]["features"]] == ["Mill"]


def test_a_time_nobody_can_be_open_at_is_refused(client: httpx.Client) -> None:
    refused = client.post("/v1/facilities/search", json={"open": "someday 25:00"})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_query")
