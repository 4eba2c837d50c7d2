"""BERT or MPNet as an ONNX graph: the parts that both precisions share, and the model as trained."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Array = NDArray[Any]
Weights = dict[str, Array]

HEADS = 12
MAX_TOKENS = 256
_CONTRIB = "com.microsoft"
EPSILON = 1e-12
INT32 = TensorProto.INT32


class Graph:
    """Nodes and constants as they are added."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: Array | np.generic) -> str:
        array = np.asarray(value)
        wide = array.dtype == np.float64
        self.constants[name] = numpy_helper.from_array(array.astype(np.float32) if wide else array.copy("C"), name)
        return name

    def node(self, kind: str, *inputs: str, outputs: int = 1, contrib: bool = False, **attributes: Any) -> list[str]:
        name = f"{kind}.{len(self.nodes)}"
        names = [name] if outputs == 1 else [f"{name}.{i}" for i in range(outputs)]
        domain = _CONTRIB if contrib else ""
        self.nodes.append(helper.make_node(kind, list(inputs), names, name=name, domain=domain, **attributes))
        return names

    def op(self, kind: str, *inputs: str, contrib: bool = False, **attributes: Any) -> str:
        return self.node(kind, *inputs, contrib=contrib, **attributes)[0]

    def model(self, outputs: "Sequence[Output]") -> onnx.ModelProto:
        info = helper.make_tensor_value_info
        inputs = [
            info("input_ids", TensorProto.INT32, ["batch", "tokens"]),
            info("lengths", TensorProto.INT32, ["batch"]),
        ]
        results = [info(name, TensorProto.FLOAT, shape) for name, shape in outputs]
        graph = helper.make_graph(self.nodes, "docmind", inputs, results, list(self.constants.values()))
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid(_CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10, producer_name="docmind")


@dataclass(frozen=True)
class Linear:
    """y = x @ weight + bias"""

    weight: Array
    bias: Array


@dataclass(frozen=True)
class Layer:
    qkv: Linear
    out: Linear
    attention_norm: tuple[Array, Array]
    up: Linear
    down: Linear
    output_norm: tuple[Array, Array]


def read_layers(weights: Weights) -> list[Layer]:
    def layer(number: int) -> Layer:
        def pair(name: str) -> tuple[Array, Array]:
            prefix = f"encoder.layer.{number}.{name}"
            return weights[f"{prefix}.weight"], weights[f"{prefix}.bias"]

        def linear(*names: str) -> Linear:
            pairs = [pair(name) for name in names]
            return Linear(np.concatenate([w.T for w, _ in pairs], axis=1), np.concatenate([b for _, b in pairs]))

        return Layer(
            qkv=linear(*(f"attention.self.{part}" for part in ("query", "key", "value"))),
            out=linear("attention.output.dense"),
            attention_norm=pair("attention.output.LayerNorm"),
            up=linear("intermediate.dense"),
            down=linear("output.dense"),
            output_norm=pair("output.LayerNorm"),
        )

    return [layer(number) for number in range(count_layers(weights))]


def width_of(weights: Weights) -> int:
    return int(weights["embeddings.word_embeddings.weight"].shape[1])


def count_layers(weights: Weights) -> int:
    return 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))


def embed_tokens(graph: Graph, weights: Weights, *, quantise: bool) -> str:
    """Token plus position; the one token type there is goes into the positions."""
    table = weights["embeddings.word_embeddings.weight"]
    if quantise:
        scales = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-9) / 127
        graph.constant("words", np.rint(table / scales).astype(np.int8))
        graph.constant("words.scale", scales)
        rows = graph.op("Cast", graph.op("Gather", "words", "input_ids"), to=TensorProto.FLOAT)
        words = graph.op("Mul", rows, graph.op("Gather", "words.scale", "input_ids"))
    else:
        words = graph.op("Gather", graph.constant("words", table), "input_ids")
    positions = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    graph.constant("positions", positions)
    graph.constant("zero", np.array([0], np.int64))
    width = graph.op("Shape", "input_ids", start=1, end=2)
    embedded = graph.op("Add", words, graph.op("Slice", "positions", "zero", width))
    kinds = weights.get("embeddings.kind_embeddings.weight")
    return embedded if kinds is None else graph.op("Add", embedded, _kinds(graph, kinds))


def weigh_distances(graph: Graph, weights: Weights) -> str | None:
    """For every two tokens how much their distance counts, for each head; None where the model weighs none."""
    table = weights.get("distances")
    if table is None:
        return None
    longest = (table.shape[1] + 1) // 2
    places = np.arange(longest)
    # Written out for all places in half precision: cutting a part out is much quicker than looking up each distance.
    weighed = table[None, :, longest - 1 + places[:, None] - places].astype(np.float16)
    graph.constant("distances", weighed)
    graph.constant("near.first", np.array([0, 0], np.int64))
    graph.constant("near.axes", np.array([2, 3], np.int64))
    width = graph.op("Shape", "input_ids", start=1, end=2)
    ends = graph.op("Concat", width, width, axis=0)
    return graph.op("Cast", graph.op("Slice", "distances", "near.first", ends, "near.axes"), to=TensorProto.FLOAT)


