"""The reader that ships as weights to train further: its int8 file read back.

Eight bits lose a little of each weight, which a few steps of training make good. The scales that `in_int8` moved
between neighbouring layers stay where they are: the model computes the same. The centres go back, see `_centre`.
"""

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from encoder_graph import Array
from training.model import Reader, Shape, save

_NORMS = {"attention": "attention.output.LayerNorm", "output": "output.LayerNorm"}


def write_shipped(target: Path, file: Path) -> None:
    """The exported reader in the form that `training.device_run` starts from."""
    save(from_int8(file), target)


def from_int8(file: Path) -> Reader:
    held = {one.name: numpy_helper.to_array(one) for one in onnx.load(file).graph.initializer}
    layers = len([name for name in held if name.endswith(".qkv.weight")])
    hidden = held["words"].shape[1]
    weights: dict[str, Array] = {
        "embeddings.word_embeddings.weight": held["words"] * held["words.scale"],
        "embeddings.position_embeddings.weight": held["positions"],
        "embeddings.kind_embeddings.weight": held["kinds"],
        "distances": _by_distance(held["distances"][0]),
    }
    weights |= _norm(held, "embed", held["layer0.attention.residual"], "embeddings.LayerNorm")
    for number in range(layers):
        weights |= _layer(held, number, last=number + 1 == layers)
    for number in range(layers):
        _centre(weights, number)
    weights |= _heads(held, hidden)
    model = Reader(Shape(layers, hidden, len(held["positions"])))
    model.load_state_dict({name: torch.tensor(one, dtype=torch.float32) for name, one in weights.items()})
    return model.eval()


def _layer(held: dict[str, Array], number: int, *, last: bool) -> dict[str, Array]:
    at, own = f"layer{number}", f"encoder.layer.{number}"
    entering, normed = held[f"{at}.attention.residual"], held[f"{at}.output.residual"]
    leaving = np.ones_like(entering) if last else held[f"layer{number + 1}.attention.residual"]
    weights: dict[str, Array] = {}
    qkv, bias = _linear(held, f"{at}.qkv", entering)
    for part, weight, shift in zip(("query", "key", "value"), np.split(qkv, 3), np.split(bias, 3), strict=True):
        weights |= {f"{own}.attention.self.{part}.weight": weight, f"{own}.attention.self.{part}.bias": shift}
    widths = {"out": np.ones_like(entering), "up": normed, "down": 1 / held[f"{at}.gelu.scale"]}
    names = {"out": "attention.output.dense", "up": "intermediate.dense", "down": "output.dense"}
    for name, width in widths.items():
        weight, bias = _linear(held, f"{at}.{name}", width)
        weights |= {f"{own}.{names[name]}.weight": weight, f"{own}.{names[name]}.bias": bias}
    weights |= _norm(held, f"{at}.attention", normed, f"{own}.{_NORMS['attention']}")
    return weights | _norm(held, f"{at}.output", leaving, f"{own}.{_NORMS['output']}")


def _centre(weights: dict[str, Array], number: int) -> None:
    """Take what is added to the residual out of the layers' biases and into the norms before them.

    `in_int8` put the centres of the activations there. Training drops single channels of what a layer adds, and would
    drop with them what the model cannot do without.
    """
    own = f"encoder.layer.{number}"
    before = f"encoder.layer.{number - 1}.{_NORMS['output']}" if number else "embeddings.LayerNorm"
    read = [f"{own}.attention.self.{part}" for part in ("query", "key", "value")]
    halves = (
        (before, read, f"{own}.attention.output.dense.bias"),
        (f"{own}.{_NORMS['attention']}", [f"{own}.intermediate.dense"], f"{own}.output.dense.bias"),
    )
    for norm, readers, added in halves:
        centre = weights[added]
        weights[f"{norm}.bias"] = weights[f"{norm}.bias"] + centre
        for reader in readers:
            weights[f"{reader}.bias"] = weights[f"{reader}.bias"] - weights[f"{reader}.weight"] @ centre
        weights[added] = np.zeros_like(centre)


def _linear(held: dict[str, Array], name: str, width: Array) -> tuple[Array, Array]:
    """Weight and bias as torch has them; `width` is what each incoming channel was divided by."""
    weight = held[f"{name}.weight"] * held[f"{name}.scale"] / width[:, None]
    return weight.T, held[f"{name}.bias"]


def _norm(held: dict[str, Array], name: str, scale: Array, own: str) -> dict[str, Array]:
    return {f"{own}.weight": held[f"{name}.gain"] * scale, f"{own}.bias": held[f"{name}.shift"] * scale}


def _heads(held: dict[str, Array], hidden: int) -> dict[str, Array]:
    """The two heads of a row stand side by side in the file."""
    inner, bias = held["row.inner.weight"].T, held["row.inner.bias"]
    row, row_bias = held["row.weight"].T, held["row.bias"]
    return {
        "verdict.0.weight": inner[:hidden], "verdict.0.bias": bias[:hidden],
        "answers.0.weight": inner[hidden:], "answers.0.bias": bias[hidden:],
        "verdict.2.weight": row[:3, :hidden], "verdict.2.bias": row_bias[:3],
        "answers.2.weight": row[3:, hidden:], "answers.2.bias": row_bias[3:],
        "tokens.weight": held["tokens.weight"].T, "tokens.bias": held["tokens.bias"],
    }  # fmt: skip


def _by_distance(weighed: Array) -> Array:
    """The table over distances, of which the file has every pair of places: of one distance any pair will do."""
    longest = weighed.shape[1]
    distance = np.arange(1 - longest, longest)
    first = np.maximum(distance, 0)
    return weighed[:, first, first - distance].astype(np.float32)
