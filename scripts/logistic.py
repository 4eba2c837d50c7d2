"""Weighted logistic regression, for the scripts that fit the coefficients which ship with the package."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STEPS = 50
OF_INTERCEPT = 0.01
"""Share of the ridge that the intercept has: it is fitted freely, and yet there is one where all examples are alike."""
SHORTEST = 1e-6
"""A step is halved down to this share of itself while it makes the fit worse."""


def logistic(signals: Floats, true: Floats, weight: Floats, *, ridge: float = 0.0) -> list[float]:
    """By Newton's method: the intercept, then a coefficient for each row of `signals`; `ridge` keeps those small.

    With a ridge there is always a fit: of few examples, of examples that are all right, of none.
    """
    design = np.vstack([np.ones_like(true), signals])
    beta = np.zeros(len(design))
    kept_small = ridge * np.diag([OF_INTERCEPT, *np.ones(len(signals))])

    def loss(at: Floats) -> float:
        score = at @ design
        return float(weight @ (np.logaddexp(0.0, score) - true * score) + at @ kept_small @ at / 2)

    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-np.clip(beta @ design, -500, 500)))
        gradient = design @ (weight * (true - p)) - kept_small @ beta
        hessian = (design * (weight * p * (1 - p))) @ design.T + kept_small
        step, share = np.linalg.solve(hessian, gradient), 1.0
        while share > SHORTEST and loss(beta + share * step) > loss(beta):
            share /= 2
        beta += share * step
    return [float(value) for value in beta]
