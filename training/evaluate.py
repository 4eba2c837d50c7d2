"""What a trained reader scores on authored documents it was not trained on, twins included."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from training.batches import ResidentRows
from training.model import Reader
from training.packed import OPEN, TUNING, UNKNOWN, Places

Numbers = NDArray[np.float64]
_TOKENS = 65_536
_NEITHER = 1


@dataclass(frozen=True)
class Scores:
    """Of rows in their order: the probabilities of the verdict, and how sure it is that the text answers."""

    verdict: Numbers
    answers: Numbers


def evaluate(model: Reader, rows: ResidentRows) -> dict[str, float]:
    """Every figure; those that end in `_blind` are of claims without evidence, which only their wording gives away."""
    seen, blind, asked = (scored(model, rows, rows.packed.groups_of(share)) for share in TUNING)
    guessed = claim_figures(blind.verdict[:, 0])
    return (
        claim_figures(seen.verdict[:, 0])
        | {f"{name}_blind": guessed[name] for name in ("auc", "ordered")}
        | question_figures(asked, rows)
    )


def scored(model: Reader, rows: ResidentRows, groups: Places) -> Scores:
    model.eval()
    verdict, answers = [], []
    for some in np.split(groups, np.flatnonzero(np.diff(np.cumsum(rows.tokens[groups]) // _TOKENS)) + 1):
        with torch.no_grad(), torch.autocast(rows.device, torch.bfloat16, enabled=rows.device == "cuda"):
            out = model(rows.batch(some))
        verdict.append(out.verdict.float().softmax(-1).cpu().numpy())
        answers.append(out.answers.float().cpu().numpy())
    return Scores(np.concatenate(verdict).astype(np.float64), np.concatenate(answers).astype(np.float64))


def claim_figures(support: Numbers) -> dict[str, float]:
    """Of pairs of claims, the true one first."""
    true, false = support[0::2], support[1::2]
    strict = np.sort(true)[int(0.1 * len(true))]
    return {
        "pairs": len(true),
        "auc": _auc(true, false),
        "ordered": float(np.mean(true > false)),
        "both_right": float(np.mean((true >= 0.5) & (false < 0.5))),
        "true_accepted": float(np.mean(true >= 0.5)),
        "false_accepted": float(np.mean(false >= 0.5)),
        "false_accepted_at_10": float(np.mean(false >= strict)),
    }


def question_figures(scores: Scores, rows: ResidentRows) -> dict[str, float]:
    """Of the tuning questions and their twins over the passages of their document, in the order of their rows."""
    groups = rows.packed.groups_of("tune_questions")
    home = rows.rows_of(groups)
    first, among_three, yes_no, told_apart, true, false = [], [], [], [], [], []
    for places in np.split(np.arange(len(home)), np.cumsum(rows.packed.rows[groups])[:-1]):
        place, said, logits = home[places], scores.verdict[places], scores.answers[places]
        asked = rows.packed.twin[place] == 0
        answers, verdict = rows.packed.answers[place][asked], rows.packed.verdict[place][asked]
        order = np.argsort(-logits[asked])
        first.append(answers[order[0]])
        among_three.append(answers[order[:3]].max())
        if not asked.all():
            true.append(logits[asked].max())
            false.append(logits[~asked].max())
        right = max(np.flatnonzero(answers == 1), key=lambda one: logits[asked][one])
        yes, neither, no = said[asked][right]
        if verdict[right] not in (UNKNOWN, OPEN, _NEITHER):
            yes_no.append((yes > no) == (verdict[right] == 0))
        if verdict[right] != UNKNOWN:
            told_apart.append((neither > 0.5) == (verdict[right] == OPEN))
    strict = np.sort(true)[int(0.1 * len(true))]
    return {
        "questions": len(groups),
        "right_passage_first": float(np.mean(first)),
        "right_passage_in_three": float(np.mean(among_three)),
        "yes_no": float(np.mean(yes_no)),
        "yes_no_questions_told": float(np.mean(told_apart)),
        "answerable_auc": _auc(np.array(true), np.array(false)),
        "questions_ordered": float(np.mean(np.array(true) > np.array(false))),
        "unanswerable_refused_at_10": float(np.mean(np.array(false) < strict)),
    }


def _auc(true: Numbers, false: Numbers) -> float:
    return float(np.mean((true[:, None] > false[None, :]) + 0.5 * (true[:, None] == false[None, :])))
