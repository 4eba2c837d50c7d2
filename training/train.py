"""Trains all heads together for a given time."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from training.batches import MAX_TOKENS, ResidentRows, draw
from training.losses import loss
from training.model import Reader, save
from training.packed import Places
from training.plan import Plan, Round

_log = logging.getLogger(__name__)
LARGEST_PART = 15_000_000
"""Bytes of a file that is written on the way, so that any way of fetching it will do."""
FILLED = 0.96
"""Of the tokens of a batch: whole rows fill bins a little less than wholly, and every batch is to have one shape."""


@dataclass(frozen=True)
class Trained:
    """How a training went."""

    steps: int
    tokens: int
    losses: list[float]
    """Means along the way."""


def device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def train(
    model: Reader,
    rows: ResidentRows,
    plan: Plan,
    one: Round,
    path: Path,
    written: Callable[[], None] = lambda: None,
) -> Trained:
    """Write the mean of the weights along the way to `path`, in parts; `written` is called each time but the last."""
    torch.manual_seed(one.seed)
    model.drop(one.dropout)
    model.to(rows.device).train()
    if plan.compiled and not _compiles(model, rows, plan, one.masked):
        _log.info("The layers could not be compiled, and run as they are.")
    heads = [tensor for name, tensor in model.named_parameters() if not name.startswith(("encoder.", "embeddings."))]
    body = [tensor for name, tensor in model.named_parameters() if name.startswith(("encoder.", "embeddings."))]
    optimiser = torch.optim.AdamW([{"params": body}, {"params": heads}], weight_decay=plan.weight_decay, fused=True)
    mean = [tensor.detach().clone() for tensor in model.parameters()]
    total, curve, step, tokens = torch.zeros((), device=rows.device), [], 0, 0
    began = checkpoint = time.monotonic()
    for groups in draw(rows, plan.shares, int(FILLED * plan.tokens), np.random.default_rng(one.seed)):
        now = time.monotonic()
        done = max((now - began) / one.seconds, step / plan.steps if plan.steps else 0.0)
        if done >= 1:
            break
        for group, rate in zip(optimiser.param_groups, (one.rate, plan.head_rate), strict=True):
            group["lr"] = rate * max(min(1.0, done / one.warmup) * (1 - done), 1e-3)
        optimiser.zero_grad(set_to_none=True)
        value = _loss(model, rows, groups, plan, one.masked)
        value.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        torch._foreach_lerp_(mean, list(model.parameters()), 1 - min(plan.average_decay, (1 + step) / (10 + step)))
        total += value.detach()
        step, tokens = step + 1, tokens + int(rows.tokens[groups].sum())
        if step % plan.log_every == 0:
            curve.append(total.item() / plan.log_every)
            total.zero_()
            speed = tokens / (time.monotonic() - began)
            _log.info("seed %d step %d: loss %.3f, %.0f s, %d tokens/s", one.seed, step, curve[-1], now - began, speed)
        if now - checkpoint > plan.checkpoint_s:
            _write(model, mean, path)
            written()
            checkpoint = now
    _log.info("seed %d: %d steps, %d tokens in %.0f s", one.seed, step, tokens, time.monotonic() - began)
    _write(model, mean, path)
    return Trained(step, tokens, curve)


def _loss(model: Reader, rows: ResidentRows, groups: Places, plan: Plan, masked: float) -> Tensor:
    batch = rows.batch(groups, plan.tokens // MAX_TOKENS, masked)
    with torch.autocast(rows.device, torch.bfloat16, enabled=rows.device == "cuda"):
        out = model(batch)
    return loss(out, batch)


def _compiles(model: Reader, rows: ResidentRows, plan: Plan, masked: float) -> bool:
    """Compile every layer and try a step; layers that cannot be compiled are put back as they were."""
    layers = model.layers
    try:
        for layer in layers:
            layer.compile()
        groups = next(draw(rows, plan.shares, int(FILLED * plan.tokens), np.random.default_rng(0)))
        _loss(model, rows, groups, plan, masked).backward()  # type: ignore[no-untyped-call]
    except Exception:  # noqa: BLE001 - whatever the compiler raises, training goes on without it
        _log.exception("torch.compile failed")
        for layer in layers:
            layer._compiled_call_impl = None
        return False
    finally:
        model.zero_grad(set_to_none=True)
    return True


def _write(model: Reader, mean: Sequence[Tensor], path: Path) -> None:
    """The averaged weights; the model goes on from its own."""
    own = [tensor.detach().clone() for tensor in model.parameters()]
    with torch.no_grad():
        torch._foreach_copy_(list(model.parameters()), list(mean))
        save(model, path, LARGEST_PART)
        torch._foreach_copy_(list(model.parameters()), own)
