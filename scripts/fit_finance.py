"""Fit how likely an analysis of figures is right: `fit_finance.py [DATA]`, written to skills/finance/confidence.json.

Asked are questions of TAT-QA on pages that the finance workflow was not designed on, every second page; on the others
`docmind bench tatqa` measures how true the numbers are.
"""

import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from rich.console import Console

from docmind.bench.tasks.tatqa import Answered, calibrated_on
from docmind.bench.workbench import Workbench

TARGET = Path(__file__).parent.parent / "src/docmind/skills/finance/confidence.json"
PRIOR = 10
"""How many answers of the overall share are added to those of an operation: a rare one must not go to 0 or 1."""


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        data = Path(sys.argv[1] if len(sys.argv) > 1 else "~/.cache/docmind-bench").expanduser()
        answered = calibrated_on(Workbench(data, Path(scratch), Console(stderr=True)))
    certain = [one for one in answered if one.told.certain]
    overall = share(certain)
    by_operation: dict[str, list[Answered]] = defaultdict(list)
    for one in certain:
        by_operation[one.operation].append(one)
    fitted = {
        "answers": len(answered),
        "certain": {
            operation: round((share(some) * len(some) + PRIOR * overall) / (len(some) + PRIOR), 3)
            for operation, some in sorted(by_operation.items())
        },
        "doubted": round(share([one for one in answered if not one.told.certain]), 3),
    }
    TARGET.write_text(json.dumps(fitted, indent=1) + "\n", "utf-8")
    print(fitted)


def share(answered: list[Answered]) -> float:
    return sum(one.score.exact_match for one in answered) / len(answered) if answered else 0.0


if __name__ == "__main__":
    main()
