"""What the service is deployed with, as far as it can be checked without starting it: the parts fit each other."""

import re
import shlex
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa
import typer
import yaml  # type: ignore[import-untyped]

from docmind.cli.commands import app
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from docmind.server.running import LAST_MOMENT_S
from docmind.server.watchers import COLLECTOR
from docmind.settings import Settings, refuse_unknown

ROOT = Path(__file__).parent.parent
DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
PASSWORD = "${POSTGRES_PASSWORD:?names the password of the database}"


@pytest.fixture(scope="module")
def services() -> dict[str, dict[str, Any]]:
    composed: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "compose.yaml").read_text())
    return composed["services"]


def instructions(name: str) -> list[str]:
    return [line.removeprefix(name).strip() for line in DOCKERFILE if line.startswith(f"{name} ")]


def serve_options(arguments: list[str]) -> dict[str, Any]:
    """What the program makes of the arguments."""
    program: Any = typer.main.get_command(app)
    name, *options = arguments
    assert name == "serve"
    chosen: dict[str, Any] = program.commands[name].make_context(name, options).params
    return chosen


def test_the_variables_of_the_service_are_settings(services: dict[str, dict[str, Any]]) -> None:
    named = services["docmind"]["environment"]
    refuse_unknown(name for name in named if name not in COLLECTOR)
    assert {"DOCMIND_INDEX__URL", "DOCMIND_DATABASE__URL", "DOCMIND_SERVER__HOSTS"} <= set(named)


def test_the_index_is_where_its_address_says(services: dict[str, dict[str, Any]]) -> None:
    address = urlsplit(services["docmind"]["environment"]["DOCMIND_INDEX__URL"])
    assert (address.scheme, address.hostname, address.port) == ("http", "qdrant", 6333)
    assert services["qdrant"]["healthcheck"]["test"][-1].endswith("/6333")
    assert "ports" not in services["qdrant"]


def test_the_index_is_of_the_version_that_the_tests_run_against(services: dict[str, dict[str, Any]]) -> None:
    tested = re.search(r'PACKAGE = ".*@([0-9.]+)"', (ROOT / "scripts" / "fetch_qdrant.py").read_text())
    assert tested
    assert services["qdrant"]["image"] == f"qdrant/qdrant:v{tested[1]}"


def test_the_database_is_where_its_address_says(services: dict[str, dict[str, Any]]) -> None:
    database = services["postgres"]["environment"]
    address = services["docmind"]["environment"]["DOCMIND_DATABASE__URL"]
    assert address.count(PASSWORD) == 1
    assert database["POSTGRES_PASSWORD"] == PASSWORD
    parts = sa.make_url(address.replace(PASSWORD, "secret"))
    assert parts.get_backend_name() == "postgresql"
    assert (parts.host, parts.port) == ("postgres", 5432)
    assert (parts.username, parts.database) == (database["POSTGRES_USER"], database["POSTGRES_DB"])
    assert services["postgres"]["healthcheck"]["test"][3::2] == [parts.username, parts.database]
    assert "ports" not in services["postgres"]


def test_the_service_listens_on_the_port_that_is_opened_and_watched(
    services: dict[str, dict[str, Any]], engine: DocMind
) -> None:
    service = services["docmind"]
    chosen = serve_options(service["command"])
    alone = serve_options(yaml.safe_load(instructions("CMD")[0]))
    assert (chosen["host"], chosen["workers"]) == ("0.0.0.0", 2)
    assert {chosen["port"], alone["port"], int(instructions("EXPOSE")[0])} == {8000}
    assert service["ports"] == ["8000:8000"]
    watched = re.search(r"http://127\.0\.0\.1:(\d+)(/\w+)'", service["healthcheck"]["test"][-1])
    assert watched
    assert int(watched[1]) == 8000
    assert watched[2] in create_app(engine).openapi()["paths"]


def test_the_service_is_given_the_time_that_it_takes_to_stop(services: dict[str, dict[str, Any]]) -> None:
    assert int(services["docmind"]["stop_grace_period"].removesuffix("s")) > LAST_MOMENT_S


def test_nothing_starts_before_what_it_needs_is_healthy(services: dict[str, dict[str, Any]]) -> None:
    needed = services["docmind"]["depends_on"]
    assert needed == {name: {"condition": "service_healthy"} for name in ("qdrant", "postgres")}
    assert all("healthcheck" in service for service in services.values())


def test_every_volume_is_declared_and_the_data_lies_on_one(services: dict[str, dict[str, Any]]) -> None:
    composed = yaml.safe_load((ROOT / "compose.yaml").read_text())
    mounted = dict(volume.split(":") for service in services.values() for volume in service["volumes"])
    assert set(mounted) == set(composed["volumes"])
    assert mounted["documents"] == services["docmind"]["environment"]["DOCMIND_DATA_DIR"] == instructions("VOLUME")[0]


def test_the_image_is_built_from_what_is_there_and_runs_as_nobody_in_particular() -> None:
    copied = [word for line in instructions("COPY") if "--from" not in line for word in shlex.split(line)[:-1]]
    for name in copied:
        assert (ROOT / name).exists(), name
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert {f"!{name.split('/')[0]}" for name in copied} == {line for line in ignored if line.startswith("!")}
    assert instructions("USER") == ["docmind"]


def test_the_image_has_what_its_settings_need() -> None:
    locked = (ROOT / "requirements" / "service.lock").read_text()
    for package in ("fastapi", "mcp", "qdrant-client", "psycopg", "opentelemetry-sdk", "langchain-openai"):
        assert re.search(rf"^{package}==", locked, re.MULTILINE), package


def test_the_locks_agree_with_each_other() -> None:
    pins = {}
    for name in ("dev", "base", "service"):
        text = (ROOT / "requirements" / f"{name}.lock").read_text()
        pins[name] = dict(re.findall(r"^([a-z0-9._-]+)==(\S+)", text, re.MULTILINE))
    for name in ("base", "service"):
        assert pins[name].items() <= pins["dev"].items()


def test_an_empty_variable_of_the_composition_is_no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DOCMIND_SERVER__HOSTS", "DOCMIND_MODELS__CHAT", "DOCMIND_MODELS__CHAT_API_KEY"):
        monkeypatch.setenv(name, "")
    assert Settings.load() == Settings()
