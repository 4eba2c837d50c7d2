"""What each head is held to: the labels, and for the student also what its teachers together believe."""

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from training.batches import EITHER, UNKNOWN, Batch
from training.model import Outputs

WORDS_SHARE = 0.5
RELEVANCE_SHARE = 0.2
"""Of a loss on each passage by itself, so that a score means the same from question to question."""


def support(out: Outputs, batch: Batch, smoothing: float) -> Tensor:
    label = batch.targets["label"]
    logs = functional.log_softmax(out.support.float(), -1)
    known = functional.cross_entropy(
        out.support.float(), label.clamp(max=EITHER - 1), reduction="none", label_smoothing=smoothing
    )
    either = -torch.logsumexp(logs[:, 1:], -1)
    loss = torch.where(label == EITHER, either, known).mean()
    words = batch.targets["words"]
    told = words != UNKNOWN
    logits = out.words.float()
    each = functional.binary_cross_entropy_with_logits(logits, words.clamp(min=0).float(), reduction="none")
    return loss + WORDS_SHARE * (each * told).sum() / told.sum().clamp(min=1)


def rank(out: Outputs, batch: Batch, smoothing: float) -> Tensor:
    scores = _by_query(out, batch)
    target = torch.zeros(len(scores), dtype=torch.long, device=scores.device)
    each = torch.zeros_like(scores)
    each[:, 0] = 1
    alone = functional.binary_cross_entropy_with_logits(scores, each)
    return functional.cross_entropy(scores, target, label_smoothing=smoothing) + RELEVANCE_SHARE * alone


def read(out: Outputs, batch: Batch, smoothing: float) -> Tensor:
    del smoothing  # most places of a row can hold no answer, and would get a share of it
    start, end = _places(out, batch)
    return (
        functional.cross_entropy(start, batch.targets["start"]) + functional.cross_entropy(end, batch.targets["end"])
    ) / 2


def taught_support(out: Outputs, teachers: Sequence[Outputs], batch: Batch) -> Tensor:
    belief = _mean([functional.softmax(teacher.support.float(), -1) for teacher in teachers])
    words = _mean([torch.sigmoid(teacher.words.float()) for teacher in teachers])
    told = batch.targets["words"] != UNKNOWN
    each = functional.binary_cross_entropy_with_logits(out.words.float(), words, reduction="none")
    return _against(out.support, belief) + WORDS_SHARE * (each * told).sum() / told.sum().clamp(min=1)


def taught_rank(out: Outputs, teachers: Sequence[Outputs], batch: Batch) -> Tensor:
    scores = _by_query(out, batch)
    each = [_by_query(teacher, batch) for teacher in teachers]
    alone = functional.binary_cross_entropy_with_logits(scores, _mean([torch.sigmoid(one) for one in each]))
    return _against(scores, _mean([functional.softmax(one, -1) for one in each])) + RELEVANCE_SHARE * alone


def taught_read(out: Outputs, teachers: Sequence[Outputs], batch: Batch) -> Tensor:
    places = [_places(teacher, batch) for teacher in teachers]
    beliefs = [_mean([functional.softmax(place[side], -1) for place in places]) for side in (0, 1)]
    return (
        sum(
            (_against(own, belief) for own, belief in zip(_places(out, batch), beliefs, strict=True)),
            start=torch.zeros((), device=out.span.device),
        )
        / 2
    )


def _by_query(out: Outputs, batch: Batch) -> Tensor:
    return out.relevance.float().view(-1, batch.passages)


def _places(out: Outputs, batch: Batch) -> tuple[Tensor, Tensor]:
    """Start and end logits where an answer may stand: in the passage, or on the first token for none."""
    tokens = torch.arange(out.span.shape[1], device=out.span.device)
    inside = (tokens >= batch.targets["passage"][:, None]) & (tokens < batch.lengths[:, None] - 1)
    inside = inside | (tokens == 0)
    span = out.span.float().masked_fill(~inside[..., None], -1e4)
    return span[..., 0], span[..., 1]


def _against(logits: Tensor, belief: Tensor) -> Tensor:
    return -(belief * functional.log_softmax(logits.float(), -1)).sum(-1).mean()


def _mean(parts: Sequence[Tensor]) -> Tensor:
    return torch.stack(list(parts)).mean(0)
