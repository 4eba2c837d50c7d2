"""The exported files side by side: whether int8 decides as fp32 does, how much quicker, and into the package."""

import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from build_weights import enter
from docmind.models.reader import JudgedClaim, Reader
from training.base import PACKAGES, SHA256
from training.evaluate import claim_figures
from training.rows import JudgeGroup, read


def agreement(fp32: Path, int8: Path, samples: Sequence[tuple[str, str]]) -> dict[str, float]:
    """The share of equal verdicts on pairs, and both files' pairs per second on one core, taken in turns."""
    readers = {"fp32": Reader(threads=1, judge=fp32), "int8": Reader(threads=1, judge=int8)}
    found: dict[str, list[JudgedClaim]] = {name: [] for name in readers}
    spent = dict.fromkeys(readers, 0.0)
    for pair in samples:
        for name, reader in readers.items():
            started = time.process_time()
            found[name] += reader.judge([pair])
            spent[name] += time.process_time() - started
    both = list(zip(found["int8"], found["fp32"], strict=True))
    return {
        "pairs": len(samples),
        "supported_equal": float(
            np.mean([(a.verdict.supported > 0.5) == (b.verdict.supported > 0.5) for a, b in both])
        ),
        "mean_difference": float(np.mean([abs(a.verdict.supported - b.verdict.supported) for a, b in both])),
        "fp32_pairs_s": len(samples) / spent["fp32"],
        "int8_pairs_s": len(samples) / spent["int8"],
    }


def scores(int8: Path, folder: Path) -> dict[str, float]:
    """What the file that ships scores on the claims of the tuning documents, the true one of each pair first."""
    pairs = [
        (one.claim, one.evidence) for group in read(JudgeGroup, folder / "tune_claims.jsonl.xz") for one in group.items
    ]
    return claim_figures(np.array([one.verdict.supported for one in Reader(judge=int8).judge(pairs)], np.float64))


def ship(out: Path, weights: Path, name: str = "reader") -> None:
    """Put model and card into the package and enter them in its manifest."""
    target = weights / name
    target.mkdir(exist_ok=True)
    shutil.copyfile(out / "reader.onnx", target / "model.onnx")
    shutil.copyfile(out / "MODEL_CARD.md", target / "MODEL_CARD.md")
    source = {"packages": list(PACKAGES), "sha256": SHA256}
    title, licence = f"docmind {name}, from sentence-transformers/all-mpnet-base-v2", "Apache-2.0 and CC-BY-SA-4.0"
    enter(weights, name, title, licence, source, "training")
