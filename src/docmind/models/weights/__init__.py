"""The model files that ship with the package: where they are, and whether they are what was built."""

import hashlib
import json
from functools import cache
from pathlib import Path

from docmind.domain.errors import EmbeddingError

_ROOT = Path(__file__).parent

MANIFEST = _ROOT / "manifest.json"
READER_MODEL = _ROOT / "reader" / "model.onnx"
JUDGE_MODEL = _ROOT / "judge" / "model.onnx"
MINILM_MODEL = _ROOT / "minilm" / "model.onnx"
MINILM_TOKENIZER = _ROOT / "minilm" / "tokenizer.json"
STATIC_ROWS = _ROOT / "static" / "rows.npy"
STATIC_SCALES = _ROOT / "static" / "scales.npy"
STATIC_TOKENIZER = _ROOT / "static" / "tokenizer.json"


_PROSE = frozenset({"LICENSE", "NOTICE", "MODEL_CARD.md"})


EMBEDDERS = ("minilm", "static")


@cache
def versioned(model: str, root: Path = _ROOT) -> str:
    """The model's name with eight characters that are others once anything is that it computes with."""
    return f"{model}@{_hash(sorted(digest for _, digest in _computed_with(model, root)))}"


def same_weights(name: str, other: str) -> bool:
    """Whether two such names stand for the same weights, whatever the model was called and wherever its files were."""
    return canonical(name) == canonical(other)


def canonical(name: str) -> str:
    """What the embedder of that name is called now, if its weights ship with this version; otherwise the name."""
    digest = "" if ":" in name else name.partition("@")[2]
    return _shipped().get(digest, name)


@cache
def _shipped() -> dict[str, str]:
    """The shipped embedders by what their names say of their weights, today and in stores made before.

    Until names said what is computed alone, the paths of the files were hashed with them.
    """
    found: dict[str, str] = {}
    for model in EMBEDDERS:
        now = versioned(model)
        found |= {now.partition("@")[2]: now, _hash(sorted(_computed_with(model, _ROOT))): now}
    return found


def _computed_with(model: str, root: Path) -> list[tuple[str, str]]:
    """The files that decide what a model computes, each with its digest."""
    try:
        files = json.loads((root / MANIFEST.name).read_text(encoding="utf-8"))[model]["files"]
    except (OSError, ValueError, KeyError) as error:
        raise EmbeddingError(f"The list of model files cannot be read ({error!r}): install docmind again.") from error
    return [(name, digest) for name, digest in files.items() if Path(name).name not in _PROSE]


def _hash(made_of: object) -> str:
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()[:8]


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
