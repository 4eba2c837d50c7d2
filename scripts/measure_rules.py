"""Measure what each set of rules that reads English earns: `measure_rules.py [DATA]`, to docs/decisions/rules.md.

Each set is switched off in turn, and the benchmark that it bears on is run as shipped and without it, on the authored
documents that nothing was fitted on (and on no others, so that a rule gains nothing from texts it was written on).
"""

import argparse
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

from rich.console import Console

from docmind.bench.report import Row
from docmind.bench.tasks import claims, dialogues, reading
from docmind.bench.workbench import Workbench
from docmind.models.reader import REMEMBERED

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/decisions/rules.md"
SOURCE = ROOT / "src/docmind"
PLACE = re.compile(r"(?<=<!-- rules -->\n).*(?=<!-- /rules -->)", re.DOTALL)
SHIPPED = "docmind"
READINGS = 300_000
"""Kept of what the models read: without a set of rules they are mostly shown what they were shown with it."""


@dataclass(frozen=True)
class RuleSet:
    """Rules, the files they stand in, what they are replaced by, and what tells whether they are missed."""

    name: str
    files: tuple[str, ...]
    task: ModuleType
    metrics: tuple[str, ...]
    instead: Mapping[str, Any]


def _nothing(*_: object, **__: object) -> None:
    return None


def _no(*_: object, **__: object) -> bool:
    return False


def _same(text: str, *_: object) -> str:
    return text


READ = ("right", "answered@unanswerable")
HELD = ("right@follow_up", "wrong@follow_up", "answered@unanswerable")
JUDGED = ("pairs_both_right", "false_accepted@0.10", "accepted@altered_figure")
RULES = (
    RuleSet(
        "calculations over tables",
        ("skills/tables",),
        reading,
        READ,
        {"docmind.skills.answer.answer_from_tables": _nothing},
    ),
    RuleSet(
        "several questions in one",
        ("skills/question/parts.py",),
        reading,
        READ,
        {"docmind.skills.answer.questions": lambda _: [], "docmind.skills.decompose.parts": lambda text: [text]},
    ),
    RuleSet(
        "a search for each thing that is compared",
        ("skills/question/comparison.py",),
        reading,
        READ,
        {"docmind.skills.question.parts._spread": _same},
    ),
    RuleSet(
        "the kind of a question",
        ("skills/question/intent.py",),
        reading,
        READ,
        {
            f"docmind.skills.{module}.intent": lambda _: "lookup"
            for module in ("answer", "decompose", "disputes", "extract.statement_scorer")
        },
    ),
    RuleSet(
        "words that point back (“it”, “there”)",
        ("skills/dialogue/coreference.py", "skills/dialogue/pointers.py"),
        dialogues,
        HELD,
        {"docmind.skills.rewrite.with_names": _same},
    ),
    RuleSet(
        "what a short message leaves out",
        ("skills/dialogue/ellipsis.py",),
        dialogues,
        HELD,
        {"docmind.skills.rewrite.is_fragment": _no, "docmind.skills.rewrite.carried": _same},
    ),
    RuleSet(
        "“the second one”, “why”, “again”",
        ("skills/dialogue/answer_references.py",),
        dialogues,
        HELD,
        {
            "docmind.skills.rewrite.asks_again": _no,
            "docmind.skills.rewrite.asks_why": _no,
            "docmind.skills.rewrite.next_in_question": lambda *_: "",
            "docmind.skills.rewrite.counted": _nothing,
        },
    ),
    RuleSet(
        "figures in another spelling, or that nothing bears out",
        ("quality/grounding/figures.py",),
        claims,
        JUDGED,
        {
            "docmind.quality.grounding.grounder.unstated": _nothing,
            "docmind.quality.grounding.grounder._figures": lambda *_: ((), ()),
        },
    ),
    RuleSet(
        "sums that a claim writes out",
        ("quality/grounding/worked_out.py",),
        claims,
        JUDGED,
        {"docmind.quality.grounding.grounder._worked_out": _nothing},
    ),
    RuleSet(
        "a sentence with other digits",
        (),
        claims,
        JUDGED,
        {"docmind.quality.grounding.grounder._altered": _nothing},
    ),
)


def measured(bench: Workbench, rules: Sequence[RuleSet], seen: Callable[[str, list[Row]], None]) -> list[str]:
    """A line of the table for each set of rules."""
    shipped: dict[ModuleType, list[Row]] = {}
    lines = []
    for one in rules:
        if one.task not in shipped:
            shipped[one.task] = one.task.run(bench)
            seen(f"{one.task.__name__} as shipped", shipped[one.task])
        with ExitStack() as off:
            off.enter_context(patch.dict(dialogues.SYSTEMS, {SHIPPED: dialogues.SYSTEMS[SHIPPED]}, clear=True))
            for name, replacement in one.instead.items():
                off.enter_context(patch(name, replacement))
            without = one.task.run(bench)
        seen(f"without {one.name}", without)
        cells = (
            f"{metric} {_value(shipped[one.task], metric):.3f} / {_value(without, metric):.3f}"
            for metric in one.metrics
        )
        lines.append(f"| {one.name} | {_lines(one.files):,} | {'; '.join(cells)} |")
    return lines


def _value(rows: Iterable[Row], metric: str) -> float:
    return next(row.value for row in rows if (row.system, row.metric) == (SHIPPED, metric))


def _lines(files: Sequence[str]) -> int:
    paths = [each for name in files for each in ((SOURCE / name).rglob("*.py") if "." not in name else [SOURCE / name])]
    return sum(len(path.read_text("utf-8").splitlines()) for path in paths)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="?", default=ROOT / "data")
    parser.add_argument("--only", help="sets whose name has this")
    options = parser.parse_args()
    REMEMBERED._most = READINGS
    rules = [one for one in RULES if not options.only or options.only in one.name]

    def show(what: str, rows: list[Row]) -> None:
        told = (f"{row.metric} {row.value:.3f}" for row in rows if row.system == SHIPPED)
        print(f"{what}: {', '.join(told)}", flush=True)

    with tempfile.TemporaryDirectory() as scratch:
        lines = measured(Workbench(options.data, Path(scratch), Console(stderr=True)), rules, show)
    table = "\n".join(("", "| rules | lines | with / without |", "| --- | --: | --- |", *lines, "", ""))
    if not options.only:
        PAGE.write_text(PLACE.sub(lambda _: table, PAGE.read_text("utf-8")), "utf-8")
    print(table)


if __name__ == "__main__":
    main()
