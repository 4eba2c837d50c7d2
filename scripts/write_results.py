"""Writes what was measured into the documentation, so that no number there is typed by hand.

    python scripts/write_results.py [BENCH_JSON] [--commit COMMIT] [--root FOLDER]

takes the rows that `docmind bench --json BENCH_JSON` wrote into benchmarks.json, which keeps the last run of each
task, and renders docs/results.md and the short tables of README.md and of decisions from there. Without BENCH_JSON it
only renders.
COMMIT is what was checked out when the benchmark began: by the time it ends, the code may have moved on.
"""

import argparse
import inspect
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from docmind.bench.answering import READING
from docmind.bench.report import Row, environment, shown
from docmind.bench.retrieval import RERANKED
from docmind.bench.runner import TASKS
from finance_failures import failures

ROOT = Path(__file__).resolve().parent.parent
BETWEEN_MARKS = re.compile(r"(?<=<!-- results -->\n).*?(?=<!-- /results -->)", re.DOTALL)
INTRODUCTION = """# Results

`make bench` measures all of this again. [decisions/benchmarks.md](decisions/benchmarks.md) says how, and what the
numbers leave out.
"""


@dataclass(frozen=True, slots=True)
class Run:
    """The last run of a task."""

    measured: str
    """With what, where and when."""
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Headline:
    """A line of the short table: one metric of a task, for the systems worth showing side by side."""

    title: str
    task: str
    metric: str
    systems: tuple[str, ...]


