"""A decoder of the Qwen2 family in plain torch: to be trained further, to write and to grade."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

Turn = tuple[Tensor, Tensor]
"""Cosine and sine by which queries and keys are turned, according to their places."""
Cache = list[tuple[Tensor, Tensor]]
"""Keys and values of what was read, layer by layer."""


@dataclass(frozen=True)
class DecoderShape:
    """How large a decoder is."""

    words: int
    layers: int
    hidden: int
    inner: int
    heads: int
    key_heads: int
    rotary_base: float = 1e6
    epsilon: float = 1e-6

    @property
    def head_width(self) -> int:
        return self.hidden // self.heads


class _Norm(nn.Module):
    def __init__(self, shape: DecoderShape) -> None:
        super().__init__()
        self.weight, self.epsilon = nn.Parameter(torch.ones(shape.hidden)), shape.epsilon

    def forward(self, x: Tensor) -> Tensor:
        wide = x.float()
        scale = torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.epsilon)
        return (wide * scale * self.weight).to(x.dtype)


class _Layer(nn.Module):
    def __init__(self, shape: DecoderShape) -> None:
        super().__init__()
        self.shape, narrow = shape, shape.key_heads * shape.head_width
        self.attn_norm, self.ffn_norm = _Norm(shape), _Norm(shape)
        self.attn_q = nn.Linear(shape.hidden, shape.hidden)
        self.attn_k, self.attn_v = nn.Linear(shape.hidden, narrow), nn.Linear(shape.hidden, narrow)
        self.attn_output = nn.Linear(shape.hidden, shape.hidden, bias=False)
        self.ffn_gate, self.ffn_up = (nn.Linear(shape.hidden, shape.inner, bias=False) for _ in range(2))
        self.ffn_down = nn.Linear(shape.inner, shape.hidden, bias=False)

    def forward(self, x: Tensor, turn: Turn, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What the layer makes of the tokens, and their keys and values."""
        query, key, value = self._project(x, turn)
        each = self.shape.heads // self.shape.key_heads
        keys, values = key.repeat_interleave(each, 1), value.repeat_interleave(each, 1)
        heads = functional.scaled_dot_product_attention(query, keys, values, attn_mask=mask)
        return self._finish(x, heads.transpose(1, 2).reshape(x.shape)), key, value

    def follow(self, x: Tensor, turn: Turn, held: tuple[Tensor, Tensor], at: Tensor) -> Tensor:
        """One more token a row: its key and value go to their place among those held, of which it sees the earlier."""
        query, key, value = self._project(x, turn)
        keys, values = held
        rows = torch.arange(len(x), device=x.device)
        keys[rows, :, at], values[rows, :, at] = key[:, :, 0].to(keys.dtype), value[:, :, 0].to(values.dtype)
        later = torch.arange(keys.shape[2], device=x.device) > at[:, None]
        grouped = query.view(len(x), self.shape.key_heads, -1, self.shape.head_width)
        scores = grouped @ keys.transpose(2, 3) / self.shape.head_width**0.5
        weights = scores.masked_fill(later[:, None, None], -torch.inf).float().softmax(-1).to(values.dtype)
        return self._finish(x, (weights @ values).reshape(len(x), 1, -1))

    def _project(self, x: Tensor, turn: Turn) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values by head."""
        normed = self.attn_norm(x)
        query, key, value = (
            linear(normed).view(*x.shape[:2], -1, self.shape.head_width).transpose(1, 2)
            for linear in (self.attn_q, self.attn_k, self.attn_v)
        )
        return _turned(query, turn), _turned(key, turn), value

    def _finish(self, x: Tensor, heads: Tensor) -> Tensor:
        x = x + self.attn_output(heads)
        normed = self.ffn_norm(x)
        added: Tensor = x + self.ffn_down(functional.silu(self.ffn_gate(normed)) * self.ffn_up(normed))
        return added


def _turned(x: Tensor, turn: Turn) -> Tensor:
    cosine, sine = (one.to(x.dtype) for one in turn)
    first, second = x.chunk(2, -1)
    return x * cosine + torch.cat([-second, first], -1) * sine


class Decoder(nn.Module):
    """Its weights have the names of the GGUF file; words go in and come out by one table."""

    def __init__(self, shape: DecoderShape) -> None:
        super().__init__()
        self.shape = shape
        self.output = nn.Embedding(shape.words, shape.hidden)
        self._layers = [_Layer(shape) for _ in range(shape.layers)]
        self.blk = nn.ModuleList(self._layers)
        self.output_norm = _Norm(shape)

    def forward(self, ids: Tensor, places: Tensor, mask: Tensor) -> Tensor:
        """The last layer of every token."""
        x, turn = self._embedded(ids), self._turn(places)
        for layer in self._layers:
            x, _, _ = layer(x, turn, mask)
        last: Tensor = self.output_norm(x)
        return last

    def remember(self, ids: Tensor, room: int) -> Cache:
        """Read texts from their beginning, shorter ones filled up at their ends; `room` is left for more tokens.

        What is read of the filling is overwritten by the tokens that follow.
        """
        along = torch.arange(ids.shape[1], device=ids.device)
        x, turn, held = self._embedded(ids), self._turn(along.expand(ids.shape)), []
        for layer in self._layers:
            x, key, value = layer(x, turn, along[:, None] >= along)
            held.append((functional.pad(key, (0, 0, 0, room)), functional.pad(value, (0, 0, 0, room))))
        return held

    def follow(self, ids: Tensor, at: Tensor, held: Cache) -> Tensor:
        """The last layer of one more token a row, each at a place of its own."""
        x, turn = self._embedded(ids[:, None]), self._turn(at[:, None])
        for layer, own in zip(self._layers, held, strict=True):
            x = layer.follow(x, turn, own, at)
        last: Tensor = self.output_norm(x[:, 0])
        return last

    def logits(self, x: Tensor, words: Tensor | None = None) -> Tensor:
        """Of all words, or of some."""
        table = self.output.weight if words is None else self.output.weight[words]
        return functional.linear(x, table.to(x.dtype)).float()

    def _embedded(self, ids: Tensor) -> Tensor:
        x: Tensor = self.output(ids)
        return x.to(torch.bfloat16) if x.is_cuda else x

    def _turn(self, places: Tensor) -> Turn:
        width = self.shape.head_width
        half = torch.arange(0, width, 2, device=places.device) / width
        angles = places[:, None, :, None].float() * self.shape.rotary_base**-half
        both = torch.cat([angles, angles], -1)
        return both.cos(), both.sin()
