"""Writes what was measured into the documentation, so that no number there is typed by hand.

    python scripts/write_results.py [BENCH_JSON] [--commit COMMIT] [--environment MACHINE] [--root FOLDER]

takes the rows that `docmind bench --json BENCH_JSON` wrote into benchmarks.json, which keeps the last run of each
task, and renders docs/results.md and the short tables of README.md and of decisions from there. Without BENCH_JSON it
only renders.
COMMIT is what was checked out when the benchmark began: by the time it ends, the code may have moved on.
MACHINE is what `docmind bench` printed first, where it ran on another one than this.
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

from docmind.bench.report import Row, environment, shown
from docmind.bench.runner import TASKS
from finance_failures import failures
from model_table import compared, judged, looped, read_claims
from scale_plot import svg

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
class Short:
    """A line of the README: one number, and one to hold it against, of another system or of somebody else."""

    title: str
    task: str
    metric: str
    beside: str = ""
    called: str = ""
    """What a reader calls that, who has not read what the systems are."""
    system: str = "docmind"


@dataclass(frozen=True, slots=True)
class Headline:
    """A line of a decision's table: one metric of a task, for the systems worth showing side by side."""

    title: str
    task: str
    metric: str
    systems: tuple[str, ...]


BUSY = "The machine did other work beside it, so that the times are longer than they would be."
CAVEATS = {
    "filings": BUSY,
    "scifact": """Published SciFact numbers are for its test queries, which need not be those asked here: what compares
exactly is what was measured in one run.""",
    "ragtruth": """Published RAGTruth numbers are for its whole test set, structured data included; here part of
its answers and summaries is measured.""",
}
"""What to know of the numbers beside a task's own."""
SHORT = (
    Short(
        "Everyday questions answered right (authored documents)",
        "reading",
        "right",
        "top-sentence",
        "the best sentence found",
    ),
    Short("Unanswerable questions answered", "reading", "answered@unanswerable", "top-sentence", "that sentence"),
    Short(
        "True claims and their false twins, both judged right", "claims", "pairs_both_right", "coverage", "shared words"
    ),
    Short("The right abstracts for a scientific claim (SciFact, nDCG@10)", "scifact", "ndcg@10", "bm25", "BM25 alone"),
    Short("The right page found first (aws-docs)", "aws-docs", "hit@1", "bm25", "BM25 alone"),
    Short("Answers that cite this page", "docs", "gold_cited", "top-sentence", "the best sentence found"),
    Short(
        "Questions refused when this page is deleted", "docs", "refused@unanswerable", "top-sentence", "that sentence"
    ),
    Short(
        "Wrong answers of language models detected (RAGTruth, F1)",
        "ragtruth",
        "response_f1",
        "GPT-4 prompting (published)",
        "GPT-4, published",
        system="docmind@qa",
    ),
    Short(
        "Supported and unsupported claims told apart (WiCE, F1)",
        "wice",
        "support_f1",
        "GPT-4 (published)",
        "GPT-4, published",
    ),
    Short(
        "Questions on tables and text answered exactly (TAT-QA)",
        "tatqa",
        "exact_match",
        "TagOp, trained (published)",
        "TagOp, trained, published",
    ),
    Short(
        "Turns of financial conversations calculated right (ConvFinQA)",
        "convfinqa",
        "execution_accuracy",
        "row-lookup",
        "looking up the row",
    ),
    Short(
        "Analysts' questions on real filings answered right",
        "filings",
        "right",
        "top-passage",
        "the best passage found",
    ),
    Short("Follow-ups completed as people did it (CANARD, BLEU)", "canard", "bleu", "unchanged", "left as they are"),
    Short(
        "Whether to answer, refuse or ask back (MTRAG-UN, macro F1)",
        "mtrag-un",
        "macro_f1",
        "always-answer",
        "always answering",
    ),
    Short("An answer, median ms", "docs", "p50_ms"),
    Short("A search among 100,000 passages, median ms", "latency", "p50_ms", system="search@100k"),
    Short(
        "Fifty people asking at once, 95th percentile in ms",
        "service",
        "p95_ms",
        "one asker, p50",
        "one alone, median",
        system="docmind@50 askers",
    ),
)
"""What the README shows."""
DECISIONS = {
    "refusing.md": (
        Headline("Without the page, refused", "docs", "refused@unanswerable", ("docmind", "top-sentence")),
        Headline(
            "Without the page, answered wrongly", "docs", "answered_wrong@unanswerable", ("docmind", "top-sentence")
        ),
        Headline(
            "Without the page, answered correctly", "docs", "answered_right@unanswerable", ("docmind", "top-sentence")
        ),
        Headline("With the page, refused", "docs", "refused@answerable", ("docmind", "top-sentence")),
        Headline("With the page, cited", "docs", "gold_cited", ("docmind", "top-sentence")),
    ),
    "reading.md": (
        Headline("Questions answered right", "reading", "right", ("docmind", "top-sentence")),
        Headline("The same, asked in people's own words", "reading", "right@own_words", ("docmind", "top-sentence")),
        Headline("Unanswerable questions answered", "reading", "answered@unanswerable", ("docmind", "top-sentence")),
        Headline("Yes or no right, of those given", "reading", "yes_no_accuracy", ("docmind", "top-sentence")),
        Headline("Of answers at 90% or more, right", "reading", "right@0.90", ("docmind",)),
        Headline("Calibration error", "reading", "ece", ("docmind",)),
    ),
    "messages.md": (
        Headline("Messages whose kind is recognised", "messages", "accuracy", ("docmind", "word-lists")),
        Headline("Questions taken for something else", "messages", "questions_lost", ("docmind", "word-lists")),
        Headline("Greetings recognised", "messages", "recall@greeting", ("docmind", "word-lists")),
        Headline("Questions about DocMind recognised", "messages", "recall@about_assistant", ("docmind", "word-lists")),
        Headline(
            "Questions for the documents' titles recognised",
            "messages",
            "recall@about_collection",
            ("docmind", "word-lists"),
        ),
        Headline("Requests for a summary recognised", "messages", "recall@summarise", ("docmind", "word-lists")),
    ),
    "support-probability.md": (
        Headline(
            "A true claim and its false twin, both judged right", "claims", "pairs_both_right", ("docmind", "coverage")
        ),
        Headline("True claims accepted", "claims", "true_accepted", ("docmind", "coverage")),
        Headline("False claims accepted", "claims", "false_accepted", ("docmind", "coverage")),
        Headline(
            "The same where a tenth of the true ones is refused",
            "claims",
            "false_accepted@0.10",
            ("docmind", "coverage"),
        ),
    ),
}
"""What the pages of docs/decisions show of the numbers they rest on."""
GROWTH = {
    "per_second": "passages/s",
    "ingest_s": "ingest, s",
    "ingest_mb": "memory, MB",
    "optimize_s": "optimise, s",
    "optimize_mb": "memory, MB",
    "index_mb": "index, MB",
    "catalogue_mb": "catalogue, MB",
    "p50_ms": "search, ms",
    "p95_ms": "95th percentile",
    "search_mb": "memory, MB",
}
"""The columns of docs/scaling.md."""
GROWTH_ALT = (
    "Four charts on logarithmic axes, seconds, milliseconds, memory and disk, from a thousand passages to a million"
)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("bench", type=Path, nargs="?")
    parser.add_argument("--commit", default="not recorded")
    parser.add_argument("--environment", default=environment())
    parser.add_argument("--root", type=Path, default=ROOT)
    arguments = parser.parse_args()
    kept, page, readme = (arguments.root / name for name in ("benchmarks.json", "docs/results.md", "README.md"))
    recorded = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    if arguments.bench:
        recorded |= newly_measured(arguments.bench, arguments.commit, arguments.environment)
        kept.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    runs = as_runs(recorded)
    page.write_text(details(runs), encoding="utf-8")
    fill(readme, summary(runs))
    for name, headlines in DECISIONS.items():
        fill(page.parent / "decisions" / name, f"\n{short(headlines, runs)}\n")
    fill(page.parent / "finance-workflow.md", failures(row for run in runs.values() for row in run.rows))
    if "model" in runs and "loop" in runs:
        told = with_a_model(runs["loop"], runs["model"], page.parent / "model-claims.csv")
        fill(page.parent / "chat-models.md", told)
    if "scale" in runs:
        fill(page.parent / "scaling.md", growth(runs["scale"]))
        (page.parent / "images" / "scale.svg").write_text(svg(runs["scale"].rows), encoding="utf-8")