CAVEATS = {
    "scifact": """Published SciFact numbers are for its test queries, which need not be those asked here: what compares
exactly is what was measured in one run.""",
    "ragtruth": """Published RAGTruth numbers are for its whole test set, structured data included; here part of
its answers and summaries is measured.""",
}
"""What to know of the numbers beside a task's own."""
HEADLINES = (
    Headline("SciFact, nDCG@10", "scifact", "ndcg@10", ("docmind", RERANKED, "dense", "bm25")),
    Headline("aws-docs, the right page first", "aws-docs", "hit@1", ("docmind", RERANKED, "dense", "bm25")),
    Headline("aws-docs, the right page among five", "aws-docs", "hit@5", ("docmind", RERANKED, "dense", "bm25")),
    Headline("Answers to aws-docs, the right page cited", "docs", "gold_cited", ("docmind", "top-sentence")),
    Headline("Answers to aws-docs, yes or no told right", "docs", "yes_no_accuracy", ("docmind", "top-sentence")),
    Headline(
        "Answers to aws-docs, refused without the page", "docs", "refused@unanswerable", ("docmind", "top-sentence")
    ),
    Headline("Answers to aws-docs, median ms", "docs", "p50_ms", ("docmind",)),
    *(
        Headline(
            f"RAGTruth, wrong {what} found, F1",
            "ragtruth",
            "response_f1",
            tuple(f"{system}@{name}" for system in ("docmind", "docmind+encoder", "coverage", "always")),
        )
        for name, what in (("qa", "answers"), ("summary", "summaries"), ("both", "answers and summaries"))
    ),
    Headline(
        "WiCE, claims that their page supports, F1",
        "wice",
        "support_f1",
        ("docmind", "docmind+encoder", "coverage", "always"),
    ),
    Headline(
        "TAT-QA, questions on tables and text answered exactly",
        "tatqa",
        "exact_match",
        ("docmind", "docmind@unseen", "row-lookup"),
    ),
    Headline(
        "ConvFinQA, turns of conversations calculated right",
        "convfinqa",
        "execution_accuracy",
        ("docmind", "docmind@unseen", "row-lookup"),
    ),
    Headline("10-Q reports, figures told", "sec-10q", "numeric_match", ("docmind", "search+quote")),
    Headline("10-Q reports, reports cited", "sec-10q", "source_recall", ("docmind", "search+quote")),
    Headline("Finance, a question on 10-Q reports, median ms", "sec-10q", "p50_ms", ("docmind", "search+quote")),
    Headline(
        "Cells of financial tables read right",
        "finance",
        "cell_accuracy",
        ("docmind@tatqa", "split-at-bars@tatqa", "docmind@convfinqa", "split-at-bars@convfinqa"),
    ),
    Headline("CANARD, questions said alone, BLEU", "canard", "bleu", ("docmind", "unchanged", "with-history")),
    Headline(
        "MTRAG-UN, whether to answer, refuse or ask back, macro F1",
        "mtrag-un",
        "macro_f1",
        ("docmind", "docs, question alone", "relevance", "always-answer"),
    ),
    Headline("MTRAG-UN, the right page for a turn, nDCG@5", "mtrag-un", "ndcg@5", ("docmind", "last turn")),
    Headline("Chat, a turn, median ms", "chat", "p50_ms", ("turn@1k",)),
    Headline("Strategy, a plain question, median ms", "strategy", "p50_ms@happy", ("docmind", "scripted")),
    Headline("Engine beside LangGraph alone, a node", "overhead", "ratio", ("docmind",)),
    Headline("Service, fifty people at once, 95th percentile in ms", "service", "p95_ms", ("docmind@50 askers",)),
    Headline("Service, answers that were another's, of all given", "service", "mixed_up", ("docmind@50 askers",)),
    Headline(
        "Checking, claims/s on one core against 8 passages",
        "checking",
        "per_second",
        ("docmind", "docmind@unread_passages", "coverage"),
    ),
    Headline("Embedding speed, times that of fp32", "embedding", "ratio", ("minilm-int8", "static")),
    Headline("Ingest, passages/s", "ingest", "per_second", ("docmind-minilm@1k", "docmind@1k", "docmind@100k")),
    Headline("Search among 100,000 passages, median ms", "latency", "p50_ms", ("search@100k", "embed+search@100k")),
    Headline(
        "Share relevant of hits scored 0.60 or more",
        "calibration",
        "relevant@0.60",
        ("docmind@scifact", "docmind@aws-docs"),
    ),
    Headline("Calibration error", "calibration", "ece", ("docmind@scifact", "docmind@aws-docs")),
)
DECISIONS = {
    "reranking.md": (
        Headline("SciFact, nDCG@10", "scifact", "ndcg@10", ("docmind", RERANKED)),
        Headline("aws-docs, the right page first", "aws-docs", "hit@1", ("docmind", RERANKED)),
        Headline("Answers to aws-docs, the right page cited", "docs", "gold_cited", ("docmind", RERANKED)),
        Headline("The same, words shared with the right answer, F1", "docs", "token_f1", ("docmind", RERANKED)),
        Headline("The same, refused without the page", "docs", "refused@unanswerable", ("docmind", RERANKED)),
        Headline("The same, refused with the page", "docs", "refused@answerable", ("docmind", RERANKED)),
        Headline("The same, median ms", "docs", "p50_ms", ("docmind", RERANKED)),
    ),
    "refusing.md": (
        Headline("Without the page, refused", "docs", "refused@unanswerable", ("docmind", "top-sentence")),
        Headline(
            "Without the page, answered wrongly", "docs", "answered_wrong@unanswerable", ("docmind", "top-sentence")
        ),
        Headline(
            "Without the page, answered rightly", "docs", "answered_right@unanswerable", ("docmind", "top-sentence")
        ),
        Headline("With the page, refused", "docs", "refused@answerable", ("docmind", "top-sentence")),
        Headline("With the page, cited", "docs", "gold_cited", ("docmind", "top-sentence")),
    ),
    "reading.md": (
        Headline("Answers to aws-docs, the right page cited", "docs", "gold_cited", ("docmind", READING)),
        Headline("The same, words shared with the right answer, F1", "docs", "token_f1", ("docmind", READING)),
        Headline("The same, refused without the page", "docs", "refused@unanswerable", ("docmind", READING)),
        Headline("The same, refused with the page", "docs", "refused@answerable", ("docmind", READING)),
        Headline("The same, median ms", "docs", "p50_ms", ("docmind", READING)),
    ),
}
"""What the pages of docs/decisions show of the numbers they rest on."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("bench", type=Path, nargs="?")
    parser.add_argument("--commit", default="not recorded")
    parser.add_argument("--root", type=Path, default=ROOT)
    arguments = parser.parse_args()
    kept, page, readme = (arguments.root / name for name in ("benchmarks.json", "docs/results.md", "README.md"))
    recorded = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    if arguments.bench:
        recorded |= newly_measured(arguments.bench, arguments.commit)
        kept.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    runs = as_runs(recorded)
    page.write_text(details(runs), encoding="utf-8")
    fill(readme, summary(runs))
    for name, headlines in DECISIONS.items():
        fill(page.parent / "decisions" / name, f"\n{short(headlines, runs)}\n")
    fill(page.parent / "finance-workflow.md", failures(row for run in runs.values() for row in run.rows))


def fill(page: Path, table: str) -> None:
    """Put the table between the marks of a page."""
    page.write_text(BETWEEN_MARKS.sub(lambda _: table, page.read_text(encoding="utf-8")), encoding="utf-8")


def newly_measured(bench: Path, commit: str) -> dict[str, Any]:
    """The rows of a benchmark by task, with the machine, the code and the day they come from."""
    day = datetime.fromtimestamp(bench.stat().st_mtime, UTC).date()
    measured = f"{environment()} · commit {commit} · {day}"
    found: dict[str, Any] = {}
    for row in json.loads(bench.read_text(encoding="utf-8")):
        found.setdefault(row["task"], {"measured": measured, "rows": []})["rows"].append(row)
    return found


def as_runs(recorded: Mapping[str, Any]) -> dict[str, Run]:
    """The runs by task, in the order of the benchmark's own table."""
    return {
        task: Run(recorded[task]["measured"], [Row.of(row) for row in recorded[task]["rows"]])
        for task in TASKS
        if task in recorded
    }


