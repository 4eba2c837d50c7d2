"""A place for each test: a workspace nobody else uses, and a folder for an embedded index."""

import uuid
from pathlib import Path

import pytest


@pytest.fixture
def workspace() -> str:
    return f"w-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "index"
