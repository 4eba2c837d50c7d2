"""SciFact: which abstracts concern a scientific claim, by each search alone and by the fusion as shipped."""

from docmind.bench import labelled
from docmind.bench.metrics import ndcg, recall
from docmind.bench.report import Aim, Row
from docmind.bench.retrieval import SYSTEMS, mean, rankings
from docmind.bench.workbench import Workbench

PUBLISHED_NDCG = {
    "BM25 (published)": 0.665,
    "MiniLM (published)": 0.649,
    "SPLADE-v3 (published)": 0.714,
    "BGE-base (published)": 0.741,
}
"""On the set's test queries; the queries measured here may be others of the same set."""
AIMS = {"docmind": Aim(0.72)}
AIM_OVER_BM25 = Aim(0.05)


def run(bench: Workbench, *, embedder: str = "minilm") -> list[Row]:
    claims = labelled.scifact(bench)
    found = rankings(bench, claims, embedder)
    n = len(claims.questions)
    rows = []
    ndcg_of: dict[str, float] = {}
    for system in SYSTEMS:
        ndcg_of[system] = mean(ndcg, 10, found[system], claims.questions)
        recalled = mean(recall, 100, found[system], claims.questions)
        rows += [
            Row("scifact", system, "ndcg@10", ndcg_of[system], n, PUBLISHED_NDCG, AIMS.get(system)),
            Row("scifact", system, "recall@100", recalled, n),
        ]
    gain = ndcg_of["docmind"] - ndcg_of["bm25"]
    return [
        *rows,
        Row("scifact", "docmind minus bm25", "ndcg@10", gain, n, aim=AIM_OVER_BM25),
    ]