def fill(page: Path, table: str) -> None:
    """Put the table between the marks of a page."""
    page.write_text(BETWEEN_MARKS.sub(lambda _: table, page.read_text(encoding="utf-8")), encoding="utf-8")


def newly_measured(bench: Path, commit: str, machine: str) -> dict[str, Any]:
    """The rows of a benchmark by task, with the machine, the code and the day they come from."""
    day = datetime.fromtimestamp(bench.stat().st_mtime, UTC).date()
    measured = f"{machine} · commit {commit} · {day}"
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
    """Every number, a section a task, after where it was measured, what was missed and what there is to read."""
    contents = (f"- [{task}](#{task}): {_meaning(task).partition(chr(10))[0]}\n" for task in runs)
    parts = [INTRODUCTION, *_places(run.measured for run in runs.values()), _missed(runs), "".join(contents)]
    for task, run in runs.items():
        rows = (
            (row.system, row.metric, shown(row.value), f"{row.n:,}", _aim(row), _references(row)) for row in run.rows
        )
        table = _table(("system", "metric", "value", "n", "aim", "beside it"), "---|---|--:|--:|---|---", rows)
        caveat = f"\n{CAVEATS[task]}\n" if task in CAVEATS else ""
        parts.append(f"## {task}\n\n{_meaning(task)}\n\n{table}{caveat}\nMeasured with {run.measured}.\n")
    return "\n".join(parts)


