"""The reader: an MPNet encoder with heads for judging claims and reading answers; without its heads also MiniLM."""

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.batches import MAX_TOKENS, Batch, Layout
from training.packed import read_parts, write_parts

HEADS, VOCABULARY = 12, 30522
KINDS = 4
EPSILON = 1e-12
_DROPOUT = 0.1
"""Unless a round of training has another."""

Weights = dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Shape:
    """How large an encoder is."""

    layers: int = 8
    hidden: int = 768
    positions: int = MAX_TOKENS
    distances: bool = True
    """Whether attention also weighs how far apart two tokens stand, as MPNet does and BERT does not."""


READER = Shape()
MINILM = Shape(layers=6, hidden=384, positions=256, distances=False)


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
    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.query = nn.Linear(hidden, hidden)
        self.key = nn.Linear(hidden, hidden)
        self.value = nn.Linear(hidden, hidden)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        weight = torch.cat([self.query.weight, self.key.weight, self.value.weight])
        bias = torch.cat([self.query.bias, self.key.bias, self.value.bias])
        mixed = functional.linear(x, weight, bias).view(len(mask), -1, 3, HEADS, x.shape[1] // HEADS)
        query, key, value = mixed.permute(2, 0, 3, 1, 4)
        heads = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return heads.transpose(1, 2).reshape(x.shape)


class _Projection(nn.Module):
    """A linear layer whose result is added to what went in, and normalised."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.dense = nn.Linear(width, hidden)
        self.LayerNorm = nn.LayerNorm(hidden, eps=EPSILON)
        self.dropout = nn.Dropout(_DROPOUT)

    def forward(self, x: Tensor, skip: Tensor) -> Tensor:
        added: Tensor = self.LayerNorm(skip + self.dropout(self.dense(x)))
        return added


class _Layer(nn.Module):
    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.attention = nn.ModuleDict({"self": _SelfAttention(hidden), "output": _Projection(hidden, hidden)})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(hidden, 4 * hidden)})
        self.output = _Projection(4 * hidden, hidden)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        x = self.attention["output"](self.attention["self"](x, mask), x)
        inner: Tensor = self.output(functional.gelu(self.intermediate["dense"](x)), x)
        return inner


class Reader(nn.Module):
    """Heads start from the same random weights whatever the seed."""

    def __init__(self, shape: Shape = READER, head_seed: int = 5) -> None:
        super().__init__()
        torch.manual_seed(head_seed)
        self.shape, hidden = shape, shape.hidden
        self.embeddings = nn.ModuleDict(
            {
                "word_embeddings": nn.Embedding(VOCABULARY, hidden),
                "position_embeddings": nn.Embedding(shape.positions, hidden),
                "kind_embeddings": nn.Embedding(KINDS, hidden),
                "LayerNorm": nn.LayerNorm(hidden, eps=EPSILON),
            }
        )
        nn.init.zeros_(self.get_parameter("embeddings.kind_embeddings.weight"))
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(_Layer(hidden) for _ in range(shape.layers))})
        if shape.distances:
            self.register_buffer("distances", torch.zeros(HEADS, 2 * shape.positions - 1))
        self.verdict = nn.Sequential(nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 3))
        self.answers = nn.Sequential(nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.tokens = nn.Linear(hidden, 4)
        self.dropout = nn.Dropout(_DROPOUT)

    def forward(self, batch: Batch) -> Outputs:
        hidden = self.encode(batch.ids, batch.layout, batch.kinds)
        first = self.dropout(hidden[batch.first])
        tokens = self.tokens(hidden)
        return Outputs(
            self.verdict(first), self.answers(first).squeeze(-1), tokens[..., :2], tokens[..., 2], tokens[..., 3]
        )

    def encode(self, ids: Tensor, layout: Layout, kinds: Tensor | None = None) -> Tensor:
        """The last layer of every token; `kinds` says of each which text it is in and whether the other has it too.

        A model as small as this one spends layers on finding words again; told beforehand, it has them for what they
        mean.
        """
        x: Tensor = self.embeddings["word_embeddings"](ids) + self.embeddings["position_embeddings"](layout.places)
        if kinds is not None:
            x = x + self.embeddings["kind_embeddings"](kinds)
        x = self.dropout(self.embeddings["LayerNorm"](x))
        mask = self._mask(layout)
        for layer in self.layers:
            x = layer(x, mask)
        return x

    def _mask(self, layout: Layout) -> Tensor:
        """Which tokens of a bin see each other: those of one row; and how much each distance counts."""
        row = layout.row.view(-1, 1, layout.width)
        together = row[..., :, None] == row[..., None, :]
        if not self.shape.distances:
            return together
        device, middle = layout.row.device.type, self.shape.positions - 1
        along = torch.arange(layout.width, device=device)
        weighed = self.get_buffer("distances")[:, middle + along[:, None] - along]
        if torch.is_autocast_enabled(device):
            weighed = weighed.to(torch.get_autocast_dtype(device))
        return torch.where(together, weighed, -torch.inf)

    @property
    def layers(self) -> list[nn.Module]:
        return list(self.encoder["layer"].children())

    def drop(self, share: float) -> None:
        """How much of what each layer adds is left out while training."""
        for module in self.modules():
            if isinstance(module, nn.Dropout):
                module.p = share

    def take(self, base: Weights) -> None:
        """Start from published weights under BERT's names; of its token types the first goes into the positions."""
        own = dict(base)
        places = own["embeddings.position_embeddings.weight"]
        types = own.pop("embeddings.token_type_embeddings.weight", None)
        own["embeddings.position_embeddings.weight"] = (places if types is None else places + types[0])[
            : self.shape.positions
        ]
        known = {name: torch.tensor(own[name]) for name in self.state_dict() if name in own}
        missing = [name for name in self.state_dict() if name not in known and not name.startswith(HEAD_NAMES)]
        if missing:
            raise ValueError(f"The base weights lack {missing[0]}.")
        self.load_state_dict(known, strict=False)


HEAD_NAMES = ("verdict.", "answers.", "tokens.", "embeddings.kind_embeddings.")


def load(path: Path, device: str = "cpu") -> Reader:
    """A model that `save` wrote, whole or in parts."""
    state = torch.load(io.BytesIO(read_parts(path)), map_location="cpu", weights_only=True)
    rows = state.pop(_ROWS).float() * state.pop(_SCALES).float()
    layers = 1 + max(int(name.split(".")[2]) for name in state if name.startswith("encoder.layer."))
    positions = len(state["embeddings.position_embeddings.weight"])
    model = Reader(Shape(layers, rows.shape[1], positions, distances="distances" in state))
    model.load_state_dict({name: tensor.float() for name, tensor in state.items()} | {_WORDS: rows})
    return model.to(device).eval()


def save(model: Reader, path: Path, largest: int | None = None) -> None:
    """In half precision, and the word embeddings as they will ship, in eight bits a row."""
    state = {name: tensor.detach().cpu() for name, tensor in model.state_dict().items()}
    words = state.pop(_WORDS).float()
    scales = words.abs().amax(1, keepdim=True).clamp(min=1e-9) / 127
    half = {name: tensor.half() for name, tensor in state.items()}
    content = io.BytesIO()
    torch.save(half | {_ROWS: (words / scales).round().to(torch.int8), _SCALES: scales}, content)
    write_parts(content.getvalue(), path, largest)


_WORDS = "embeddings.word_embeddings.weight"
_ROWS, _SCALES = "embeddings.word_rows", "embeddings.word_scales"
