"""Trains all heads together: several teachers apart, and the encoder out of them."""

import logging
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch import multiprocessing as processes

from docmind.models.pairs import MAX_TOKENS
from docmind.models.tokens import load_tokenizer
from docmind.models.weights import MINILM_TOKENIZER
from training import batches, losses, rows
from training.batches import Batch, Feed
from training.model import Encoder, Outputs, Weights, load
from training.plan import Plan
from training.rows import RankRow, ReadRow, SupportRow

_log = logging.getLogger(__name__)

Loss = Callable[[Outputs, Batch, float], Tensor]
Taught = Callable[[Outputs, Sequence[Outputs], Batch], Tensor]
_LOSSES: tuple[tuple[Loss, Taught], ...] = (
    (losses.support, losses.taught_support),
    (losses.rank, losses.taught_rank),
    (losses.read, losses.taught_read),
)


@dataclass(frozen=True)
class TrainingSet:
    """Every row as tokens."""

    support: list[batches.SupportItem]
    rank: list[batches.RankItem]
    read: list[batches.ReadItem]


def tokenized(folder: Path, plan: Plan) -> TrainingSet:
    tokenizer = load_tokenizer(MINILM_TOKENIZER, max_tokens=4 * MAX_TOKENS)
    chance = np.random.default_rng(plan.build_seed)
    return TrainingSet(
        batches.support_items(tokenizer, rows.read(SupportRow, folder / "support.jsonl.xz")),
        batches.rank_items(tokenizer, rows.read(RankRow, folder / "rank.jsonl.xz"), plan.passages),
        batches.read_items(tokenizer, rows.read(ReadRow, folder / "read.jsonl.xz"), chance),
    )


def train_teachers(base: Weights | None, data: TrainingSet, plan: Plan, out: Path) -> list[Path]:
    """One model a seed, all at once: each leaves the accelerator idle half of the time."""
    out.mkdir(parents=True, exist_ok=True)
    paths = [out / f"teacher-{seed}.pt" for seed in plan.seeds]
    if device() == "cpu":
        for seed, path in zip(plan.seeds, paths, strict=True):
            _train_teacher(seed, base, data, plan, path)
        return paths
    context = processes.get_context("fork")
    started = [
        context.Process(target=_train_teacher, args=(seed, base, data, plan, path))
        for seed, path in zip(plan.seeds, paths, strict=True)
    ]
    for process in started:
        process.start()
    for process in started:
        process.join()
    if any(process.exitcode for process in started):
        raise RuntimeError("A teacher's training failed; its own message is above.")
    return paths


def train_encoder(teachers: Sequence[Path], data: TrainingSet, plan: Plan, out: Path) -> Path:
    """The encoder out of its teachers: the mean of their weights, or a student of all of them."""
    path = out / "encoder.pt"
    if plan.student_steps:
        return _train_student(teachers, data, plan, path)
    torch.save(averaged([load(teacher) for teacher in teachers]), path)
    return path


def _train_student(teachers: Sequence[Path], data: TrainingSet, plan: Plan, path: Path) -> Path:
    taught_by = [load(path, device()) for path in teachers]
    student = Encoder()
    student.load_state_dict(_best_start(taught_by, data, plan))
    shorter = replace(plan, steps=plan.student_steps, learning_rate=plan.learning_rate * 0.75)
    return _train(student, data, shorter, seed=plan.seeds[0] + 100, teachers=taught_by, path=path)


def device() -> str:
    # Asked through the driver's library: asking CUDA itself would keep forked teachers from using it.
    os.environ.setdefault("PYTORCH_NVML_BASED_CUDA_CHECK", "1")
    return "cuda" if torch.cuda.is_available() else "cpu"


def averaged(models: Sequence[Encoder]) -> dict[str, Tensor]:
    states = [model.state_dict() for model in models]
    return {name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]}


def _train_teacher(seed: int, base: Weights | None, data: TrainingSet, plan: Plan, path: Path) -> None:
    model = Encoder()
    if base is not None:
        model.take(base)
    _train(model, data, plan, seed=seed, teachers=(), path=path)


