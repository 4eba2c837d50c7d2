"""The teacher writes: beside each passage two pairs of claims, a question with its answer, and one without."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from training.packed import Places, Tokens
from training.plan import TeacherPlan
from training.teacher.decoder import Decoder
from training.teacher.rows import Block
from training.teacher.sequences import LEADS, TEXTS
from training.teacher.vocabulary import Vocabulary
from training.train import device

BLOCKS = (Block.PAIR, Block.PAIR, Block.ASKED, Block.UNANSWERED)
"""What is written on a passage."""
MOST_TOKENS = 104
"""Of a block; one that has not ended by then is dropped."""
TEMPERATURE = 0.8
MARGIN = 3.2
"""Words whose logit is lower than the best one's by more than this are never chosen."""
_LOOKED_FOR_END = 8
"""Steps after which is looked whether all blocks have ended: to look takes time on a GPU."""


@dataclass(frozen=True)
class Written:
    """The texts of a block."""

    block: Block
    texts: tuple[Tokens, ...]


def write(
    model: Decoder, words: Vocabulary, passages: Sequence[Tokens], plan: TeacherPlan
) -> Iterator[tuple[int, list[Written]]]:
    """The number of each passage with what was written on it, until the time is over."""
    torch.manual_seed(plan.seed)
    length, began = np.array([len(one) for one in passages], np.int64), time.monotonic()
    for chosen in _alike(length, plan.written_at_once):
        if time.monotonic() - began > plan.write_s:
            return
        rows = _blocks(model, words, [passages[at] for at in chosen])
        for number, own in zip(chosen.tolist(), np.split(rows, len(chosen)), strict=True):
            made = (texts_of(words, block, ids) for block, ids in zip(BLOCKS, own, strict=True))
            yield number, [one for one in made if one is not None]


def _alike(length: Places, size: int) -> Iterator[Places]:
    """Passages of like length together, and any length at any time."""
    stretch = 16 * size
    for at in range(0, len(length), stretch):
        order = at + np.argsort(length[at : at + stretch], kind="stable")
        yield from np.split(order, range(size, len(order), size))


@torch.no_grad()
def _blocks(model: Decoder, words: Vocabulary, passages: Sequence[Tokens]) -> Tokens:
    """The tokens of every block, passage by passage, from behind its lead on."""
    leads = [words.ids(LEADS[block]) for block in BLOCKS]
    room = max(map(len, leads)) + MOST_TOKENS
    lead = _filled(leads, room).repeat(len(passages), 1)
    lead_length = torch.tensor([len(one) for one in leads], device=device()).repeat(len(passages))
    text = _filled(passages, max(map(len, passages)))
    held = [
        (key.repeat_interleave(len(BLOCKS), 0), value.repeat_interleave(len(BLOCKS), 0))
        for key, value in model.remember(text, room)
    ]
    at = torch.tensor([len(one) for one in passages], device=device()).repeat_interleave(len(BLOCKS))
    ids, over = lead.clone(), torch.zeros(len(at), dtype=torch.bool, device=device())
    for step in range(1, room):
        chosen = _sampled(model.logits(model.follow(ids[:, step - 1], at + step - 1, held)))
        in_lead = step < lead_length
        ids[:, step] = torch.where(in_lead, lead[:, step], torch.where(over, words.end, chosen))
        over |= (ids[:, step] == words.end) & ~in_lead
        if step % _LOOKED_FOR_END == 0 and bool(over.all()):
            ids[:, step + 1 :] = words.end
            break
    behind = lead_length[:, None] + torch.arange(MOST_TOKENS, device=device())
    return ids.gather(1, behind).cpu().numpy().astype(np.uint16)


def _sampled(logits: Tensor) -> Tensor:
    scaled = logits / TEMPERATURE
    near = scaled >= scaled.amax(-1, keepdim=True) - MARGIN
    return torch.multinomial(scaled.masked_fill(~near, -torch.inf).softmax(-1), 1)[:, 0]


def _filled(rows: Sequence[Tokens], width: int) -> Tensor:
    held = np.zeros((len(rows), width), np.int64)
    for own, row in zip(held, rows, strict=True):
        own[: len(row)] = row
    return torch.from_numpy(held).to(device())


def texts_of(words: Vocabulary, block: Block, ids: Tokens) -> Written | None:
    """None where the block has not ended, or has not as many texts as it should."""
    ends = np.flatnonzero(ids == words.end)
    if not len(ends):
        return None
    body = ids[: ends[0]]
    between = np.flatnonzero(body == words.separator)
    begins, stops = np.append(0, between + 1), np.append(between, len(body))
    texts = tuple(body[begin:stop] for begin, stop in zip(begins, stops, strict=True))
    return Written(block, texts) if len(texts) == TEXTS[block] and all(map(len, texts)) else None
