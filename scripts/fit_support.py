"""Fit the support probability on public training claims: `fit_support.py [DATA]`, written to grounding/support.json.

Supported claims come from sets in which people or models put a passage into other words. Unsupported ones are made of
them: a clause of another claim is added or put in the place of one, the sentences a claim rests on are taken out of its
evidence, or it is set beside other evidence. Both kinds are weighted so that `PRIOR` of all claims are unsupported.
No benchmark that `docmind bench` scores is used.
"""

import json
import lzma
import random
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from docmind.domain.documents import Passage, Span
from docmind.models.word_vectors import WordVectors
from docmind.quality.grounding.coverage import lay
from docmind.quality.grounding.evidence import Evidence, PreparedPassage
from docmind.quality.grounding.signals import Signals, read_signals
from logistic import Floats, logistic

CLAIMS = {"summedits": 800, "fm2": 500, "scifact": 400, "qaclaim": 500}
PRIOR = 0.25
"""How many claims of an answer are taken to be unsupported before anything is known of them."""
SEED = 7
FEWEST_SENTENCES = 4
"""Evidence shorter than this is left whole: without its best sentences little else would remain."""
RIVALS = 12
"""Other pieces of evidence of which the one most like a claim is set beside it."""
TARGET = Path(__file__).parent.parent / "src/docmind/quality/grounding/support.json"

Pair = tuple[str, str]
VECTORS = WordVectors()


@dataclass(frozen=True, slots=True)
class Sample:
    """A claim beside evidence that supports it or does not."""

    source: str
    claim: str
    evidence: Evidence
    signals: Signals
    is_supported: bool


def read_supported(data: Path, sets: Mapping[str, int]) -> dict[str, list[Pair]]:
    """Claims with their evidence, by set."""
    found: dict[str, list[Pair]] = {name: [] for name in sets}
    for kind in ("permissive", "share-alike"):
        with lzma.open(data / "train" / kind / "support.jsonl.xz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if row["source"] in found and row["label"] == "supported":
                    found[row["source"]].append((row["claim"], row["evidence"]))
    return found


def made_ready(text: str) -> Evidence:
    return Evidence([PreparedPassage(Passage("", "", 0, Span(0, len(text)), text))], VECTORS)


def unsupported(
    claim: str, evidence: Evidence, pairs: list[Pair], choose: random.Random
) -> Iterator[tuple[str, Evidence]]:
    """The claim spoilt in each of the ways above, and what it stands beside."""
    others = [pair for pair in choose.sample(pairs, RIVALS + 1) if pair[1] != evidence.sentences[0].passage.text]
    added = clause_of(others[0][0], choose)
    joint = choose.choice((", and ", ", which ", " and ", ", "))
    yield claim.rstrip(" .") + joint + added + ".", evidence
    parts = claim.split(",")
    if len(parts) > 1:
        parts[choose.randrange(len(parts))] = " " + added
        yield ",".join(parts), evidence
    if len(evidence.sentences) >= FEWEST_SENTENCES:
        resting = set(lay(claim, evidence, VECTORS).chosen[:2])
        rest = " ".join(s.text for place, s in enumerate(evidence.sentences) if place not in resting)
        yield claim, made_ready(rest)
    said = set(claim.lower().split())
    rival = max((text for _, text in others), key=lambda text: len(said & set(text.lower().split())))
    yield claim, made_ready(rival)


def clause_of(claim: str, choose: random.Random) -> str:
    """A clause of the claim as it would go on in the middle of a sentence."""
    parts = (part.strip(" .") for part in re.split(r"[,;]| and | which | while ", claim))
    clauses = [part for part in parts if 3 <= len(part.split()) <= 14] or [claim.strip(" .")]
    clause = choose.choice(clauses)
    return clause[:1].lower() + clause[1:]


def samples(supported: Mapping[str, list[Pair]], sets: Mapping[str, int]) -> Iterator[Sample]:
    """Of each set so many claims, as they are and spoilt."""
    choose = random.Random(SEED)
    for name, count in sets.items():
        pairs = supported[name]
        for claim, text in choose.sample(pairs, min(count, len(pairs))):
            evidence = made_ready(text)
            if not evidence.sentences:
                continue
            yield sample(name, claim, evidence, is_supported=True)
            for spoilt, beside in unsupported(claim, evidence, pairs, choose):
                yield sample(name, spoilt, beside, is_supported=False)


def sample(source: str, claim: str, evidence: Evidence, *, is_supported: bool) -> Sample:
    return Sample(source, claim, evidence, read_signals(lay(claim, evidence, VECTORS)), is_supported)


def weights(found: list[Sample]) -> Floats:
    """What each counts, so that `PRIOR` of all are unsupported."""
    missing = np.array([not one.is_supported for one in found])
    weight: Floats = np.where(missing, PRIOR / missing.sum(), (1 - PRIOR) / (~missing).sum()) * len(found)
    return weight


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "~/.cache/docmind-bench").expanduser()
    found = list(samples(read_supported(data, CLAIMS), CLAIMS))
    vectors = np.array([one.signals.vector() for one in found]).T
    missing = np.array([not one.is_supported for one in found], dtype=np.float64)
    intercept, *coefficients = logistic(vectors, missing, weights(found))
    names = [field.name for field in fields(Signals)]
    fitted = {
        "fitted_on": list(CLAIMS),
        "prior": PRIOR,
        "intercept": round(intercept, 4),
        "coefficients": {name: round(value, 4) for name, value in zip(names, coefficients, strict=True)},
    }
    TARGET.write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
    print(f"{len(found)} claims: {fitted}")


if __name__ == "__main__":
    main()