def details(runs: Mapping[str, Run]) -> str:
    """Every number, a section a task."""
    parts = [INTRODUCTION]
    for task, run in runs.items():
        rows = (
            (row.system, row.metric, shown(row.value), f"{row.n:,}", _aim(row), _references(row)) for row in run.rows
        )
        table = _table(("system", "metric", "value", "n", "aim", "beside it"), "---|---|--:|--:|---|---", rows)
        meaning = inspect.getdoc(inspect.getmodule(TASKS[task]))
        parts.append(f"## {task}\n\n{meaning}\n\n{table}\nMeasured with {run.measured}.\n")
    return "\n".join(parts)


def summary(runs: Mapping[str, Run]) -> str:
    """The headlines, how many aims were reached, and where all of it was measured."""
    caveats = (f"{caveat}\n" for task, caveat in CAVEATS.items() if task in runs)
    told = *caveats, *_places(run.measured for run in runs.values())
    return "\n".join(["", short(HEADLINES, runs), _aims(runs), *told, ""])


def _places(measured: Iterable[str]) -> Iterator[str]:
    """A sentence for each machine, with the commits that were measured on it."""
    commits: dict[str, dict[str, None]] = {}
    for place in measured:
        machine, _, commit = place.partition(" · commit ")
        commits.setdefault(machine, {})[commit.partition(" · ")[0]] = None
    for machine, seen in commits.items():
        yield f"Measured with {machine} at {'commit' if len(seen) == 1 else 'commits'} {', '.join(seen)}.\n"


def short(headlines: Iterable[Headline], runs: Mapping[str, Run]) -> str:
    """The headlines as a table, as far as they were measured."""
    lines = []
    for headline in headlines:
        rows = (
            [row for row in runs[headline.task].rows if row.metric == headline.metric] if headline.task in runs else []
        )
        chosen = [row for system in headline.systems for row in rows if row.system == system]
        if chosen:
            measured = " · ".join(_measured(row) for row in chosen)
            lines.append((headline.title, measured, _references(chosen[0])))
    return _table(("", "measured", "beside it"), "---|---|---", lines)


def _aims(runs: Mapping[str, Run]) -> str:
    """How many aims were reached, and by name those that were not, whether a headline shows them or none does."""
    aims = [(row, row.aim.reached_by(row.value)) for run in runs.values() for row in run.rows if row.aim]
    missed = [f"{row.task}, {row.system}, {row.metric} {shown(row.value)} ({_aim(row)})" for row, ok in aims if not ok]
    told = f"{len(aims) - len(missed)} of {len(aims)} aims are reached."
    return "\n".join([told, *([f"Missed: {'; '.join(missed)}."] if missed else []), ""])


def _table(header: Sequence[str], rule: str, lines: Iterable[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (header, rule.split("|"), *lines))


def _measured(row: Row) -> str:
    aim = _aim(row)
    return f"{row.system} {shown(row.value)}" + (f" ({aim})" if aim else "")


def _aim(row: Row) -> str:
    if row.aim is None:
        return ""
    mark = "✓" if row.aim.reached_by(row.value) else "✗"
    return f"{row.aim.name} {row.aim.value:g} {mark}"


def _references(row: Row) -> str:
    return ", ".join(f"{name} {shown(value)}" for name, value in row.references.items())


if __name__ == "__main__":
    main()
