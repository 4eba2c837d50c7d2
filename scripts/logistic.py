"""Weighted logistic regression, for the scripts that fit the coefficients which ship with the package."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STEPS = 50


def logistic(signals: Floats, true: Floats, weight: Floats, *, ridge: float = 0.0) -> list[float]:
    """By Newton's method: the intercept, then a coefficient for each row of `signals`; `ridge` keeps those small."""
    design = np.vstack([np.ones_like(true), signals])
    beta = np.zeros(len(design))
    kept_small = ridge * np.eye(len(design))
    kept_small[0, 0] = 0.0
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-beta @ design))
        gradient = design @ (weight * (true - p)) - kept_small @ beta
        hessian = (design * (weight * p * (1 - p))) @ design.T + kept_small
        beta += np.linalg.solve(hessian, gradient)
    return [float(value) for value in beta]
