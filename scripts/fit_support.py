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
from docmind.models.word_vectors import WordVectors
from docmind.quality.excerpts import evidence_window
from docmind.quality.grounding.coverage import lay
from docmind.quality.grounding.evidence import Evidence, PreparedPassage
from docmind.quality.grounding.signals import read_signals
from docmind.quality.grounding.support import support_signals
from logistic import logistic

TARGET = Path(__file__).parent.parent / "src/docmind/quality/grounding/support.json"
AUTHORED = Path(__file__).parent.parent / "data" / "authored"
PASSAGES = 8


def rows(root: Path, part: Part = Part.TUNE) -> tuple[list[dict[str, float]], list[bool], list[str]]:
    """Of each claim its signals, whether it is supported, and its id."""
    folders = read_authored(root)
    reader, vectors = Reader(), WordVectors()
    signals, labels, ids = [], [], []
    with tempfile.TemporaryDirectory() as scratch, open_engine(Path(scratch), "minilm") as engine:
        engine.ingest(documents_of(folders, part), SCOPE)
        for folder in folders:
            for claim in folder.claims:
                if folder.part(claim.document) is not part:
                    continue
                passages = [hit.passage for hit in engine.search(claim.text, SCOPE, limit=PASSAGES)]
                evidence = Evidence(map(PreparedPassage, passages), vectors)
                [judged] = reader.judge([(claim.text, evidence_window(claim.text, passages).text)])
                coverage = lay(claim.text, evidence, vectors)
                signals.append(support_signals(judged.verdict, read_signals(coverage)))
                labels.append(claim.supported)
                ids.append(claim.id)
    return signals, labels, ids


def main() -> None:
    signals, labels, _ = rows(Path(sys.argv[1]) if len(sys.argv) > 1 else AUTHORED)
    names = list(signals[0])
    table = np.array([[one[name] for name in names] for one in signals], np.float64).T
    truth = np.array(labels, np.float64)
    intercept, *weights = logistic(table, truth, np.ones(len(truth)))
    fitted = {"intercept": round(intercept, 4)} | {n: round(w, 4) for n, w in zip(names, weights, strict=True)}
    TARGET.write_text(json.dumps({"claims": len(labels), "weights": fitted}, indent=1) + "\n", "utf-8")
    print(fitted)


if __name__ == "__main__":
    main()
