"""Fit how likely a message goes on from the answer before it: `fit_follow_ups.py [DATA]`, to skills/follow_up.json.

The authored conversations about documents that are not kept: each turn behind the one before it goes on, and the first
question of another conversation, asked in its place, does not. Prints how many of both are told right over folds.
"""

import json
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docmind.bench.authored import Part, read_authored
from docmind.bench.dialogues import Dialogue, Turn, dialogues_of
from docmind.bench.workbench import SCOPE, open_engine
from docmind.domain.search import Filters
from docmind.runtime.engine import DocMind
from docmind.skills.route import follow_up_signals

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src/docmind/skills/follow_up.json"
ASKING = ("answer", "refuse", "clarify")
NAMES = ("everywhere", "there", "length")
FOLDS = 5
RIDGE = 1.0
STEPS = 60

Matrix = NDArray[np.float64]


class Example(NamedTuple):
    signals: dict[str, float]
    goes_on: bool
    fold: int


def examples(engine: DocMind, dialogues: Sequence[Dialogue]) -> list[Example]:
    """Every turn behind another, and as many first questions of other conversations in such places."""
    chance = random.Random(7)
    documents = {item.name: item.id for item in engine.documents(SCOPE)}
    found: list[Example] = []
    for number, one in enumerate(dialogues):
        about: list[str] = []
        for at, turn in enumerate(one.turns):
            if at and about:
                other = chance.choice(dialogues)
                if turn.expect in ASKING:
                    found.append(Example(_signals(engine, turn, about), True, number % FOLDS))
                if other is not one and other.turns[0].expect in ASKING:
                    found.append(Example(_signals(engine, other.turns[0], about), False, number % FOLDS))
            about = [documents[f"{name}.md"] for name in turn.documents] or about
    return found


def _signals(engine: DocMind, turn: Turn, about: Sequence[str]) -> dict[str, float]:
    there = engine.search(turn.message, SCOPE, limit=1, filters=Filters(document_id=tuple(about)))
    return follow_up_signals(turn.message, there, engine.search(turn.message, SCOPE, limit=1))


def fit(some: Sequence[Example]) -> dict[str, float]:
    """Logistic regression; both kinds count the same, however many there are of each."""
    table: Matrix = np.array([[1.0, *(one.signals[name] for name in NAMES)] for one in some])
    goes_on = np.array([one.goes_on for one in some], dtype=float)
    share = np.where(goes_on == 1, 0.5 / goes_on.mean(), 0.5 / (1 - goes_on.mean()))
    held = RIDGE * np.diag([0.0, *[1.0] * len(NAMES)])
    weights = np.zeros(1 + len(NAMES))
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-table @ weights))
        steep = (table.T * (share * (likely * (1 - likely) + 1e-9))) @ table + held
        weights += np.linalg.solve(steep, table.T @ (share * (goes_on - likely)) - held @ weights)
    return dict(zip(("intercept", *NAMES), weights.round(3).tolist(), strict=True))


def told_right(some: Sequence[Example], weights: Callable[[int], dict[str, float]]) -> dict[bool, list[bool]]:
    told: dict[bool, list[bool]] = {True: [], False: []}
    by_fold = {fold: weights(fold) for fold in range(FOLDS)}
    for one in some:
        fitted = by_fold[one.fold]
        weighed = fitted["intercept"] + sum(fitted[name] * one.signals[name] for name in NAMES)
        told[one.goes_on].append((weighed >= 0) is one.goes_on)
    return told


def main() -> None:
    folders = read_authored(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "data") / "authored")
    dialogues = [one for part in (Part.TRAIN, Part.TUNE) for one in dialogues_of(folders, part)]
    papers = sorted({one.folder.documents[name] for one in dialogues for turn in one.turns for name in turn.documents})
    with TemporaryDirectory() as store, open_engine(Path(store), "minilm") as engine:
        engine.ingest(papers, SCOPE)
        some = examples(engine, dialogues)
    told = told_right(some, lambda fold: fit([one for one in some if one.fold != fold]))
    for goes_on, right in told.items():
        print(f"{'goes on' if goes_on else 'begins anew'}: {sum(right)} of {len(right)} told right over {FOLDS} folds")
    TARGET.write_text(json.dumps(fit(some)) + "\n", encoding="utf-8")
    print(TARGET.read_text(encoding="utf-8").strip())


if __name__ == "__main__":
    main()
