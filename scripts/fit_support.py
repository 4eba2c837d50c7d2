"""Fit the support probability on authored documents kept for tuning: `fit_support.py [AUTHORED]`, to support.json.

Every claim of a document is held against what a search over all those documents finds for it, as the product does.
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np

from docmind.bench.authored import Part, read_authored
from docmind.bench.authored_answers import documents_of
from docmind.bench.workbench import SCOPE, open_engine
from docmind.models.reader import Reader
from docmind.quality.excerpts import evidence_window
from docmind.quality.grounding.support import support_signals
from logistic import logistic

TARGET = Path(__file__).parent.parent / "src/docmind/quality/grounding/support.json"
AUTHORED = Path(__file__).parent.parent / "data" / "authored"
PASSAGES = 8
AT_ONCE = 64


def rows(root: Path, part: Part = Part.TUNE) -> list[tuple[str, tuple[float, float], bool]]:
    """Of each claim its id, what the reader's verdict says for it, and whether it is supported."""
    folders = read_authored(root)
    claims = [one for folder in folders for one in folder.claims if folder.part(one.document) is part]
    reader = Reader()
    found: list[tuple[str, tuple[float, float], bool]] = []
    with tempfile.TemporaryDirectory() as scratch, open_engine(Path(scratch), "minilm") as engine:
        engine.ingest(documents_of(folders, part), SCOPE)
        for start in range(0, len(claims), AT_ONCE):
            some = claims[start : start + AT_ONCE]
            passages = [[hit.passage for hit in engine.search(one.text, SCOPE, limit=PASSAGES)] for one in some]
            shown = [
                (one.text, evidence_window(one.text, those).text) for one, those in zip(some, passages, strict=True)
            ]
            judged = reader.judge(shown)
            told = [support_signals(one.verdict) for one in judged]
            found += [(one.id, signals, one.supported) for one, signals in zip(some, told, strict=True)]
    return found


def main() -> None:
    found = rows(Path(sys.argv[1]) if len(sys.argv) > 1 else AUTHORED)
    signals = np.array([told for _, told, _ in found], np.float64).T
    truth = np.array([supported for _, _, supported in found], np.float64)
    names = ("intercept", "over_contradicted", "over_not_stated")
    weights = zip(names, logistic(signals, truth, np.ones(len(truth))), strict=True)
    fitted = {"claims": len(found)} | {name: round(weight, 4) for name, weight in weights}
    TARGET.write_text(json.dumps(fitted, indent=1) + "\n", "utf-8")
    print(fitted)


if __name__ == "__main__":
    main()
