"""The reader: a BERT encoder with heads for judging claims and reading answers, under the published parameter names."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

LAYERS, HEADS, HIDDEN, INNER, VOCABULARY = 12, 12, 384, 1536, 30522
POSITIONS = 448
KINDS = 4
SEPARATOR = 102
EPSILON = 1e-12
DROPOUT = 0.1

Weights = dict[str, NDArray[np.float32]]


@dataclass
class Outputs:
    """What the heads say of each row, and of each of its tokens."""

    verdict: Tensor
    """Supported, not stated, contradicted; of a yes/no question yes, neither, no."""
    answers: Tensor
    """Whether the text answers the question."""
    span: Tensor
    """Where the bare answer begins and ends."""
    doubt: Tensor
    """Which words of the claim are wrong."""
    marks: Tensor
    """Which words of the text decide."""


class _SelfAttention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.query = nn.Linear(HIDDEN, HIDDEN)
        self.key = nn.Linear(HIDDEN, HIDDEN)
        self.value = nn.Linear(HIDDEN, HIDDEN)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        batch, tokens, _ = x.shape
        weight = torch.cat([self.query.weight, self.key.weight, self.value.weight])
        bias = torch.cat([self.query.bias, self.key.bias, self.value.bias])
        mixed = functional.linear(x, weight, bias).view(batch, tokens, 3, HEADS, HIDDEN // HEADS)
        query, key, value = mixed.permute(2, 0, 3, 1, 4).unbind(0)
        heads = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=mask, dropout_p=DROPOUT if self.training else 0.0
        )
        return heads.transpose(1, 2).reshape(batch, tokens, HIDDEN)


class _Projection(nn.Module):
    """A linear layer whose result is added to what went in, and normalised."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.dense = nn.Linear(width, HIDDEN)
        self.LayerNorm = nn.LayerNorm(HIDDEN, eps=EPSILON)

    def forward(self, x: Tensor, skip: Tensor) -> Tensor:
        added: Tensor = self.LayerNorm(skip + functional.dropout(self.dense(x), DROPOUT, self.training))
        return added


class _Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.ModuleDict({"self": _SelfAttention(), "output": _Projection(HIDDEN)})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(HIDDEN, INNER)})
        self.output = _Projection(INNER)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        x = self.attention["output"](self.attention["self"](x, mask), x)
        inner: Tensor = self.output(functional.gelu(self.intermediate["dense"](x)), x)
        return inner


class Reader(nn.Module):
    """Heads start from the same random weights whatever the seed, so that models trained apart can be averaged."""

    def __init__(self, layers: int = LAYERS, head_seed: int = 5) -> None:
        super().__init__()
        torch.manual_seed(head_seed)
        self.embeddings = nn.ModuleDict(
            {
                "word_embeddings": nn.Embedding(VOCABULARY, HIDDEN),
                "position_embeddings": nn.Embedding(POSITIONS, HIDDEN),
                "kind_embeddings": nn.Embedding(KINDS, HIDDEN),
                "LayerNorm": nn.LayerNorm(HIDDEN, eps=EPSILON),
            }
        )
        nn.init.zeros_(self.embeddings["kind_embeddings"].weight)
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(_Layer() for _ in range(layers))})
        self.verdict = nn.Sequential(nn.Linear(HIDDEN, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, 3))
        self.answers = nn.Sequential(nn.Linear(HIDDEN, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, 1))
        self.tokens = nn.Linear(HIDDEN, 4)

    def forward(self, ids: Tensor, lengths: Tensor) -> Outputs:
        hidden = self.encode(ids, lengths)
        first = functional.dropout(hidden[:, 0], DROPOUT, self.training)
        tokens = self.tokens(hidden)
        return Outputs(
            self.verdict(first), self.answers(first).squeeze(-1), tokens[..., :2], tokens[..., 2], tokens[..., 3]
        )

    def encode(self, ids: Tensor, lengths: Tensor) -> Tensor:
        places = torch.arange(ids.shape[1], device=ids.device)
        mask = (places < lengths[:, None])[:, None, None, :]
        x = self.embeddings["word_embeddings"](ids) + self.embeddings["position_embeddings"](places)
        x = x + self.embeddings["kind_embeddings"](kinds(ids))
        x = functional.dropout(self.embeddings["LayerNorm"](x), DROPOUT, self.training)
        for layer in self.encoder["layer"]:
            x = layer(x, mask)
        return x

    def take(self, base: Weights) -> None:
        """Start from published weights; the first token type goes into the positions, since there is no second."""
        own = dict(base)
        types = own.pop("embeddings.token_type_embeddings.weight")
        own["embeddings.position_embeddings.weight"] = (own["embeddings.position_embeddings.weight"] + types[0])[
            :POSITIONS
        ]
        known = {name: torch.tensor(own[name]) for name in self.state_dict() if name in own}
        missing = [name for name in self.state_dict() if name not in known and not name.startswith(_HEAD_NAMES)]
        if missing:
            raise ValueError(f"The base weights lack {missing[0]}.")
        self.load_state_dict(known, strict=False)


_HEAD_NAMES = ("verdict.", "answers.", "tokens.", "embeddings.kind_embeddings.")


def kinds(ids: Tensor) -> Tensor:
    """Of each token, which of the two texts it is in and whether the other one has it too: 0 and 1, or 2 and 3.

    A model as small as this one spends layers on finding words again; told beforehand, it has them for what they mean.
    """
    places = torch.arange(ids.shape[1], device=ids.device)
    second = places > (ids == SEPARATOR).int().argmax(1, keepdim=True)
    shared = (ids[:, :, None] == ids[:, None, :]) & (second[:, :, None] != second[:, None, :])
    return shared.any(-1).long() + 2 * second.long()


def load(path: Path, device: str = "cpu") -> Reader:
    """A model that `save` wrote."""
    state = torch.load(path, map_location="cpu", weights_only=True)
    rows = state.pop(_ROWS).float() * state.pop(_SCALES).float()
    model = Reader(layers=1 + max(int(name.split(".")[2]) for name in state if name.startswith("encoder.layer.")))
    model.load_state_dict({name: tensor.float() for name, tensor in state.items()} | {_WORDS: rows})
    return model.to(device).eval()


def save(model: Reader, path: Path) -> None:
    """In half precision, and the word embeddings as they will ship, in eight bits a row."""
    state = {name: tensor.detach().cpu() for name, tensor in model.state_dict().items()}
    words = state.pop(_WORDS).float()
    scales = words.abs().amax(1, keepdim=True).clamp(min=1e-9) / 127
    half = {name: tensor.half() for name, tensor in state.items()}
    torch.save(half | {_ROWS: (words / scales).round().to(torch.int8), _SCALES: scales}, path)


_WORDS = "embeddings.word_embeddings.weight"
_ROWS, _SCALES = "embeddings.word_rows", "embeddings.word_scales"
