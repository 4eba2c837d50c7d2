"""Fit which questions ask for yes or no: `fit_yes_no.py [AUTHORED]`, to yes_no.json.

Learned from the answerable questions of the documents that are trained on; what it scores on the tuning documents is
printed.
"""

import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docmind.bench.authored import Part, Question, read_authored
from docmind.bench.authored_answers import questions_of
from docmind.skills.question.intent import YES_NO_FROM, yes_no_features

TARGET = Path(__file__).parent.parent / "src/docmind/skills/question/yes_no.json"
AUTHORED = Path(__file__).parent.parent / "data" / "authored"
SEEN_OFTEN = 4
"""A feature counts that stands in so many questions."""
SHRINK = 2e-4
STEPS, RATE, MOMENTUM = 1000, 1.0, 0.9

Floats = NDArray[np.float32]


def main() -> None:
    folders = read_authored(Path(sys.argv[1]) if len(sys.argv) > 1 else AUTHORED)
    learned, tried = (
        [one for one in questions_of(folders, part) if one.answerable] for part in (Part.TRAIN, Part.TUNE)
    )
    counted = Counter(name for one in learned for name in yes_no_features(one.text))
    names = sorted(name for name, times in counted.items() if times >= SEEN_OFTEN)
    weights = fitted(table(learned, names), wanted(learned))
    kept = {name: round(float(weight), 3) for name, weight in zip(["", *names], weights, strict=True)}
    TARGET.write_text(json.dumps({name: weight for name, weight in kept.items() if weight}, indent=0) + "\n", "utf-8")
    told = 1 / (1 + np.exp(-(table(tried, names) @ weights))) >= YES_NO_FROM
    right = wanted(tried) == 1
    print(f"{len(names)} features; of {right.sum()} yes/no questions {told[right].mean():.3f} are told as such,")
    print(f"and {right[told].mean():.3f} of what is told as such are")


def table(questions: list[Question], names: list[str]) -> Floats:
    places = {name: place for place, name in enumerate(names, start=1)}
    rows = np.zeros((len(questions), len(names) + 1), np.float32)
    rows[:, 0] = 1
    for row, one in zip(rows, questions, strict=True):
        row[[places[name] for name in yes_no_features(one.text) if name in places]] = 1
    return rows


def wanted(questions: list[Question]) -> Floats:
    return np.array([one.type == "yes_no" for one in questions], np.float32)


def fitted(rows: Floats, true: Floats) -> Floats:
    """By gradient descent; the weights are kept small."""
    weights, speed = np.zeros(rows.shape[1], np.float32), np.zeros(rows.shape[1], np.float32)
    for _ in range(STEPS):
        told = 1 / (1 + np.exp(-(rows @ weights)))
        speed = MOMENTUM * speed + rows.T @ (told - true) / len(true) + SHRINK * weights
        weights -= RATE * speed
    return weights


if __name__ == "__main__":
    main()
