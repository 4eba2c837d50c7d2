"""BERT or MPNet in int8, with the scale of every activation fixed beforehand from sample texts.

Fixed scales give a text one vector whatever it is batched with, where scales measured per batch do not. What makes
eight bits enough is done to the weights, so that it costs next to nothing at run time: each channel of an activation
is centred, and its width is shared out between activation and weight, before either is rounded.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import onnx

from encoder_graph import (
    EPSILON,
    HEADS,
    Array,
    Finish,
    Graph,
    Layer,
    Linear,
    Weights,
    embed_tokens,
    pooled,
    read_layers,
    weigh_distances,
)

# Seven bits: x86 without VNNI sums two products in 16 bits, which weights of eight bits would overflow.
_WEIGHT_LEVELS = 63
_ACTIVATION_LEVELS = 127
_ZERO = 128
_GELU_FLOOR = 0.17
# A few channels reach 25 where most stay below this; those are scaled down to it.
_GELU_CEILING = 4.0


@dataclass(frozen=True)
class Range:
    """Where each channel of an activation lies, as sample texts show it."""

    low: Array
    high: Array

    @property
    def centre(self) -> Array:
        return (self.low + self.high) / 2

    @property
    def reach(self) -> Array:
        return np.maximum((self.high - self.low) / 2, 1e-6)

    def shared_with(self, weight: Array) -> Array:
        """The scale of each channel that leaves activation and weight equally wide."""
        scale: Array = np.sqrt(self.reach / np.maximum(np.abs(weight).max(axis=1), 1e-6))
        return scale


@dataclass(frozen=True)
class Scaled:
    """A tensor of the graph that holds (activation - centre) / scale, and the step it is rounded to."""

    tensor: str
    centre: Array
    scale: Array
    step: float
    zero: int = _ZERO


def in_int8(weights: Weights, ranges: Sequence[Range], finish: Finish = pooled) -> onnx.ModelProto:
    """`ranges` are those of the activations that `as_trained(taps=True)` gives out: four a layer."""
    graph = Graph()
    layers = read_layers(weights)
    norm = weights["embeddings.LayerNorm.weight"], weights["embeddings.LayerNorm.bias"]
    embedded = embed_tokens(graph, weights, quantise=True)
    x = _normalise(graph, "embed", [embedded], norm, (ranges[0], layers[0].qkv.weight))
    distances = weigh_distances(graph, weights)
    for number, layer in enumerate(layers):
        at = f"layer{number}"
        _, attended, normed, active = ranges[4 * number : 4 * number + 4]
        summed = [_attend(graph, at, x, layer, attended, distances), _residual(graph, f"{at}.attention", x)]
        x = _normalise(graph, f"{at}.attention", summed, layer.attention_norm, (normed, layer.up.weight))
        summed = [_feed_forward(graph, at, x, layer, active), _residual(graph, f"{at}.output", x)]
        last = number + 1 == len(layers)
        reader = None if last else (ranges[4 * number + 4], layers[number + 1].qkv.weight)
        x = _normalise(graph, f"{at}.output", summed, layer.output_norm, reader)
    return graph.model(finish(graph, x.tensor))


def _attend(graph: Graph, at: str, x: Scaled, layer: Layer, attended: Range, distances: str | None) -> str:
    scale = attended.shared_with(layer.out.weight)
    fed = _fed_with(layer.qkv, x)
    # Attention averages values, so what is done to their centre and scale comes out of it unchanged.
    hidden = len(scale)
    values = np.ones(3 * hidden), np.zeros(3 * hidden)
    values[0][-hidden:], values[1][-hidden:] = scale, attended.centre
    qkv = Linear(fed.weight / values[0], (fed.bias - values[1]) / values[0])
    rounded, step, zero = _round(graph, f"{at}.qkv", x)
    weight, weight_scale, weight_zero, bias = _int8_linear(graph, f"{at}.qkv", qkv)
    if distances is None:
        masked = rounded, weight, bias, step, weight_scale, "lengths", zero, weight_zero
        heads = graph.op("QAttention", *masked, contrib=True, num_heads=HEADS)
    else:
        # QAttention takes no distances. Rows of one length come together, so that nothing is to be masked.
        inputs = rounded, weight, step, weight_scale, zero, weight_zero, bias
        mixed = graph.op("MatMulIntegerToFloat", *inputs, contrib=True)
        parts = graph.node("Split", mixed, outputs=3, axis=-1, num_outputs=3)
        heads = graph.op("MultiHeadAttention", *parts, "", "", distances, contrib=True, num_heads=HEADS)
    scaled = Scaled(heads, attended.centre, scale, _step(attended, scale))
    return _linear(graph, f"{at}.out", scaled, layer.out, also_add=x.centre)


def _feed_forward(graph: Graph, at: str, x: Scaled, layer: Layer, active: Range) -> str:
    up = _linear(graph, f"{at}.up", x, layer.up)
    scale = np.maximum(1, active.high / _GELU_CEILING)
    gelu = graph.op("FastGelu", up, contrib=True)
    shrunk = graph.op("Mul", gelu, graph.constant(f"{at}.gelu.scale", 1 / scale))
    step = (float((active.high / scale).max()) + _GELU_FLOOR) / 255
    hidden = Scaled(shrunk, np.zeros_like(scale), scale, step, zero=round(_GELU_FLOOR / step))
    return _linear(graph, f"{at}.down", hidden, layer.down, also_add=x.centre)


def _normalise(
    graph: Graph, name: str, inputs: Sequence[str], norm: tuple[Array, Array], reader: tuple[Range, Array] | None
) -> Scaled:
    """Layer normalisation, of a sum where two inputs are given; its own gain and shift bring it to the reader's scale.

    The reader is the range it will see and the weight it will multiply with; without one nothing is scaled.
    """
    if reader is None:
        centre, scale, step = np.zeros_like(norm[0]), np.ones_like(norm[0]), 1.0
    else:
        seen, weight = reader
        centre, scale = seen.centre, seen.shared_with(weight)
        step = _step(seen, scale)
    gain = graph.constant(f"{name}.gain", norm[0] / scale)
    shift = graph.constant(f"{name}.shift", (norm[1] - centre) / scale)
    # One operation would do both, and take three times as long.
    summed = graph.op("Add", *inputs) if len(inputs) == 2 else inputs[0]
    tensor = graph.op("LayerNormalization", summed, gain, shift, axis=-1, epsilon=EPSILON)
    return Scaled(tensor, centre, scale, step)


def _residual(graph: Graph, name: str, x: Scaled) -> str:
    """x in its own scale; its centre is added by the layer it is summed with, whose bias takes it for nothing."""
    return graph.op("Mul", x.tensor, graph.constant(f"{name}.residual", x.scale))


def _linear(graph: Graph, name: str, x: Scaled, layer: Linear, also_add: Array | float = 0.0) -> str:
    fed = _fed_with(layer, x)
    rounded, step, zero = _round(graph, name, x)
    weight, scale, weight_zero, bias = _int8_linear(graph, name, Linear(fed.weight, fed.bias + also_add))
    return graph.op("MatMulIntegerToFloat", rounded, weight, step, scale, zero, weight_zero, bias, contrib=True)


def _fed_with(layer: Linear, x: Scaled) -> Linear:
    """The layer that gives from (x - centre) / scale what `layer` gives from x."""
    return Linear(layer.weight * x.scale[:, None], layer.bias + x.centre @ layer.weight)


def _round(graph: Graph, name: str, x: Scaled) -> tuple[str, str, str]:
    step = graph.constant(f"{name}.step", np.float32(x.step))
    zero = graph.constant(f"{name}.zero", np.uint8(x.zero))
    return graph.op("QuantizeLinear", x.tensor, step, zero), step, zero


def _int8_linear(graph: Graph, name: str, layer: Linear) -> tuple[str, str, str, str]:
    """Weights rounded per output channel: their names and those of scale, zero point and bias."""
    scale = np.maximum(np.abs(layer.weight).max(axis=0), 1e-9) / _WEIGHT_LEVELS
    return (
        graph.constant(f"{name}.weight", np.rint(layer.weight / scale).astype(np.int8)),
        graph.constant(f"{name}.scale", scale),
        graph.constant(f"{name}.weight_zero", np.zeros(scale.shape, np.int8)),
        graph.constant(f"{name}.bias", layer.bias),
    )


def _step(range_: Range, scale: Array) -> float:
    return float((range_.reach / scale).max()) / _ACTIVATION_LEVELS