def _kinds(graph: Graph, table: Array) -> str:
    """Of a pair of texts: which of the two a token is in, and whether the other one has it too."""
    separators = graph.op("Cast", graph.op("Equal", "input_ids", graph.constant("separator", np.int32(102))), to=INT32)
    first_end = graph.op("ArgMax", separators, axis=1, keepdims=1)
    width = graph.op("Squeeze", graph.op("Shape", "input_ids", start=1, end=2), "zero")
    places = graph.op(
        "Range", graph.constant("kinds.first", np.int64(0)), width, graph.constant("kinds.step", np.int64(1))
    )
    second = graph.op("Greater", places, first_end)
    graph.constant("across", np.array([2], np.int64))
    graph.constant("down", np.array([1], np.int64))

    def each_with_each(kind: str, x: str) -> str:
        return graph.op(kind, graph.op("Unsqueeze", x, "across"), graph.op("Unsqueeze", x, "down"))

    same, apart = each_with_each("Equal", "input_ids"), each_with_each("Xor", second)
    pairs = graph.op("Cast", graph.op("And", same, apart), to=INT32)
    shared = graph.op("ReduceMax", pairs, "across", keepdims=0)
    doubled = graph.op("Mul", graph.op("Cast", second, to=INT32), graph.constant("two", np.int32(2)))
    return graph.op("Gather", graph.constant("kinds", table), graph.op("Add", shared, doubled))


def pool(graph: Graph, hidden: str) -> str:
    """Unit mean over the tokens of each text, padding left out."""
    graph.constant("one", np.array([1], np.int64))
    width = graph.op("Squeeze", graph.op("Shape", "input_ids", start=1, end=2), "zero")
    places = graph.op("Range", graph.constant("first", np.int64(0)), width, graph.constant("step", np.int64(1)))
    lengths = graph.op("Unsqueeze", graph.op("Cast", "lengths", to=TensorProto.INT64), "one")
    mask = graph.op("Cast", graph.op("Less", places, lengths), to=TensorProto.FLOAT)
    total = graph.op("MatMul", graph.op("Unsqueeze", mask, "one"), hidden)
    return graph.op("LpNormalization", graph.op("Squeeze", total, "one"), axis=-1, p=2)


Output = tuple[str, list[str | int]]
"""A tensor that the graph gives out, and its shape."""
Finish = Callable[[Graph, str], list[Output]]
"""What is made of the last layer."""


def pooled(graph: Graph, hidden: str) -> list[Output]:
    return [(pool(graph, hidden), ["batch", "width"])]


def as_trained(weights: Weights, *, taps: bool = False, finish: Finish = pooled) -> onnx.ModelProto:
    """The model in fp32; with `taps`, also every activation that the int8 graph rounds, in the order they occur."""
    graph = Graph()

    def linear(x: str, name: str, layer: Linear) -> str:
        return graph.op("MatMul", x, graph.constant(f"{name}.weight", layer.weight))

    def normalise(x: str, skip: str, name: str, bias: Array, norm: tuple[Array, Array]) -> str:
        gamma, beta = graph.constant(f"{name}.gamma", norm[0]), graph.constant(f"{name}.beta", norm[1])
        bias_name = graph.constant(f"{name}.bias", bias)
        return graph.op("SkipLayerNormalization", x, skip, gamma, beta, bias_name, contrib=True, epsilon=EPSILON)

    norm = [weights[f"embeddings.LayerNorm.{part}"] for part in ("weight", "bias")]
    gamma, beta = graph.constant("embed.gamma", norm[0]), graph.constant("embed.beta", norm[1])
    embedded = embed_tokens(graph, weights, quantise=False)
    x = graph.op("LayerNormalization", embedded, gamma, beta, axis=-1, epsilon=EPSILON)
    distances = weigh_distances(graph, weights)
    tapped = []
    for number, layer in enumerate(read_layers(weights)):
        at = f"layer{number}"
        qkv = graph.constant(f"{at}.qkv.weight", layer.qkv.weight), graph.constant(f"{at}.qkv.bias", layer.qkv.bias)
        extra = () if distances is None else ("", distances)
        attended = graph.op("Attention", x, *qkv, "lengths", *extra, contrib=True, num_heads=HEADS)
        projected = linear(attended, f"{at}.out", layer.out)
        y = normalise(projected, x, f"{at}.attention_norm", layer.out.bias, layer.attention_norm)
        up = linear(y, f"{at}.up", layer.up)
        active = graph.op("BiasGelu", up, graph.constant(f"{at}.up.bias", layer.up.bias), contrib=True)
        tapped += [x, attended, y, active]
        down = linear(active, f"{at}.down", layer.down)
        x = normalise(down, y, f"{at}.output_norm", layer.down.bias, layer.output_norm)
    return graph.model(finish(graph, x) + [(name, ["batch", "tokens", "width"]) for name in tapped if taps])
