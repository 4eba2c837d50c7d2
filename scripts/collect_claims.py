"""Collects what a chat model claims in the questions of the `model` benchmark, for a person to label.

    DOCMIND_MODELS__CHAT=… python scripts/collect_claims.py CLAIMS.csv [--json ROWS.json] [--workflow NAME]

writes one line a claim with what the checks made of it; the last column is for whoever reads the claim beside the
documents: `yes` where they bear it out, `no` where they do not. Every draft counts, those that were written again too.
"""

import argparse
import csv
import sys
from pathlib import Path

from rich.console import Console

from docmind.bench.model_questions import SESSIONS, ModelQuestion, Session
from docmind.bench.report import write_rows
from docmind.bench.tasks import model
from docmind.bench.workbench import workbench
from docmind.domain.stream import ClaimChecked, Resulted, StreamEvent

COLUMNS = ("workflow", "question", "claim", "checked", "borne_out")


def main(claims: Path, rows: Path | None, workflows: list[str]) -> None:
    with claims.open("w", encoding="utf-8", newline="") as file, workbench(Path(), Console(stderr=True)) as bench:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(COLUMNS)

        def listen(session: Session, asked: ModelQuestion, told: StreamEvent) -> None:
            if isinstance(told, ClaimChecked):
                lines.writerow((session.workflow, asked.question, told.claim.text, told.claim.status, ""))
                file.flush()
            elif isinstance(told, Resulted):
                sys.stderr.write(told.result.model_dump_json() + "\n")

        sessions = [session for session in SESSIONS if not workflows or session.workflow in workflows]
        measured = model.run(bench, sessions=sessions, listen=listen)
    if rows:
        write_rows(rows, measured)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("claims", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--workflow", action="append", default=[])
    given = parser.parse_args()
    main(given.claims, given.json, given.workflow)
