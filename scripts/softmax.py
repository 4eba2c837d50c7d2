"""Fits choices by gradient descent: a softmax over classes, or over the candidates of each question and none."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def softmax(x: Sequence[Floats], y: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Weights and bias of a softmax regression, by Adam; few of the features of a question are there at all."""
    places = [np.flatnonzero(one) for one in x]
    where, values = np.concatenate(places), np.concatenate([one[own] for one, own in zip(x, places, strict=True)])
    of = np.repeat(np.arange(len(x)), [len(own) for own in places])
    share = (weight / weight.sum()).astype(np.float32)[:, None]
    parts = {"weights": np.zeros((len(x[0]), y.shape[1]), np.float32), "bias": np.zeros(y.shape[1], np.float32)}
    for step in adam(parts, steps=120, rate=0.1):
        scores = _summed(values[:, None] * parts["weights"][where], of, len(x)) + parts["bias"]
        exp = np.exp(scores - scores.max(axis=1, keepdims=True))
        wrong = ((exp / exp.sum(axis=1, keepdims=True) - y) * share).astype(np.float32)
        slope = _summed(values[:, None] * wrong[of], where, len(x[0]))
        step({"weights": slope + 3e-5 * parts["weights"], "bias": wrong.sum(axis=0)})
    return parts["weights"], parts["bias"]


def _summed(rows: Floats, to: NDArray[np.intp], size: int) -> Floats:
    """The sum of the rows that go to each place."""
    return np.stack([np.bincount(to, column, size) for column in rows.T], axis=1).astype(np.float32)


def choice_slopes(
    scores: Floats, none: Floats, right: Floats, has: NDArray[np.bool_], of: NDArray[np.intp], begin: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """How a softmax over the programs of each question and none changes with each score; several may be right."""
    top = np.maximum(np.maximum.reduceat(scores, begin), none)
    exp, exp_none = np.exp(scores - top[of]), np.exp(none - top)
    whole = np.add.reduceat(exp, begin) + exp_none
    hit = exp * right
    share = np.where(has[of], hit / np.maximum(np.add.reduceat(hit, begin), 1e-9)[of], 0.0)
    return (exp / whole[of] - share) / len(has), (exp_none / whole - ~has) / len(has)


def adam(parts: dict[str, Floats], *, steps: int, rate: float) -> Iterator[Callable[[Mapping[str, Floats]], None]]:
    """For each step a function that takes the gradients and changes the parts; the rate falls towards the end."""
    first = {name: np.zeros_like(part) for name, part in parts.items()}
    second = {name: np.zeros_like(part) for name, part in parts.items()}
    for number in range(1, steps + 1):
        now = rate * min(1.0, (steps - number + 1) / (0.4 * steps))

        def step(gradients: Mapping[str, Floats], number: int = number, now: float = now) -> None:
            for name, gradient in gradients.items():
                first[name] = 0.9 * first[name] + 0.1 * gradient
                second[name] = 0.99 * second[name] + 0.01 * gradient * gradient
                fast, slow = first[name] / (1 - 0.9**number), second[name] / (1 - 0.99**number)
                parts[name] = parts[name] - now * fast / (np.sqrt(slow) + 1e-8)

        yield step