def _train(
    model: Encoder, data: TrainingSet, plan: Plan, *, seed: int, teachers: Sequence[Encoder], path: Path
) -> Path:
    torch.manual_seed(seed)
    where = device()
    model = model.to(where).train()
    mean = {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
    optimiser, schedule = _optimiser(model, plan)
    started = time.monotonic()
    feeds = _ahead(_steps(data, plan, seed), plan.steps)
    for step, batch in enumerate(feeds, 1):
        parts = [_loss(model, kind, rows_.to(where), teachers, plan) for kind, rows_ in enumerate(batch)]
        torch.stack(parts).sum().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        schedule.step()
        _follow(mean, model, min(plan.average_decay, (1 + step) / (10 + step)))
        if step % 250 == 0 or step == plan.steps:
            shown = " ".join(f"{part.item():.3f}" for part in parts)
            _log.info("seed %d step %d losses %s (%.0f s)", seed, step, shown, time.monotonic() - started)
    torch.save({name: tensor.cpu() for name, tensor in mean.items()}, path)
    return path


def _loss(model: Encoder, kind: int, batch: Batch, teachers: Sequence[Encoder], plan: Plan) -> Tensor:
    by_label, by_teachers = _LOSSES[kind]
    with torch.autocast(batch.ids.device.type, torch.bfloat16, enabled=device() == "cuda"):
        out = model(batch.ids, batch.lengths)
        if not teachers:
            return by_label(out, batch, plan.smoothing)
        with torch.no_grad():
            beliefs = [teacher(batch.ids, batch.lengths) for teacher in teachers]
    taught = by_teachers(out, beliefs, batch)
    return plan.taught * taught + (1 - plan.taught) * by_label(out, batch, plan.smoothing)


def _best_start(teachers: Sequence[Encoder], data: TrainingSet, plan: Plan) -> dict[str, Tensor]:
    """The teachers' mean weights where they lie in one valley, else those of the teacher the others agree with most."""
    middle = Encoder()
    middle.load_state_dict(averaged(teachers))
    batch_sets = [next(_steps(data, plan, seed)) for seed in range(2)]

    def disagreement(model: Encoder) -> float:
        model = model.to(device()).eval()
        with torch.no_grad():
            losses_ = [
                _loss(model, kind, rows_.to(device()), teachers, replace(plan, taught=1.0)).item()
                for parts in batch_sets
                for kind, rows_ in enumerate(parts)
            ]
        return float(np.mean(losses_))

    candidates = [middle, *teachers]
    scores = [disagreement(candidate) for candidate in candidates]
    _log.info("start: mean %.4f, teachers %s", scores[0], " ".join(f"{score:.4f}" for score in scores[1:]))
    return candidates[int(np.argmin(scores))].state_dict()


def _steps(data: TrainingSet, plan: Plan, seed: int) -> Iterator[tuple[Batch, Batch, Batch]]:
    chance = np.random.default_rng(seed)
    support = Feed(data.support, plan.support_rows, batches.collate_support, chance.spawn(1)[0])
    rank = Feed(data.rank, plan.queries, batches.collate_rank, chance.spawn(1)[0])
    read = Feed(data.read, plan.reading_rows, batches.collate_read, chance.spawn(1)[0])
    return zip(support, rank, read, strict=False)


def _ahead(steps: Iterator[tuple[Batch, Batch, Batch]], count: int) -> Iterator[tuple[Batch, Batch, Batch]]:
    """The same steps, put together by a thread while the accelerator works on the last one."""
    ready: queue.Queue[tuple[Batch, Batch, Batch]] = queue.Queue(maxsize=16)

    def fill() -> None:
        for _ in range(count):
            ready.put(next(steps))

    threading.Thread(target=fill, daemon=True).start()
    for _ in range(count):
        yield ready.get()


def _optimiser(model: Encoder, plan: Plan) -> tuple[torch.optim.Optimizer, torch.optim.lr_scheduler.LRScheduler]:
    decayed = [parameter for parameter in model.parameters() if parameter.ndim > 1]
    others = [parameter for parameter in model.parameters() if parameter.ndim <= 1]
    groups = [{"params": decayed, "weight_decay": plan.weight_decay}, {"params": others, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=plan.learning_rate, fused=device() == "cuda")
    warm = max(1, round(plan.steps * plan.warmup))

    def rate(step: int) -> float:
        return min((step + 1) / warm, max(0.0, (plan.steps - step) / max(1, plan.steps - warm)))

    return optimiser, torch.optim.lr_scheduler.LambdaLR(optimiser, rate)


@torch.no_grad()
def _follow(mean: dict[str, Tensor], model: Encoder, decay: float) -> None:
    """The mean of the weights along the way, the latest counting most: steadier than the weights at the end."""
    torch._foreach_lerp_(list(mean.values()), list(model.state_dict().values()), 1 - decay)
