"""Fit what a second reading by the encoder tells: `fit_second_reading.py [DATA]`, written to second_reading.json.

The claims are made as `fit_support.py` makes them, but of sets alone that the encoder was not trained on: of claims it
has seen it is too sure. Only those are fitted on that the first reading leaves undecided. Each set is also scored by a
fit on the other ones, which is what a kind of document can expect that nobody fitted on.
"""

import json
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docmind.models.encoder import Encoder
from docmind.quality.grounding.second_reading import UNDECIDED, SecondModel, doubt, logit, pair
from docmind.quality.grounding.support import SupportModel
from fit_support import PRIOR, Sample, read_supported, samples, weights
from logistic import Floats, logistic

CLAIMS = {"summedits": 400, "scifact": 300}
TARGET = Path(__file__).parent.parent / "src/docmind/quality/grounding/second_reading.json"


def is_left_open(one: Sample, first: float) -> bool:
    low, high = UNDECIDED
    return low < first < high and not one.signals.is_mostly_missing


def fitted(first: Floats, doubts: Floats, missing: Floats, weight: Floats) -> SecondModel:
    intercept, of_first, of_doubt = logistic(np.stack([[-logit(p) for p in first], doubts]), missing, weight)
    return SecondModel(intercept, of_first, of_doubt)


def area(missing: NDArray[np.bool_], probabilities: Floats) -> float:
    """How often an unsupported claim has a lower probability than a supported one; equal ones count half."""
    wrong, right = probabilities[missing][:, None], probabilities[~missing][None, :]
    return float((wrong < right).mean() + 0.5 * (wrong == right).mean())


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "~/.cache/docmind-bench").expanduser()
    found = list(samples(read_supported(data, CLAIMS), CLAIMS))
    by_words = SupportModel.shipped()
    first = np.array([by_words.probability(one.signals) for one in found])
    undecided = np.array([is_left_open(one, float(p)) for one, p in zip(found, first, strict=True)])
    chosen = [one for one, is_open in zip(found, undecided, strict=True) if is_open]
    first, weight = first[undecided], weights(found)[undecided]
    doubts = np.array([doubt(read) for read in Encoder().support([pair(one.claim, one.evidence) for one in chosen])])
    missing = np.array([not one.is_supported for one in chosen])
    sources = np.array([one.source for one in chosen])
    for name in CLAIMS:
        here, elsewhere = sources == name, sources != name
        other = fitted(first[elsewhere], doubts[elsewhere], missing[elsewhere].astype(float), weight[elsewhere])
        both = np.array([other.probability(*one) for one in zip(first[here], doubts[here], strict=True)])
        before, after = area(missing[here], first[here]), area(missing[here], both)
        print(f"{name}: {here.sum()} undecided claims, AUC {before:.3f} by words, {after:.3f} with a second reading")
    model = fitted(first, doubts, missing.astype(float), weight)
    written = {
        "fitted_on": list(CLAIMS),
        "prior": PRIOR,
        "intercept": round(model.intercept, 4),
        "first": round(model.first, 4),
        "doubt": round(model.doubt, 4),
    }
    TARGET.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    print(f"{len(chosen)} of {len(found)} claims: {written}")


if __name__ == "__main__":
    main()
