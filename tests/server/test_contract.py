"""Whatever a client sends, whether or not it fits the API's description, the service answers as described."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from docmind.domain.scope import Role
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from docmind.settings import IngestSettings, ModelSettings, Settings
from tests.stores import copied

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]
EXAMPLES = 3


@pytest.fixture(scope="module")
def described(stock: Path, tmp_path_factory: pytest.TempPathFactory, serving: Any) -> Iterator[Any]:
    """The description as a client gets it, of a service that nobody else asks."""
    home = copied(stock, tmp_path_factory.mktemp("contract") / "data")
    chosen = Settings(data_dir=home, models=ModelSettings(embedder="static"), ingest=IngestSettings(workers=1))
    with DocMind(chosen) as engine, serving(create_app(engine)) as client:
        # Some request will make a key, and from then on each needs one.
        _, token = engine.keys.create(Role.ADMIN, workspace=None)
        yield schemathesis.openapi.from_url(f"{client.base_url}/openapi.json"), {"Authorization": f"Bearer {token}"}


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_no_request_is_a_server_error(described: Any, mode: GenerationMode) -> None:
    schema, key = described
    for found in schema.get_all_operations():
        operation = found.ok()

        @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
        @given(case=operation.as_strategy(generation_mode=mode))
        def send(case: Any) -> None:
            case.call_and_validate(checks=CHECKS, headers=key)

        # Of a request without any parameter there is no wrong one.
        with suppress(Unsatisfiable):
            send()


def test_every_operation_is_told_in_a_sentence(described: Any) -> None:
    schema, _ = described
    told = [found.ok().definition.raw["summary"] for found in schema.get_all_operations()]
    assert [summary for summary in told if " " not in summary] == []
