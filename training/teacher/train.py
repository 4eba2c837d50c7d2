"""Trains the teacher for a given time: to tell what a passage supports and answers, and to write such texts itself."""

import logging
import time
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from training.packed import EITHER
from training.plan import TeacherPlan
from training.teacher.decoder import Decoder
from training.teacher.rows import Block
from training.teacher.sequences import LABEL_WORDS, Batch, Role, Sequences
from training.teacher.vocabulary import Vocabulary
from training.train import device

_log = logging.getLogger(__name__)
WRITING_SHARE, QUESTIONS_SHARE = 0.25, 0.6
"""Of the loss, beside that of claims."""


@dataclass(frozen=True)
class LabelWords:
    """The words that stand for labels."""

    claim: Tensor
    question: Tensor

    @classmethod
    def of(cls, words: Vocabulary) -> "LabelWords":
        claim, question = (
            torch.tensor([words.word(word) for word in LABEL_WORDS[block]], device=device())
            for block in (Block.CLAIM, Block.QUESTION)
        )
        return cls(claim, question)


def train(model: Decoder, rows: Sequences, labels: LabelWords, plan: TeacherPlan) -> dict[str, int]:
    """How many steps it took, and how many tokens these had."""
    model.to(device()).train()
    optimiser = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.95), weight_decay=0.0, fused=True)
    began, step, tokens, total = time.monotonic(), 0, 0, torch.zeros((), device=device())
    for chosen in rows.drawn(plan.tokens, np.random.default_rng(plan.seed)):
        done = max((time.monotonic() - began) / plan.seconds, step / plan.steps if plan.steps else 0.0)
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = plan.rate * max(min(1.0, done / plan.warmup) * (1 - done), 0.01)
        batch = rows.batch(chosen, device())
        with torch.autocast(device(), torch.bfloat16, enabled=device() == "cuda"):
            value = loss(model, batch, labels)
        optimiser.zero_grad(set_to_none=True)
        value.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        total += value.detach()
        step, tokens = step + 1, tokens + int(rows.length[chosen].sum())
        if step % plan.log_every == 0:
            _log.info(
                "teacher step %d: loss %.3f, %.0f s", step, total.item() / plan.log_every, time.monotonic() - began
            )
            total.zero_()
    return {"steps": step, "tokens": tokens}


def loss(model: Decoder, batch: Batch, labels: LabelWords) -> Tensor:
    last = model(batch.ids, batch.places, batch.mask).flatten(0, 1)
    written, claims, questions = (
        (batch.role == role).nonzero()[:, 0] for role in (Role.WRITE, Role.CLAIM, Role.QUESTION)
    )
    return (
        WRITING_SHARE * _mean(_missed(model.logits(last[written]), batch.target[written]))
        + _mean(_verdicts(model.logits(last[claims], labels.claim), batch.target[claims]))
        + QUESTIONS_SHARE * _mean(_missed(model.logits(last[questions], labels.question), batch.target[questions]))
    )


def _missed(logits: Tensor, target: Tensor) -> Tensor:
    return functional.cross_entropy(logits, target, reduction="none")


def _verdicts(logits: Tensor, label: Tensor) -> Tensor:
    """Where the label is EITHER, all that is known is that the claim is not supported."""
    either = -torch.logsumexp(logits.log_softmax(-1)[:, 1:], -1)
    return torch.where(label == EITHER, either, _missed(logits, label.clamp(max=EITHER - 1)))


def _mean(each: Tensor) -> Tensor:
    return each.sum() / max(len(each), 1)
