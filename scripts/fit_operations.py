"""Fit which calculation a question on figures asks for, on data/operations, to skills/finance/operations.npz.

It prints how many are told right by models that did not see the question, by ten folds.
"""

import hashlib
import json
from collections import Counter
from pathlib import Path

import numpy as np

from docmind.skills.finance.operations import OperationModel, vector
from softmax import Floats, softmax

ROOT = Path(__file__).parent.parent
QUESTIONS = ROOT / "data" / "operations" / "questions.jsonl"
TARGET = ROOT / "src/docmind/skills/finance/operations.npz"
FOLDS = 10


def main() -> None:
    rows = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
    operations = sorted({row["operation"] for row in rows})
    vectors = [vector(row["text"]) for row in rows]
    folds = np.array([int(hashlib.sha256(row["text"].encode()).hexdigest(), 16) % FOLDS for row in rows])
    told = ["" for _ in rows]
    sure = np.zeros(len(rows))
    for fold in range(FOLDS):
        model = fitted(operations, [(vectors[at], rows[at]["operation"]) for at in np.flatnonzero(folds != fold)])
        for at in np.flatnonzero(folds == fold):
            likely = model.likely(rows[at]["text"])
            told[at] = max(likely, key=likely.__getitem__)
            sure[at] = likely[told[at]]
    right = np.array([one == row["operation"] for one, row in zip(told, rows, strict=True)])
    each = Counter(row["operation"] for row in rows)
    found = Counter(row["operation"] for row, good in zip(rows, right, strict=True) if good)
    print(f"{right.mean():.3f} right:", ", ".join(f"{name} {found[name]}/{each[name]}" for name in operations))
    for least in (0.3, 0.5, 0.7, 0.9):
        print(f"from {least} on: {(sure >= least).mean():.2f} of them, {right[sure >= least].mean():.3f} right")
    model = fitted(operations, list(zip(vectors, (row["operation"] for row in rows), strict=True)))
    np.savez_compressed(
        TARGET, operations=np.array(operations), weights=model.weights.astype(np.float16), bias=model.bias
    )


def fitted(operations: list[str], rows: list[tuple[Floats, str]]) -> OperationModel:
    asked = np.array([[float(name == operation) for name in operations] for _, operation in rows], np.float32)
    return OperationModel(tuple(operations), *softmax([one for one, _ in rows], asked, np.ones(len(rows), np.float32)))


if __name__ == "__main__":
    main()
