"""The shipped files are those that were built, and nothing heavy is imported before it is needed."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docmind.domain.errors import EmbeddingError
from docmind.models.weights import MANIFEST, plain_name, verify_weights, versioned


def test_the_shipped_files_are_those_of_the_manifest() -> None:
    assert verify_weights() == []


def test_every_model_carries_its_licence_and_source() -> None:
    for name, model in json.loads(MANIFEST.read_text(encoding="utf-8")).items():
        assert model["licence"]
        assert len(model["source"]["sha256"]) == 64
        assert {f"{name}/LICENSE", f"{name}/NOTICE"} <= set(model["files"])


def test_changed_and_missing_files_are_named(tmp_path: Path) -> None:
    copy = shutil.copytree(MANIFEST.parent, tmp_path / "weights")
    (copy / "static" / "scales.npy").write_bytes(b"other")
    (copy / "minilm" / "model.onnx").unlink()
    problems = verify_weights(copy)
    assert len(problems) == 2
    assert "minilm/model.onnx is missing" in problems[0]
    assert "static/scales.npy is not the one" in problems[1]


def test_a_missing_manifest_is_a_problem_and_not_a_crash(tmp_path: Path) -> None:
    assert len(verify_weights(tmp_path)) == 1


def test_a_model_is_known_by_what_it_computes_with_and_not_by_its_licence(tmp_path: Path) -> None:
    shipped = json.loads(MANIFEST.read_text(encoding="utf-8"))
    known = {}
    for changed in ("minilm/model.onnx", "minilm/tokenizer.json", "minilm/LICENSE"):
        files = {**shipped["minilm"]["files"], changed: "0" * 64}
        folder = tmp_path / changed
        folder.mkdir(parents=True)
        (folder / MANIFEST.name).write_text(json.dumps({"minilm": {"files": files}}))
        known[changed] = versioned("minilm", folder)
    assert known.pop("minilm/LICENSE") == versioned("minilm")
    assert len({*known.values(), versioned("minilm")}) == 3
    assert {plain_name(name) for name in known.values()} == {"minilm"}
    assert plain_name("google_vertexai:gecko@003") == "google_vertexai:gecko@003"


def test_an_embedder_without_its_manifest_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="install docmind again"):
        versioned("minilm", tmp_path)


def test_opening_an_embedder_loads_no_runtime() -> None:
    program = (
        "import sys; from docmind.models.embedding import open_embedder\n"
        "open_embedder('minilm'); open_embedder('static'); open_embedder('openai:any')\n"
        "sys.exit(any(name in sys.modules for name in ('onnxruntime', 'tokenizers', 'langchain')))\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
