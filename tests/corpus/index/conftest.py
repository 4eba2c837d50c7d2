"""A place for each test: a workspace nobody else uses, a folder for an embedded index, a server where there is one."""

import os
import uuid
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def qdrant_url() -> str:
    url = os.environ.get("DOCMIND_TEST_QDRANT_URL")
    if not url:
        pytest.skip("needs a Qdrant server: run `make test-services`, or set DOCMIND_TEST_QDRANT_URL")
    pytest.importorskip("qdrant_client", reason="needs pip install 'docmind[qdrant]'")
    return url


@pytest.fixture
def workspace() -> str:
    return f"w-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "index"
