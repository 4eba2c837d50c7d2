"""Has the encoder read a claim beside its evidence where words alone leave open whether it is supported."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from docmind.models.encoder import Encoder, Support
from docmind.models.evidence import window
from docmind.quality.grounding.evidence import Evidence
from docmind.quality.grounding.weighed import Weighed

UNDECIDED = (0.05, 0.97)
"""Between these a probability by words leaves room for a second reading."""
WINDOW_CHARS = 700
"""Half of what the encoder can read, in half the time."""
_LEAST = 1e-4


@dataclass(frozen=True, slots=True)
class SecondModel:
    """A logistic model of a claim being unsupported after two readings; `second_reading.json` holds the one that ships.

    It knows the encoder's judgement of the whole claim alone: that of the single words was worse than none on claims
    of a kind that the model was not fitted on.
    """

    intercept: float
    first: float
    doubt: float

    @classmethod
    def shipped(cls) -> "SecondModel":
        fitted = json.loads(files(__package__).joinpath("second_reading.json").read_text(encoding="utf-8"))
        return cls(fitted["intercept"], fitted["first"], fitted["doubt"])

    def probability(self, first: float, doubt: float) -> float:
        """That the claim is supported, which by its words alone has the probability `first`."""
        return 1.0 / (1.0 + math.exp(self.intercept - self.first * logit(first) + self.doubt * doubt))


class SecondReading:
    """Thread-safe."""

    def __init__(self, encoder: Encoder, model: SecondModel | None = None) -> None:
        self._encoder = encoder
        self._model = model or SecondModel.shipped()

    def probabilities(self, claims: Sequence[Weighed]) -> list[float]:
        """Of each claim in order: what its words tell where that decides it, else what both readings tell."""
        found = [claim.probability for claim in claims]
        undecided = [place for place, claim in enumerate(claims) if is_undecided(claim)]
        read = self._encoder.support([pair(claims[place].claim, claims[place].evidence) for place in undecided])
        for place, support in zip(undecided, read, strict=True):
            found[place] = self._model.probability(found[place], doubt(support))
        return found


def is_undecided(claim: Weighed) -> bool:
    """Whether nothing vetoes the claim and its words do not settle it either."""
    low, high = UNDECIDED
    return low < claim.probability < high and not claim.is_vetoed


def pair(claim: str, evidence: Evidence) -> tuple[str, str]:
    """What the encoder reads: the claim, and of the evidence what has most in common with it."""
    return claim, window(claim, [sentence.text for sentence in evidence.sentences], limit=WINDOW_CHARS)


def doubt(support: Support) -> float:
    """How strongly the encoder doubts a claim, in logits."""
    return -logit(support.supported)


def logit(probability: float) -> float:
    kept = min(max(probability, _LEAST), 1 - _LEAST)
    return math.log(kept / (1 - kept))
