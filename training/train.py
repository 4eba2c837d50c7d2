"""Trains all heads together, several seeds side by side, and takes the mean of their weights."""

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import Queue
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch import multiprocessing as processes

from docmind.models.tokens import load_tokenizer
from docmind.models.weights import MINILM_TOKENIZER
from training import batches, rows
from training.batches import Batch, Group, Share, feed
from training.losses import loss
from training.model import Reader, Weights, load, save
from training.plan import Plan
from training.rows import RankRow, ReadRow, SupportRow
from training.store import read_judge_groups, read_question_groups

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class TrainingSet:
    """Every row as tokens."""

    claims: list[Group]
    questions: list[Group]
    support: list[Group]
    rank: list[Group]
    read: list[Group]

    def shares(self, plan: Plan) -> list[list[Share]]:
        """Two batches a step: claims, and questions."""
        judging = [Share(self.claims, plan.claim_pairs), Share(self.support, plan.support_rows)]
        reading = [
            Share(self.questions, plan.question_pairs),
            Share(self.rank, plan.queries),
            Share(self.read, plan.reading_rows),
        ]
        return [judging, reading]


def tokenizer() -> Tokenizer:
    return load_tokenizer(MINILM_TOKENIZER, max_tokens=2048)


def tokenized(folder: Path, plan: Plan) -> TrainingSet:
    tokens = tokenizer()
    chance = np.random.default_rng(plan.build_seed)
    return TrainingSet(
        batches.judge_items(tokens, read_judge_groups(folder / "claims.jsonl.xz")),
        batches.question_items(tokens, read_question_groups(folder / "questions.jsonl.xz")),
        batches.support_items(tokens, rows.read(SupportRow, folder / "support.jsonl.xz")),
        batches.rank_items(tokens, rows.read(RankRow, folder / "rank.jsonl.xz"), plan.passages),
        batches.read_items(tokens, rows.read(ReadRow, folder / "read.jsonl.xz"), chance),
    )


def average(paths: Sequence[Path]) -> Reader:
    """The mean of the weights of models that began from the same ones."""
    models = [load(path) for path in paths]
    states = [model.state_dict() for model in models]
    mean = {name: torch.stack([state[name].float() for state in states]).mean(0) for name in states[0]}
    models[0].load_state_dict(mean)
    return models[0]


def train(base: Weights | None, data: TrainingSet, plan: Plan, seed: int, path: Path) -> None:
    """One model, written to `path`: the mean of its weights along the way."""
    batches_ahead = _prefetched(data.shares(plan), seed, plan.feeders)
    model = Reader(plan.layers)
    if base is not None:
        model.take(base)
    torch.manual_seed(seed)
    model.to(device()).train()
    heads = [tensor for name, tensor in model.named_parameters() if not name.startswith(("encoder.", "embeddings."))]
    body = [tensor for name, tensor in model.named_parameters() if name.startswith(("encoder.", "embeddings."))]
    optimiser = torch.optim.AdamW(
        [{"params": body}, {"params": heads}], weight_decay=plan.weight_decay, fused=device() == "cuda"
    )
    mean = [tensor.detach().clone() for tensor in model.parameters()]
    began, total, step = time.time(), torch.zeros((), device=device()), 0
    for parts in batches_ahead:
        done = (time.time() - began) / plan.seconds if plan.seconds else step / plan.steps
        if done >= 1:
            break
        scale = min(1.0, done / plan.warmup) * (1 - done)
        for group, rate in zip(optimiser.param_groups, (plan.learning_rate, plan.head_rate), strict=True):
            group["lr"] = rate * max(scale, 1e-3)
        optimiser.zero_grad(set_to_none=True)
        for part in parts:
            batch = part.to(device())
            with torch.autocast(device(), torch.bfloat16, enabled=device() == "cuda"):
                out = model(batch.ids, batch.lengths)
            value = loss(out, batch)
            value.backward()  # type: ignore[no-untyped-call]
            total += value.detach()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        decay = min(plan.average_decay, (1 + step) / (10 + step))
        torch._foreach_lerp_(mean, list(model.parameters()), 1 - decay)
        step += 1
        if step % 500 == 0:
            _log.info("seed %d step %d: loss %.3f, %.0f s", seed, step, total.item() / 500, time.time() - began)
            total.zero_()
    _log.info("seed %d: %d steps in %.0f s", seed, step, time.time() - began)
    with torch.no_grad():
        for tensor, averaged in zip(model.parameters(), mean, strict=True):
            tensor.copy_(averaged)
    save(model, path)


def _prefetched(shares: Sequence[Sequence[Share]], seed: int, feeders: int) -> Iterator[list[Batch]]:
    """A batch of every kind, made ahead in processes of their own: putting them together takes as long as training."""
    context = processes.get_context("fork")
    queues = [context.Queue(8) for _ in shares]
    for number, (some, target) in enumerate(zip(shares, queues, strict=True)):
        for feeder in range(feeders):
            chance = np.random.default_rng((seed, number, feeder))
            context.Process(target=_fill, args=(some, chance, target), daemon=True).start()
    return _taken(queues)


def _taken(queues: "Sequence[Queue[Batch]]") -> Iterator[list[Batch]]:
    while True:
        yield [target.get() for target in queues]


def _fill(shares: Sequence[Share], chance: np.random.Generator, target: "Queue[Batch]") -> None:
    torch.set_num_threads(1)
    for batch in feed(shares, chance):
        target.put(batch)


def device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def scored(model: Reader, pairs: Sequence[tuple[str, str]], size: int = 256) -> tuple[Tensor, Tensor]:
    """Verdict probabilities and answer logits of texts side by side."""
    tokens = tokenizer()
    known = batches.Encoding(tokens, [text for pair in pairs for text in pair])
    items = [known.pair(*pair) for pair in pairs]
    order = sorted(range(len(items)), key=lambda place: len(items[place].ids))
    verdict, answers = torch.empty(len(items), 3), torch.empty(len(items))
    for at in range(0, len(order), size):
        places = order[at : at + size]
        group = Group([batches.Item(np.array(items[place].ids, np.uint16), items[place].passage) for place in places])
        batch = batches.collate([group]).to(device())
        with torch.no_grad(), torch.autocast(device(), torch.bfloat16, enabled=device() == "cuda"):
            out = model(batch.ids, batch.lengths)
        verdict[places] = out.verdict.float().softmax(-1).cpu()
        answers[places] = out.answers.float().cpu()
    return verdict, answers
