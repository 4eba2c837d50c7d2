"""Fit how likely an answer is right that a chat model wrote: `fit_drafts.py [AUTHORED]`, to skills/drafting.json.

`data/drafts` has answers of a small chat model to questions on the authored documents kept for tuning, as far as they
passed the local checks. An answer to a question that the documents do not answer is wrong.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from docmind.bench.authored import Part, read_authored
from docmind.bench.authored_answers import documents_of, is_right, questions_of
from docmind.bench.workbench import SCOPE, open_engine
from docmind.domain.documents import Document, passage_id
from docmind.domain.search import Hit
from docmind.runtime.engine import DocMind
from docmind.skills.drafting import draft_signals
from docmind.skills.judge import UNLIKELY
from logistic import logistic

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src/docmind/skills/drafting.json"
DRAFTS = ROOT / "data" / "drafts" / "drafts.jsonl"
RIDGE = 1.0
"""There are few drafts: it keeps the coefficients small."""


def rows(authored: Path) -> list[tuple[dict[str, float], bool]]:
    """Of each draft its signals, and whether it is right."""
    folders = read_authored(authored)
    asked = {question.id: question for question in questions_of(folders, Part.TUNE)}
    found = []
    with tempfile.TemporaryDirectory() as scratch, open_engine(Path(scratch), "minilm") as engine:
        engine.ingest(documents_of(folders, Part.TUNE), SCOPE)
        scorer = engine.services(SCOPE).scorer
        hits_in = {document.name: passages_of(engine, document) for document in engine.documents(SCOPE)}
        for line in DRAFTS.read_text("utf-8").splitlines():
            draft = json.loads(line)
            question = asked[draft["question"]]
            hits = [
                replace(beginning(start, hits_in[name]), relevance_score=relevance)
                for name, start, relevance in draft["passages"]
            ]
            told = draft_signals(question.text, draft["text"], hits, scorer)
            found.append((told, is_right(question, draft["text"])))
    return found


def passages_of(engine: DocMind, document: Document) -> list[Hit]:
    """All passages of a document, in their order."""
    ids = [passage_id(document.id, ordinal) for ordinal in range(document.passages)]
    return asyncio.run(engine.services(SCOPE).corpus.afetch(ids, SCOPE))


def beginning(start: str, hits: Sequence[Hit]) -> Hit:
    """The passage that begins so; where documents are cut in another way since, the one that has these words."""
    texts = [" ".join(hit.passage.text.split()) for hit in hits]
    found = [hit for hit, text in zip(hits, texts, strict=True) if text.startswith(start)]
    found += [hit for hit, text in zip(hits, texts, strict=True) if start in text]
    if not found:
        raise SystemExit(f"No passage of {hits[0].document.name} has the words “{start}”.")
    return found[0]


def main() -> None:
    found = rows(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "data" / "authored")
    names = list(found[0][0])
    table = np.array([[told[name] for name in names] for told, _ in found], np.float64).T
    right = np.array([one for _, one in found], np.float64)
    weights = logistic(table, right, np.ones(len(found)), ridge=RIDGE)
    fitted = {name: round(value, 4) for name, value in zip(("intercept", *names), weights, strict=True)}
    TARGET.write_text(json.dumps({"drafts": len(found), "right": fitted}, indent=1) + "\n", "utf-8")
    likely = 1 / (1 + np.exp(-(weights[0] + np.array(weights[1:]) @ table)))
    lost = [int((likely[right == one] < UNLIKELY).sum()) for one in (1, 0)]
    print(f"{len(found)} drafts, {int(right.sum())} right: {fitted}")
    print(f"below {UNLIKELY} are {lost[0]} of the right ones and {lost[1]} of the wrong ones")


if __name__ == "__main__":
    main()
