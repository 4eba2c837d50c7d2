"""What each head is held to."""

import torch
from torch import Tensor
from torch.nn import functional

from training.batches import MAX_TOKENS, Batch
from training.model import Outputs
from training.packed import EITHER, OPEN, UNKNOWN

NOT_STATED = 1
PAIRS_SHARE = 0.5
"""Of a loss on twins side by side: the true one is rather supported, the answered one rather answered."""
TOKENS_SHARE = 0.3
SPAN_SHARE = 0.5
OPEN_SHARE = 0.2
"""Of telling that a question is no yes/no question: easily learned, and most questions are none."""
SMOOTHING = 0.03


def loss(out: Outputs, batch: Batch) -> Tensor:
    return (
        verdicts(out, batch)
        + answers(out, batch)
        + graded(out, batch)
        + SPAN_SHARE * spans(out, batch)
        + TOKENS_SHARE * tokens(out, batch)
    )


def support(verdict: Tensor) -> Tensor:
    """The logit of being supported."""
    logs = functional.log_softmax(verdict.float(), -1)
    return logs[:, 0] - torch.logsumexp(logs[:, 1:], -1)


def verdicts(out: Outputs, batch: Batch) -> Tensor:
    """Claims, yes/no questions and other questions each by their own mean: there are very unlike numbers of them."""
    label, is_claim = batch.verdict, batch.answers == UNKNOWN
    told, is_open = label != UNKNOWN, label == OPEN
    logs = functional.log_softmax(out.verdict.float(), -1)
    known = functional.cross_entropy(
        out.verdict.float(),
        torch.where(is_open, NOT_STATED, label.clamp(0, EITHER - 1)),
        reduction="none",
        label_smoothing=SMOOTHING,
    )
    each = torch.where(label == EITHER, -torch.logsumexp(logs[:, 1:], -1), known)
    total = _mean(each, told & is_claim) + _mean(each, told & ~is_claim & ~is_open) + OPEN_SHARE * _mean(each, is_open)
    return total + PAIRS_SHARE * _ordered(support(out.verdict), batch.better)


def answers(out: Outputs, batch: Batch) -> Tensor:
    told = (batch.answers != UNKNOWN) & (batch.graded == UNKNOWN)
    each = functional.binary_cross_entropy_with_logits(
        out.answers.float(), batch.answers.clamp(min=0).float(), reduction="none"
    )
    scores = out.answers.float()
    return _mean(each, told) + PAIRS_SHARE * (_ordered(scores, batch.ranked) + _ordered(scores, batch.twins))


def graded(out: Outputs, batch: Batch) -> Tensor:
    """Rows that a teacher gave a probability: of a question that it is answered, of a claim that it is supported."""
    told, is_question = batch.graded != UNKNOWN, batch.answers != UNKNOWN
    logits = torch.where(is_question, out.answers.float(), support(out.verdict))
    each = functional.binary_cross_entropy_with_logits(logits, batch.graded.clamp(min=0) / 100, reduction="none")
    return _mean(each, told & is_question) + _mean(each, told & ~is_question)


def spans(out: Outputs, batch: Batch) -> Tensor:
    """Given that the text answers, where."""
    if not len(batch.spans):
        return out.span.sum() * 0.0
    places = torch.arange(MAX_TOKENS, device=out.span.device)
    length, passage, first = (one[batch.spans, None] for one in (batch.lengths, batch.passage, batch.first))
    inside = (places >= passage) & (places < length - 1)
    logits = out.span.float()[(first + places).clamp(max=len(out.span) - 1)].masked_fill(~inside[..., None], -1e4)
    start = functional.cross_entropy(logits[..., 0], batch.start[batch.spans])
    end = functional.cross_entropy(logits[..., 1], batch.end[batch.spans])
    return (start + end) / 2


def tokens(out: Outputs, batch: Batch) -> Tensor:
    return _marked(out.doubt, batch.doubt) + _marked(out.marks, batch.marks)


def _marked(logits: Tensor, marks: Tensor) -> Tensor:
    each = functional.binary_cross_entropy_with_logits(logits.float(), marks.clamp(min=0).float(), reduction="none")
    return _mean(each, marks != UNKNOWN)


def _ordered(scores: Tensor, pairs: Tensor) -> Tensor:
    if not len(pairs):
        return scores.sum() * 0.0
    return functional.softplus(scores[pairs[:, 1]] - scores[pairs[:, 0]]).mean()


def _mean(each: Tensor, told: Tensor) -> Tensor:
    return (each * told).sum() / told.sum().clamp(min=1)
