"""Trains the embedder further: questions and claims are brought near the passages that settle them."""

import logging
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from build_weights import MINILM, enter, open_wheel, published_minilm, write_minilm
from docmind.models.tokens import load_tokenizer, token_ids
from docmind.models.weights import MINILM_TOKENIZER
from training.batches import Layout
from training.model import HEAD_NAMES, Reader, Weights, reads_unpadded, row_of_tokens
from training.rows import Query, RankRow, read
from training.train import device

_log = logging.getLogger(__name__)

TOKENS = 256
SAMPLES = 200
"""Queries and their passages that show the ranges of activations, for rounding."""
SCALE = 20.0
"""What cosines are multiplied with: at 1 / 0.05 the published model was trained too."""


class Embedder(nn.Module):
    """MiniLM: the mean of its last layer, at length one."""

    def __init__(self) -> None:
        super().__init__()
        self.reader = Reader(layers=6, positions=TOKENS)

    def forward(self, ids: Tensor, layout: Layout) -> Tensor:
        x = self.reader.encode(ids, layout).float()
        rows = torch.zeros(len(layout.bounds) - 1, x.shape[1], device=x.device)
        mean = rows.index_add(0, row_of_tokens(layout.bounds, len(x)), x)
        return functional.normalize(mean, dim=-1)

    def weights(self) -> Weights:
        """Under the published names; the one token type there is went into the positions."""
        state = {
            name: tensor.detach().float().cpu().numpy()
            for name, tensor in self.reader.state_dict().items()
            if not name.startswith(HEAD_NAMES)
        }
        width = state["embeddings.word_embeddings.weight"].shape[1]
        return state | {"embeddings.token_type_embeddings.weight": np.zeros((1, width), np.float32)}


def train(
    base: Weights, own: Sequence[Query], public: Sequence[Query], tokenizer: Tokenizer, *, seconds: float, seed: int = 3
) -> Embedder:
    """Half of every batch is of the authored documents, half public, so that nothing else is forgotten."""
    chance = np.random.default_rng(seed)
    model = Embedder()
    model.reader.take(base)
    torch.manual_seed(seed)
    model.to(device()).train()
    texts = list(dict.fromkeys(text for one in (*own, *public) for text in (one.text, one.positive, *one.negatives)))
    known = dict(zip(texts, token_ids(tokenizer, texts), strict=True))
    optimiser = torch.optim.AdamW(model.parameters(), weight_decay=0.01)
    began, step, rate, size = time.time(), 0, 4e-5, 96
    while (done := (time.time() - began) / seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, done / 0.05) * (1 - done)
        some = [own[int(place)] for place in chance.integers(0, len(own), size // 2)]
        some += [public[int(place)] for place in chance.integers(0, len(public), size // 2)]
        passages = list(dict.fromkeys(text for one in some for text in (one.positive, *one.negatives[:2])))
        place = {text: number for number, text in enumerate(passages)}
        with torch.autocast(device(), torch.bfloat16, enabled=device() == "cuda"):
            asked = _embed(model, [known[one.text] for one in some])
            found = _embed(model, [known[text] for text in passages])
        wanted = torch.tensor([place[one.positive] for one in some], device=asked.device)
        value = functional.cross_entropy(SCALE * asked @ found.T, wanted)
        optimiser.zero_grad(set_to_none=True)
        value.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        if step % 200 == 0:
            _log.info("embedder step %d: loss %.3f, %.0f s", step, value.item(), time.time() - began)
    return model.eval()


def recall(model: Embedder, asked: Sequence[Query], tokenizer: Tokenizer) -> dict[str, float]:
    """How often the right passage is among the first, of all passages that any of the questions has."""
    texts = list(dict.fromkeys(text for one in asked for text in (one.positive, *one.negatives)))
    with torch.no_grad():
        found = _embed_all(model, token_ids(tokenizer, texts))
        queries_ = _embed_all(model, token_ids(tokenizer, [one.text for one in asked]))
    place = {text: number for number, text in enumerate(texts)}
    scores = queries_ @ found.T
    wanted = torch.tensor([place[one.positive] for one in asked])
    rank = (scores > scores.gather(1, wanted[:, None])).sum(1)
    return {f"recall@{most}": float((rank < most).float().mean()) for most in (1, 4, 8, 16)}


def _embed(model: Embedder, rows: Sequence[Sequence[int]]) -> Tensor:
    cut = [torch.tensor(row[:TOKENS]) for row in rows]
    lengths = torch.tensor([len(row) for row in cut])
    bounds = functional.pad(lengths.cumsum(0), (1, 0)).int().to(device())
    places = torch.cat([torch.arange(len(row)) for row in cut]).to(device())
    embedded: Tensor = model(
        torch.cat(cut).to(device()), Layout(bounds, places, int(lengths.max()), reads_unpadded(device()))
    )
    return embedded


def _embed_all(model: Embedder, rows: Sequence[Sequence[int]]) -> Tensor:
    with torch.autocast(device(), torch.bfloat16, enabled=device() == "cuda"):
        return torch.cat([_embed(model, rows[at : at + 256]).float().cpu() for at in range(0, len(rows), 256)])


def make_embedder(folder: Path, out: Path, weights: Path | None, seconds: float) -> dict[str, dict[str, float]]:
    """Train on the queries that `build` wrote to the folder, and write `minilm.onnx`, also into the package if given.

    How well the tuning documents' passages are found before and after comes back.
    """
    tokenizer = load_tokenizer(MINILM_TOKENIZER, max_tokens=TOKENS)
    own, tune = (read(Query, folder / f"{name}.jsonl.xz") for name in ("queries", "tune_queries"))
    public = [Query(row.query, row.positive, row.negatives) for row in read(RankRow, folder / "rank.jsonl.xz")]
    with tempfile.TemporaryDirectory() as scratch:
        base = published_minilm(open_wheel(MINILM, Path(scratch)))
    before = Embedder()
    before.reader.take(base)
    found = {"published": recall(before.to(device()).eval(), tune, tokenizer)}
    model = train(base, own, public, tokenizer, seconds=seconds)
    found["trained"] = recall(model, tune, tokenizer)
    texts = [text for one in own[:: max(1, len(own) // SAMPLES)] for text in (one.text, one.positive)]
    write_minilm(model.weights(), texts, MINILM_TOKENIZER, out / "minilm.onnx")
    if weights:
        shutil.copyfile(out / "minilm.onnx", weights / "minilm" / "model.onnx")
        name = "docmind embedder, from sentence-transformers/all-MiniLM-L6-v2"
        enter(weights, "minilm", name, "Apache-2.0 and CC-BY-SA-4.0", MINILM.pinned, "training")
    return found
