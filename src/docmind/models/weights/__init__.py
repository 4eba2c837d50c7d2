"""The model files that ship with the package: where they are, and whether they are what was built."""

import hashlib
import json
from pathlib import Path

_ROOT = Path(__file__).parent

MANIFEST = _ROOT / "manifest.json"
ENCODER_MODEL = _ROOT / "encoder" / "model.onnx"
MINILM_MODEL = _ROOT / "minilm" / "model.onnx"
MINILM_TOKENIZER = _ROOT / "minilm" / "tokenizer.json"
STATIC_ROWS = _ROOT / "static" / "rows.npy"
STATIC_SCALES = _ROOT / "static" / "scales.npy"
STATIC_TOKENIZER = _ROOT / "static" / "tokenizer.json"


def verify_weights(root: Path = _ROOT) -> list[str]:
    """Compare every shipped file with the manifest; one sentence for each that is missing or changed."""
    if not (root / MANIFEST.name).is_file():
        return [f"The list of model files, {MANIFEST.name}, is missing: install docmind again."]
    problems = []
    for model in json.loads((root / MANIFEST.name).read_text(encoding="utf-8")).values():
        for name, expected in model["files"].items():
            path = root / name
            if not path.is_file():
                problems.append(f"The model file {name} is missing: install docmind again.")
            elif hashlib.sha256(path.read_bytes()).hexdigest() != expected:
                problems.append(f"The model file {name} is not the one that was shipped: install docmind again.")
    return problems
