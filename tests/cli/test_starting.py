"""What a command loads: starting is quick where nothing is imported that is not used."""

import subprocess
import sys
from importlib.metadata import version

import pytest

from docmind.version import VERSION

LOADED = "; import sys; print(*sorted(sys.modules), file=sys.stderr)"


def loaded_by(program: str) -> tuple[str, set[str]]:
    """What a program prints, and the modules that it has at its end."""
    done = subprocess.run([sys.executable, "-c", program + LOADED], capture_output=True, text=True, check=True)
    return done.stdout, set(done.stderr.split())


def test_the_version_is_told_with_next_to_nothing_loaded() -> None:
    said, loaded = loaded_by("from docmind.cli.main import run; run(['--version'])")
    assert said == f"docmind {VERSION}\n"
    heavy = {"typer", "pydantic", "numpy", "langgraph", "langchain_core", "onnxruntime", "qdrant_edge", "qdrant_client"}
    assert not loaded & {*heavy, "sqlalchemy", "importlib.metadata", "asyncio"}


def test_the_version_is_that_of_the_package() -> None:
    assert version("docmind") == VERSION


@pytest.mark.parametrize("command", ["ask", "search", "documents", "serve"])
def test_the_help_of_a_command_loads_neither_models_nor_databases_nor_graphs(command: str) -> None:
    said, loaded = loaded_by(f"from docmind.cli.main import run; run(['{command}', '--help'])")
    assert said.startswith("Usage: ")
    assert not loaded & {"numpy", "langgraph", "langchain_core", "onnxruntime", "sqlalchemy", "fastapi", "tokenizers"}


def test_a_run_loads_the_graph_of_its_own_workflow_alone() -> None:
    _, loaded = loaded_by(
        "import docmind.runtime.runner; from docmind.runtime.workflows import DOCS; DOCS.start('What is it?')"
    )
    workflows = {
        name.split(".")[2] for name in loaded if name.startswith("docmind.workflows.") and name.count(".") == 3
    }
    assert "docs" in workflows
    assert not loaded & {f"docmind.workflows.{other}.graph" for other in ("chat", "finance", "strategy")}
    assert not any(name.startswith("docmind.skills.finance") for name in loaded)
