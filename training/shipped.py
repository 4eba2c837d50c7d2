"""The exported files side by side: whether int8 decides as fp32 does, how much quicker, and into the package."""

import hashlib
import json
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from build_weights import MINILM
from docmind.domain.errors import EncoderError
from docmind.models.pairs import Pair, encode_pairs
from docmind.models.sessions import ModelSession
from docmind.models.tokens import load_tokenizer
from docmind.models.weights import MINILM_TOKENIZER
from training.benchmarks import Benchmarks
from training.evaluate import Scored, best_span
from training.export import sample_pairs

COMPARED = 150


def agreement(fp32: Path, int8: Path, folder: Path, benchmarks: Benchmarks) -> dict[str, float]:
    """The share of equal decisions on pairs, and both files' pairs per second on one core, taken in turns."""
    tokenizer = load_tokenizer(MINILM_TOKENIZER, max_tokens=4096)
    judged = [pair for one in benchmarks.judging.values() for pair in one.pairs]
    texts = [*judged[:: max(1, len(judged) // COMPARED)][:COMPARED], *sample_pairs(folder)[::3]]
    pairs = encode_pairs(tokenizer, texts)
    sessions = {
        name: ModelSession(path, threads=1, error=EncoderError) for name, path in (("fp32", fp32), ("int8", int8))
    }
    results: dict[str, list[Scored]] = {name: [] for name in sessions}
    spent = dict.fromkeys(sessions, 0.0)
    for pair in pairs:
        for name, session in sessions.items():
            started = time.process_time()
            results[name].append(_score(session, pair))
            spent[name] += time.process_time() - started
    ours, theirs = results["int8"], results["fp32"]
    return {
        "pairs": len(pairs),
        "support_equal": _share(
            [np.argmax(a.support) == np.argmax(b.support) for a, b in zip(ours, theirs, strict=True)]
        ),
        "supported_equal": _share(
            [(np.argmax(a.support) == 0) == (np.argmax(b.support) == 0) for a, b in zip(ours, theirs, strict=True)]
        ),
        "relevant_equal": _share([(a.relevance > 0) == (b.relevance > 0) for a, b in zip(ours, theirs, strict=True)]),
        "answer_equal": _share([_answer(p, a) == _answer(p, b) for p, a, b in zip(pairs, ours, theirs, strict=True)]),
        "fp32_pairs_s": round(len(pairs) / spent["fp32"], 2),
        "int8_pairs_s": round(len(pairs) / spent["int8"], 2),
        "ratio": round(spent["fp32"] / spent["int8"], 3),
    }


def ship(out: Path, weights: Path) -> None:
    """Put model and card into the package and enter them in its manifest."""
    target = weights / "encoder"
    target.mkdir(exist_ok=True)
    shutil.copyfile(out / "encoder.onnx", target / "model.onnx")
    shutil.copyfile(out / "MODEL_CARD.md", target / "MODEL_CARD.md")
    manifest = json.loads((weights / "manifest.json").read_text("utf-8"))
    manifest["encoder"] = {
        "model": "docmind encoder, from sentence-transformers/all-MiniLM-L6-v2",
        "licence": "Apache-2.0 and CC-BY-SA-4.0",
        "source": {"package": MINILM.package, "version": MINILM.version, "sha256": MINILM.sha256},
        "built_by": "training",
        "files": {
            f"encoder/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(target.iterdir())
        },
    }
    (weights / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def _score(session: ModelSession, pair: Pair) -> Scored:
    row, tokens = session.run([pair.ids])
    return Scored(row[0, :3], float(row[0, 3]), tokens[0, :, :2], tokens[0, :, 2])


def _answer(pair: Pair, scored: Scored) -> tuple[int, int] | None:
    first, last, margin = best_span(pair, scored.span)
    return (first, last) if margin > 0 else None


def _share(equal: Sequence[np.bool_ | bool]) -> float:
    return round(float(np.mean([bool(one) for one in equal])), 4)