def _meaning(task: str) -> str:
    return inspect.getdoc(inspect.getmodule(TASKS[task])) or ""


def summary(runs: Mapping[str, Run]) -> str:
    """The README's lines, as far as they were measured, and how many aims were reached."""
    lines = filter(None, (_line(each, runs[each.task].rows) for each in SHORT if each.task in runs))
    table = _table(("", "DocMind", "aim", "compared with"), "---|--:|---|---", lines)
    aims = [row.aim.reached_by(row.value) for run in runs.values() for row in run.rows if row.aim]
    reached = f"{sum(aims)} of {len(aims)} aims are reached; [docs/results.md](docs/results.md) begins with the others."
    return f"\n{table}\n{reached}\n\n"


def _line(short: Short, rows: Sequence[Row]) -> tuple[str, ...] | None:
    measured = {row.system: row for row in rows if row.metric == short.metric}
    row = measured.get(short.system)
    if row is None:
        return None
    others = {**{system: other.value for system, other in measured.items()}, **row.references}
    beside = f"{short.called} {shown(others[short.beside])}" if short.beside in others else ""
    return short.title, shown(row.value), _aim(row).removeprefix("aim "), beside


def with_a_model(loop: Run, model: Run, claims: Path) -> str:
    """What the loop adds to a chat model; then each workflow with and without it, and what became of its claims."""
    same = next(row for row in loop.rows if row.metric == "wrong_stated@same_right")
    asked = f"{same.n} questions on documents that nothing was fitted on, half of them without an answer there"
    best = f"With as many right as the model alone, “{same.system}” states {shown(same.value)} wrong ({_aim(same)})."
    return (
        f"\n{asked[0].upper()}{asked[1:]}:\n\n{looped(loop.rows)}\n{best} Measured with {loop.measured}.\n"
        f"\nA few questions on the bundled papers:\n\n{compared(model.rows)}\n{judged(read_claims(claims))}"
        f"\nMeasured with {model.measured}.\n\n"
    )


def growth(run: Run) -> str:
    """What a store of each size costs, and the image of it."""
    found: dict[str, dict[str, float]] = {}
    for row in run.rows:
        found.setdefault(row.system, {})[row.metric] = row.value
    lines = [
        (system, *(shown(metrics[name]) if name in metrics else "" for name in GROWTH))
        for system, metrics in found.items()
    ]
    table = _table(("", *GROWTH.values()), "|".join(["---", *(["--:"] * len(GROWTH))]), lines)
    return f"\n![{GROWTH_ALT}](images/scale.svg)\n\n{table}\nMeasured with {run.measured}.\n"


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


def _missed(runs: Mapping[str, Run]) -> str:
    """How many aims were reached, and by name those that were not."""
    aims = [(row, row.aim.reached_by(row.value)) for run in runs.values() for row in run.rows if row.aim]
    missed = [
        f"- {row.task}, {row.system}, {row.metric}: {shown(row.value)} ({_aim(row)})" for row, ok in aims if not ok
    ]
    told = f"{len(aims) - len(missed)} of {len(aims)} aims are reached"
    return "\n".join([f"{told}; these are not:\n", *missed, ""] if missed else [f"{told}.\n"])


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
