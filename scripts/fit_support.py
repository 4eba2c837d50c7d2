"""Fit how likely evidence supports a claim: `fit_support.py [DATA]`, to support.json; DATA holds the public sets.

`any_text` is fitted on authored documents kept for tuning: every claim is held against what a search over all those
documents finds for it, as the product does. `drafts` is for what chat models write from the evidence. It is fitted on
the same claims, weighed as if most were right; on some of them beside passages on something else, as when a chat model
answers from memory; and, as much as on these together, on the responses of chat models in RAGTruth, those to every
second source; `docmind bench ragtruth` measures on the others.
"""

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.console import Console

from docmind.bench.authored import Part, read_authored
from docmind.bench.authored_answers import documents_of
from docmind.bench.groundedness.sets import ragtruth
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.domain.documents import Passage
from docmind.models.reader import Reader
from docmind.quality.audit import ASSERT_NOTHING
from docmind.quality.claims import claims as claims_of
from docmind.quality.excerpts import evidence_window
from docmind.quality.grounding.evidence import Evidence, PreparedPassage
from docmind.quality.grounding.support import support_signals
from logistic import Floats, logistic

TARGET = Path(__file__).parent.parent / "src/docmind/quality/grounding/support.json"
AUTHORED = Path(__file__).parent.parent / "data" / "authored"
PASSAGES = 8
AT_ONCE = 64
TWINS, FOREIGN = 0.1, 0.05
"""Of the claims of chat models, how many are taken to be wrong like a twin, and to be of something else altogether."""
FOREIGN_EVERY = 8
NAMES = {
    "any_text": ("over_contradicted", "over_not_stated", "doubted"),
    "drafts": ("over_contradicted", "over_not_stated", "missing"),
}
"""The signals that are weighed: words in doubt tell nothing more of drafts, missing words nothing of other texts."""
NEEDED = {"any_text": 0.5, "drafts": 0.8}
"""The probability above which a claim is taken as supported: to state a claim of a draft that is wrong does more harm
than to doubt one that is right."""

Row = tuple[dict[str, float], bool]
"""What speaks for a claim, and whether it is supported."""


def authored_rows(root: Path, reader: Reader) -> tuple[list[Row], list[Row]]:
    """The claims beside what is found for them, and some true ones beside what is found for one of another document."""
    folders = read_authored(root)
    claims = [one for folder in folders for one in folder.claims if folder.part(one.document) is Part.TUNE]
    with tempfile.TemporaryDirectory() as scratch, open_engine(Path(scratch), "minilm") as engine:
        engine.ingest(documents_of(folders, Part.TUNE), SCOPE)
        found = [[hit.passage for hit in engine.search(one.text, SCOPE, limit=PASSAGES)] for one in claims]
    told = signals(reader, [(one.text, passages) for one, passages in zip(claims, found, strict=True)])
    elsewhere = [
        (one.text, found[at - len(claims) // 2])
        for at, one in enumerate(claims)
        if one.supported and at % FOREIGN_EVERY == 0 and one.document != claims[at - len(claims) // 2].document
    ]
    own = [(seen, one.supported) for seen, one in zip(told, claims, strict=True)]
    return own, [(seen, False) for seen in signals(reader, elsewhere)]


def draft_rows(data: Path, reader: Reader) -> list[Row]:
    """A claim of a response is supported where people marked no word of it."""
    with tempfile.TemporaryDirectory() as scratch:
        sets = ragtruth(Workbench(data, Path(scratch), Console(stderr=True)))
    claims = [
        (claim, source.passages, not any(claim.span.overlaps(one.span) for one in response.hallucinations))
        for sources in sets.values()
        for source in sources
        if source.fitted_on
        for response in source.responses
        for claim in claims_of(response.text)
        if claim.exemption not in ASSERT_NOTHING
    ]
    told = signals(reader, [(claim.text, passages) for claim, passages, _ in claims])
    return [(seen, supported) for seen, (_, _, supported) in zip(told, claims, strict=True)]


def signals(reader: Reader, claims: Sequence[tuple[str, Sequence[Passage]]]) -> list[dict[str, float]]:
    found = []
    for start in range(0, len(claims), AT_ONCE):
        some = claims[start : start + AT_ONCE]
        judged = reader.judge([(text, evidence_window(text, passages).text) for text, passages in some])
        missing = [Evidence(map(PreparedPassage, passages)).missing(text) for text, passages in some]
        found += [support_signals(one, words) for one, words in zip(judged, missing, strict=True)]
    return found


def fit(name: str, rows: Sequence[Row], weights: Floats) -> dict[str, object]:
    names = NAMES[name]
    table = np.array([[seen[name] for name in names] for seen, _ in rows], np.float64).T
    truth = np.array([supported for _, supported in rows], np.float64)
    intercept, *fitted = (round(weight, 4) for weight in logistic(table, truth, weights * len(rows) / weights.sum()))
    return {
        "claims": len(rows),
        "supported_above": NEEDED[name],
        "intercept": intercept,
        "weights": dict(zip(names, fitted, strict=True)),
    }


def mostly_right(authored: Sequence[Row], foreign: Sequence[Row], drafts: Sequence[Row]) -> Floats:
    """Weights with which as many claims are wrong as of those of chat models, and the drafts count as all others."""
    right = np.array([supported for _, supported in authored])
    own = np.where(right, (1 - TWINS - FOREIGN) / right.sum(), TWINS / (~right).sum())
    shares = [own, np.full(len(foreign), FOREIGN / len(foreign)), np.full(len(drafts), 1 / len(drafts))]
    weights: Floats = np.concatenate(shares)
    return weights


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "~/.cache/docmind-bench").expanduser()
    reader = Reader()
    authored, foreign = authored_rows(AUTHORED, reader)
    drafts = draft_rows(data, reader)
    fitted = {
        "any_text": fit("any_text", authored, np.ones(len(authored))),
        "drafts": fit("drafts", [*authored, *foreign, *drafts], mostly_right(authored, foreign, drafts)),
    }
    TARGET.write_text(json.dumps(fitted, indent=1) + "\n", "utf-8")
    print(fitted)


if __name__ == "__main__":
    main()
