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
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import numpy as np

from docmind.domain.documents import Passage, Span
from docmind.models.word_vectors import WordVectors
from docmind.quality.grounding.coverage import lay
from docmind.quality.grounding.evidence import Evidence, PreparedPassage
from docmind.quality.grounding.signals import Signals, read_signals
from logistic import logistic

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


def read_supported(data: Path) -> dict[str, list[Pair]]:
    """Claims with their evidence, by set."""
    found: dict[str, list[Pair]] = {name: [] for name in CLAIMS}
    for kind in ("permissive", "share-alike"):
        with lzma.open(data / "train" / kind / "support.jsonl.xz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if row["source"] in found and row["label"] == "supported":
                    found[row["source"]].append((row["claim"], row["evidence"]))
    return found


def made_ready(text: str) -> Evidence:
    return Evidence([PreparedPassage(Passage("", "", 0, Span(0, len(text)), text))], VECTORS)


def signals_of(claim: str, evidence: Evidence) -> Signals:
    return read_signals(lay(claim, evidence, VECTORS))


def unsupported(claim: str, evidence: Evidence, pairs: list[Pair], choose: random.Random) -> Iterator[Signals]:
    """The claim spoilt in each of the ways above."""
    others = [pair for pair in choose.sample(pairs, RIVALS + 1) if pair[1] != evidence.sentences[0].passage.text]
    added = clause_of(others[0][0], choose)
    joint = choose.choice((", and ", ", which ", " and ", ", "))
    yield signals_of(claim.rstrip(" .") + joint + added + ".", evidence)
    parts = claim.split(",")
    if len(parts) > 1:
        parts[choose.randrange(len(parts))] = " " + added
        yield signals_of(",".join(parts), evidence)
    if len(evidence.sentences) >= FEWEST_SENTENCES:
        resting = set(lay(claim, evidence, VECTORS).chosen[:2])
        rest = " ".join(s.text for place, s in enumerate(evidence.sentences) if place not in resting)
        yield signals_of(claim, made_ready(rest))
    said = set(claim.lower().split())
    rival = max((text for _, text in others), key=lambda text: len(said & set(text.lower().split())))
    yield signals_of(claim, made_ready(rival))


def clause_of(claim: str, choose: random.Random) -> str:
    """A clause of the claim as it would go on in the middle of a sentence."""
    parts = (part.strip(" .") for part in re.split(r"[,;]| and | which | while ", claim))
    clauses = [part for part in parts if 3 <= len(part.split()) <= 14] or [claim.strip(" .")]
    clause = choose.choice(clauses)
    return clause[:1].lower() + clause[1:]


def samples(supported: dict[str, list[Pair]]) -> Iterator[tuple[Signals, bool]]:
    choose = random.Random(SEED)
    for name, count in CLAIMS.items():
        pairs = supported[name]
        for claim, text in choose.sample(pairs, min(count, len(pairs))):
            evidence = made_ready(text)
            if not evidence.sentences:
                continue
            yield signals_of(claim, evidence), True
            for spoilt in unsupported(claim, evidence, pairs, choose):
                yield spoilt, False


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "~/.cache/docmind-bench").expanduser()
    found = list(samples(read_supported(data)))
    vectors = np.array([signals.vector() for signals, _ in found]).T
    missing = np.array([not holds for _, holds in found], dtype=np.float64)
    weight = np.where(missing == 1, PRIOR / missing.sum(), (1 - PRIOR) / (1 - missing).sum()) * len(found)
    intercept, *coefficients = logistic(vectors, missing, weight)
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
