"""What a trained reader scores on authored documents it was not trained on, twins included."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.model import Reader
from training.rows import LABELS, JudgeGroup, ReadGroup
from training.train import scored

Numbers = NDArray[np.float64]


def evaluate(model: Reader, claims: Sequence[JudgeGroup], questions: Sequence[ReadGroup]) -> dict[str, Any]:
    return judged(model, claims) | {"blind": judged(model, claims, blind=True)} | read(model, questions)


def judged(model: Reader, groups: Sequence[JudgeGroup], *, blind: bool = False) -> dict[str, float]:
    """Pairs of claims; `blind` hides the evidence, and what is still scored leaks from the wording."""
    pairs = [group for group in groups if len(group.items) == 2]
    rows = [(one.claim, "" if blind else one.evidence) for group in pairs for one in group.items]
    support = scored(model, rows)[0][:, LABELS.index("supported")].numpy().astype(np.float64)
    true, false = support[0::2], support[1::2]
    strict = np.sort(true)[int(0.1 * len(true))]
    return {
        "pairs": len(pairs),
        "auc": _auc(true, false),
        "ordered": float(np.mean(true > false)),
        "both_right": float(np.mean((true >= 0.5) & (false < 0.5))),
        "true_accepted": float(np.mean(true >= 0.5)),
        "false_accepted": float(np.mean(false >= 0.5)),
        "false_accepted_at_10": float(np.mean(false >= strict)),
    }


def read(model: Reader, groups: Sequence[ReadGroup]) -> dict[str, float]:
    rows, homes = [], []
    for number, group in enumerate(groups):
        for side, asked in enumerate(group.questions):
            for one in asked.passages:
                rows.append((asked.question, one.text))
                homes.append((number, side, one.answers))
    verdict, logits = scored(model, rows)
    first = among_three = yes_no = asked_yes_no = 0
    best: dict[tuple[int, int], float] = {}
    at = 0
    for number, group in enumerate(groups):
        for side, asked in enumerate(group.questions):
            some = logits[at : at + len(asked.passages)].numpy()
            best[number, side] = float(some.max())
            if side == 0:
                order = np.argsort(-some)
                first += asked.passages[int(order[0])].answers
                among_three += any(asked.passages[int(place)].answers for place in order[:3])
                if asked.verdict is not None:
                    right = [place for place, one in enumerate(asked.passages) if one.answers]
                    place = max(right, key=lambda one: some[one])
                    said = verdict[at + place]
                    asked_yes_no += 1
                    yes_no += int((said[0] > said[2]) == (asked.verdict == 0))
            at += len(asked.passages)
    true = np.array([best[number, 0] for number in range(len(groups)) if (number, 1) in best])
    false = np.array([best[number, 1] for number in range(len(groups)) if (number, 1) in best])
    strict = np.sort(true)[int(0.1 * len(true))]
    return {
        "questions": len(groups),
        "right_passage_first": first / len(groups),
        "right_passage_in_three": among_three / len(groups),
        "yes_no": yes_no / max(1, asked_yes_no),
        "answerable_auc": _auc(true, false),
        "questions_ordered": float(np.mean(true > false)),
        "unanswerable_refused_at_10": float(np.mean(false < strict)),
    }


def _auc(true: Numbers, false: Numbers) -> float:
    return float(np.mean((true[:, None] > false[None, :]) + 0.5 * (true[:, None] == false[None, :])))
