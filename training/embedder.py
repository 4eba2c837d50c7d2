"""Trains the embedder further: questions and claims are brought near the passages that settle them.

    python -m training.embedder --pairs pairs.npz --base minilm.npz --out DIR --seconds 280

Needs torch and numpy and nothing else of DocMind; `python -m training pairs` leaves the two files. In DIR lie
afterwards `embedder.npz`, in parts of at most 15 MB, and `embedder.json`, how well the tuning passages are found.
"""

import argparse
import io
import json
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.batches import Layout, lay_out
from training.model import HEAD_NAMES, MINILM, Reader, Weights
from training.packed import Places, Tokens, read_parts, stretches, write_parts
from training.plan import SHIPPED
from training.train import LARGEST_PART, device

_log = logging.getLogger(__name__)

TOKENS = MINILM.positions
SCALE = 20.0
"""What cosines are multiplied with: at 1 / 0.05 the published model was trained too."""
QUERIES = 384
"""Of a batch. Each is told from the passages of all others, so that many teach more than few."""
RATE = 6e-5
NONE = -1
"""In the place of a passage where there is none."""


@dataclass(frozen=True)
class Pairs:
    """Tokenized texts on end, and rows of them: a query, the passage that settles it, and two that look alike."""

    ids: Tokens
    length: Places
    own: Places
    public: Places
    tune: Places

    def write(self, path: Path) -> None:
        np.savez_compressed(path, **{one.name: getattr(self, one.name) for one in fields(self)})

    @classmethod
    def read(cls, path: Path) -> "Pairs":
        held: Mapping[str, NDArray[np.generic]] = np.load(path)
        return cls(**{one.name: held[one.name] for one in fields(cls)})  # type: ignore[arg-type]


class Embedder(nn.Module):
    """MiniLM: the mean of its last layer, at length one."""

    def __init__(self) -> None:
        super().__init__()
        self.reader = Reader(MINILM)

    def forward(self, ids: Tensor, layout: Layout, texts: int) -> Tensor:
        x = self.reader.encode(ids, layout).float()
        # What lies between the texts goes into a row of its own, the last.
        total = torch.zeros(texts + 1, x.shape[1], device=x.device).index_add(0, layout.row % (texts + 1), x)
        return functional.normalize(total[:-1], dim=-1)

    def weights(self) -> Weights:
        """Under the published names; the one token type there is went into the positions."""
        state = {
            name: tensor.detach().float().cpu().numpy()
            for name, tensor in self.reader.state_dict().items()
            if not name.startswith(HEAD_NAMES)
        }
        width = state["embeddings.word_embeddings.weight"].shape[1]
        return state | {"embeddings.token_type_embeddings.weight": np.zeros((1, width), np.float32)}


class Texts:
    """All texts in the memory of the device."""

    def __init__(self, pairs: Pairs) -> None:
        self._ids = torch.from_numpy(pairs.ids.astype(np.int32)).to(device())
        self._length = pairs.length
        self._first = np.cumsum(pairs.length) - pairs.length

    def embed(self, model: Embedder, texts: Places) -> Tensor:
        length = self._length[texts]
        begin, bins = lay_out(length, TOKENS)
        taken, at = stretches(self._first[texts], length), stretches(begin, length)
        source, row, places = np.zeros((3, bins * TOKENS), np.int64)
        row -= 1
        source[at], row[at] = taken, np.repeat(np.arange(len(texts)), length)
        places[at] = at - np.repeat(begin, length)
        layout = Layout(_sent(row), _sent(places), TOKENS)
        with torch.autocast(device(), torch.bfloat16, enabled=device() == "cuda"):
            embedded: Tensor = model(self._ids[_sent(source)], layout, len(texts))
        return embedded


def train(base: Weights, pairs: Pairs, *, seconds: float, seed: int = 3) -> Embedder:
    """Half of every batch is of the authored documents, half public, so that nothing else is forgotten."""
    chance = np.random.default_rng(seed)
    model = Embedder()
    model.reader.take(base)
    torch.manual_seed(seed)
    model.to(device()).train()
    texts = Texts(pairs)
    optimiser = torch.optim.AdamW(model.parameters(), weight_decay=0.01)
    began, step = time.monotonic(), 0
    while (done := (time.monotonic() - began) / seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1.0, done / 0.05) * (1 - done)
        rows = np.concatenate([some[chance.integers(0, len(some), QUERIES // 2)] for some in (pairs.own, pairs.public)])
        passages = np.unique(rows[:, 1:][rows[:, 1:] != NONE])
        asked, found = texts.embed(model, rows[:, 0]), texts.embed(model, passages)
        wanted = _sent(np.searchsorted(passages, rows[:, 1]))
        value = functional.cross_entropy(SCALE * asked @ found.T, wanted)
        optimiser.zero_grad(set_to_none=True)
        value.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        if step % 200 == 0:
            _log.info("embedder step %d: loss %.3f, %.0f s", step, value.item(), time.monotonic() - began)
    return model.eval()


def recall(model: Embedder, pairs: Pairs) -> dict[str, float]:
    """How often the right passage is among the first, of all passages that any of the tuning queries has."""
    texts, rows = Texts(pairs), pairs.tune
    passages = np.unique(rows[:, 1:][rows[:, 1:] != NONE])
    with torch.no_grad():
        found, asked = (
            torch.cat([texts.embed(model, some[at : at + 256]).float().cpu() for at in range(0, len(some), 256)])
            for some in (passages, rows[:, 0])
        )
    scores = asked @ found.T
    wanted = torch.from_numpy(np.searchsorted(passages, rows[:, 1]))
    rank = (scores > scores.gather(1, wanted[:, None])).sum(1)
    return {f"recall@{most}": float((rank < most).float().mean()) for most in (1, 4, 8, 16)}


def run(pairs: Pairs, base: Weights, out: Path, seconds: float) -> dict[str, dict[str, float]]:
    """Train and write; how well passages are found before and after comes back."""
    before = Embedder()
    before.reader.take(base)
    found = {"published": recall(before.to(device()).eval(), pairs)}
    model = train(base, pairs, seconds=seconds)
    found["trained"] = recall(model, pairs)
    write_weights(model.weights(), out / "embedder.npz")
    (out / "embedder.json").write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    _log.info("%s", json.dumps(found))
    return found


def write_weights(weights: Weights, path: Path) -> None:
    """In half precision, in parts."""
    content = io.BytesIO()
    np.savez(content, **{name: array.astype(np.float16) for name, array in weights.items()})  # type: ignore[arg-type]
    write_parts(content.getvalue(), path, LARGEST_PART)


def read_weights(path: Path) -> Weights:
    held = np.load(io.BytesIO(read_parts(path)))
    return {name: held[name].astype(np.float32) for name in held.files}


def _sent(numbers: Places) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(numbers)).to(device())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, required=True, help="the tokenized queries and passages")
    parser.add_argument("--base", type=Path, required=True, help="the weights to start from")
    parser.add_argument("--out", type=Path, required=True, help="folder for what is made")
    parser.add_argument("--seconds", type=float, default=SHIPPED.embedder_s, help="of training")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    run(Pairs.read(arguments.pairs), read_weights(arguments.base), arguments.out, arguments.seconds)


if __name__ == "__main__":
    main()
