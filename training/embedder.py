"""Trains the embedder further: questions and claims are brought near the passages that settle them."""

import logging
import time
from collections.abc import Sequence

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from docmind.models.tokens import token_ids
from training.model import _HEAD_NAMES, Reader, Weights
from training.queries import Query
from training.train import device

_log = logging.getLogger(__name__)

TOKENS = 256
SCALE = 20.0
"""What cosines are multiplied with: at 1 / 0.05 the published model was trained too."""


class Embedder(nn.Module):
    """MiniLM: the mean of its last layer, at length one."""

    def __init__(self) -> None:
        super().__init__()
        self.reader = Reader(layers=6)

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        reader = self.reader
        places = torch.arange(ids.shape[1], device=ids.device)
        inside = places < lengths[:, None]
        x = reader.embeddings["word_embeddings"](ids) + reader.embeddings["position_embeddings"](places)
        x = functional.dropout(reader.embeddings["LayerNorm"](x), 0.1, self.training)
        for layer in reader.encoder["layer"]:
            x = layer(x, inside[:, None, None, :])
        return functional.normalize((x.float() * inside[..., None]).sum(1), dim=-1)

    def weights(self) -> Weights:
        """Under the published names; the one token type there is went into the positions."""
        state = {
            name: tensor.detach().float().cpu().numpy()
            for name, tensor in self.reader.state_dict().items()
            if not name.startswith(_HEAD_NAMES)
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
    lengths = torch.tensor([min(len(row), TOKENS) for row in rows])
    ids = torch.zeros(len(rows), int(lengths.max()), dtype=torch.long)
    for number, row in enumerate(rows):
        ids[number, : lengths[number]] = torch.tensor(row[:TOKENS])
    embedded: Tensor = model(ids.to(device()), lengths.to(device()))
    return embedded


def _embed_all(model: Embedder, rows: Sequence[Sequence[int]]) -> Tensor:
    return torch.cat([_embed(model, rows[at : at + 256]).cpu() for at in range(0, len(rows), 256)])
