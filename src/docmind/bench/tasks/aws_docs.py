"""aws-docs: whether the page that answers a question is found first, or among the first five."""

from docmind.bench import labelled
from docmind.bench.metrics import hit
from docmind.bench.report import Aim, Row
from docmind.bench.retrieval import SYSTEMS, mean, rankings
from docmind.bench.workbench import Workbench

WHOLE_PAGE_BM25 = {1: 0.61, 5: 0.84}
AIMS = {("docmind", 5): Aim(0.92)}


def run(bench: Workbench, *, embedder: str = "minilm") -> list[Row]:
    pages = labelled.aws_docs(bench)
    found = rankings(bench, pages, embedder)
    rows = []
    for system in SYSTEMS:
        for depth, reference in WHOLE_PAGE_BM25.items():
            value = mean(hit, depth, found[system], pages.questions)
            aim = AIMS.get((system, depth))
            references = {"whole-page BM25": reference}
            rows.append(Row("aws-docs", system, f"hit@{depth}", value, len(pages.questions), references, aim))
    return rows
