"""A reader with further layers on top."""

from dataclasses import replace

import torch

from training.model import Reader

_ADDED = 0.1
"""What a layer on top adds at first, beside what it added in the base."""
_SPREAD, _MEAN = 0.289, 0.008
"""Of the channels that the top layer gives to a token, on a few texts."""
_NORMS = ("attention.output.LayerNorm", "output.LayerNorm")
_ADDING = ("attention.output.dense", "output.dense")


def grown(model: Reader, base: Reader) -> Reader:
    """The reader with the base's further layers on top, which change little before they are trained.

    Each adds a tenth of what it added in the base, and its norms leave what comes in nearly as it is.
    """
    layers = len(base.layers)
    taller = Reader(replace(model.shape, layers=layers))
    state = base.state_dict() | model.state_dict()
    for number in range(len(model.layers), layers):
        own = f"encoder.layer.{number}"
        for name in _ADDING:
            for part in ("weight", "bias"):
                state[f"{own}.{name}.{part}"] = state[f"{own}.{name}.{part}"] * _ADDED
        for name in _NORMS:
            state[f"{own}.{name}.weight"] = torch.full_like(state[f"{own}.{name}.weight"], _SPREAD)
            state[f"{own}.{name}.bias"] = torch.full_like(state[f"{own}.{name}.bias"], _MEAN)
    taller.load_state_dict({name: state[name] for name in taller.state_dict()})
    return taller
