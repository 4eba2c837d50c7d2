"""The model files that ship with the package: where they are, and whether they are what was built."""

import hashlib
import json
from functools import cache
from pathlib import Path

from docmind.domain.errors import EmbeddingError

_ROOT = Path(__file__).parent

MANIFEST = _ROOT / "manifest.json"
READER_MODEL = _ROOT / "reader" / "model.onnx"
MINILM_MODEL = _ROOT / "minilm" / "model.onnx"
MINILM_TOKENIZER = _ROOT / "minilm" / "tokenizer.json"
STATIC_ROWS = _ROOT / "static" / "rows.npy"
STATIC_SCALES = _ROOT / "static" / "scales.npy"
STATIC_TOKENIZER = _ROOT / "static" / "tokenizer.json"


_PROSE = frozenset({"LICENSE", "NOTICE", "MODEL_CARD.md"})


@cache
def versioned(model: str, root: Path = _ROOT) -> str:
    """The model's name with eight characters that are others once anything is that it computes with."""
    try:
        files = json.loads((root / MANIFEST.name).read_text(encoding="utf-8"))[model]["files"]
    except (OSError, ValueError, KeyError) as error:
        raise EmbeddingError(f"The list of model files cannot be read ({error!r}): install docmind again.") from error
    made_of = sorted((name, digest) for name, digest in files.items() if Path(name).name not in _PROSE)
    return f"{model}@{hashlib.sha256(json.dumps(made_of).encode()).hexdigest()[:8]}"


def plain_name(name: str) -> str:
    """What an operator calls the model that is known by that name. A provider's may have such a sign in it."""
    return name if ":" in name else name.partition("@")[0]


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
