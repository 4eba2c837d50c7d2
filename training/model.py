"""The reader: a BERT encoder with heads for judging claims and reading answers, under the published parameter names."""

import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.batches import Batch, Layout
from training.packed import read_parts, write_parts

LAYERS, HEADS, HIDDEN, INNER, VOCABULARY = 12, 12, 384, 1536, 30522
POSITIONS = 448
KINDS = 4
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

    def forward(self, x: Tensor, layout: Layout) -> Tensor:
        weight = torch.cat([self.query.weight, self.key.weight, self.value.weight])
        bias = torch.cat([self.query.bias, self.key.bias, self.value.bias])
        mixed = functional.linear(x, weight, bias).view(-1, 3, HEADS, HIDDEN // HEADS)
        return attend(mixed, layout).reshape(-1, HIDDEN)


def attend(mixed: Tensor, layout: Layout) -> Tensor:
    """Every token's query looks at the keys and values of its own row."""
    query, key, value = mixed.unbind(1)
    bounds, longest = layout.bounds, layout.longest
    if layout.unpadded:
        from torch.nn.attention.varlen import varlen_attn

        found = varlen_attn(query, key, value, bounds, bounds, longest, longest)
        return found if isinstance(found, Tensor) else found[0]
    along = torch.arange(longest, device=query.device)
    index = (bounds[:-1, None] + along).clamp(max=len(query) - 1)
    # A row without tokens, which only fills the batch, looks at something too: a mean of nothing is not a number.
    inside = (along < bounds.diff()[:, None]) | (along == 0)
    query_, key_, value_ = (one[index].transpose(1, 2) for one in (query, key, value))
    heads = functional.scaled_dot_product_attention(query_, key_, value_, attn_mask=inside[:, None, None, :])
    return heads.transpose(1, 2)[row_of_tokens(bounds, len(query)), layout.places]


def row_of_tokens(bounds: Tensor, tokens: int) -> Tensor:
    along = torch.arange(tokens, device=bounds.device, dtype=bounds.dtype)
    return torch.searchsorted(bounds, along, right=True) - 1


@cache
def reads_unpadded(device: str) -> bool:
    """Whether attention over rows on end works on this device, and gives what padded rows give, gradients too."""
    if device != "cuda":
        return False
    bounds = torch.tensor([0, 5, 12, 40, 64, 64], dtype=torch.int32, device=device)
    places = torch.arange(64, device=device) - bounds.long()[row_of_tokens(bounds, 64)]
    some = torch.randn(64, 3, HEADS, HIDDEN // HEADS, device=device, dtype=torch.bfloat16, requires_grad=True)
    wanted = torch.randn(64, HEADS, HIDDEN // HEADS, device=device)
    both = []
    try:
        for unpadded in (True, False):
            found = attend(some, Layout(bounds, places, 28, unpadded))
            both += [found, *torch.autograd.grad((found.float() * wanted).sum(), some)]
    except (ImportError, RuntimeError, TypeError, ValueError):
        return False
    return all(torch.allclose(one, other, atol=0.1) for one, other in zip(both[:2], both[2:], strict=True))


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

    def forward(self, x: Tensor, layout: Layout) -> Tensor:
        x = self.attention["output"](self.attention["self"](x, layout), x)
        inner: Tensor = self.output(functional.gelu(self.intermediate["dense"](x)), x)
        return inner


class Reader(nn.Module):
    """Heads start from the same random weights whatever the seed."""

    def __init__(self, layers: int = LAYERS, positions: int = POSITIONS, head_seed: int = 5) -> None:
        super().__init__()
        torch.manual_seed(head_seed)
        self.embeddings = nn.ModuleDict(
            {
                "word_embeddings": nn.Embedding(VOCABULARY, HIDDEN),
                "position_embeddings": nn.Embedding(positions, HIDDEN),
                "kind_embeddings": nn.Embedding(KINDS, HIDDEN),
                "LayerNorm": nn.LayerNorm(HIDDEN, eps=EPSILON),
            }
        )
        nn.init.zeros_(self.get_parameter("embeddings.kind_embeddings.weight"))
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(_Layer() for _ in range(layers))})
        self.verdict = nn.Sequential(nn.Linear(HIDDEN, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, 3))
        self.answers = nn.Sequential(nn.Linear(HIDDEN, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, 1))
        self.tokens = nn.Linear(HIDDEN, 4)

    def forward(self, batch: Batch) -> Outputs:
        hidden = self.encode(batch.ids, batch.layout, batch.kinds)
        first = functional.dropout(hidden[batch.first], DROPOUT, self.training)
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
        x = functional.dropout(self.embeddings["LayerNorm"](x), DROPOUT, self.training)
        for layer in self.layers:
            x = layer(x, layout)
        return x

    @property
    def layers(self) -> list[nn.Module]:
        return list(self.encoder["layer"].children())

    def take(self, base: Weights) -> None:
        """Start from published weights; the first token type goes into the positions, since there is no second."""
        own = dict(base)
        types = own.pop("embeddings.token_type_embeddings.weight")
        places = own["embeddings.position_embeddings.weight"] + types[0]
        own["embeddings.position_embeddings.weight"] = places[
            : len(self.get_parameter("embeddings.position_embeddings.weight"))
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
    model = Reader(layers=1 + max(int(name.split(".")[2]) for name in state if name.startswith("encoder.layer.")))
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
