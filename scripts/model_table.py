"""The tables of docs/chat-models.md: what the loop adds to a chat model, each workflow beside the embedded way, and the
model's claims as checked and as read."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from docmind.bench.report import Row, shown

COLUMNS = {
    "right": "right",
    "supported": "claims borne out",
    "retries": "drafts written again",
    "claims_refused": "claims refused",
    "model_calls": "model calls",
    "seconds": "seconds",
}
"""What is shown of each way to answer, a question in the mean."""
LOOP = {
    "right": "right, of those with an answer",
    "refused@answerable": "of these not answered",
    "answered@unanswerable": "answered, of those without",
    "wrong_stated": "wrong and stated, of all",
    "right_by_retry": "right by a retry",
    "model_calls": "model calls",
    "tokens": "tokens",
    "seconds": "seconds",
}
"""What is shown of each way to use the model; the last three are a question in the mean."""
SYSTEMS = ("embedded", "model")
PASSED = "supported"


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of the model, what the checks said of it, and what a reader does who has the documents."""

    workflow: str
    passed: bool
    borne_out: bool


def compared(rows: Iterable[Row]) -> str:
    """A line for each workflow and way to answer."""
    found: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        system, _, workflow = row.system.partition("@")
        found.setdefault((workflow, system), {})[row.metric] = row
    workflows = dict.fromkeys(workflow for workflow, _ in found)
    lines = [
        [workflow, system, str(measured["right"].n), *(shown(measured[name].value) for name in COLUMNS)]
        for workflow in workflows
        for system in SYSTEMS
        if (measured := found.get((workflow, system)))
    ]
    return _table(["workflow", "answered by", "questions", *COLUMNS.values()], lines)


def looped(rows: Iterable[Row]) -> str:
    """A line for each way to use a chat model."""
    found: dict[str, dict[str, Row]] = {}
    for row in rows:
        found.setdefault(row.system, {})[row.metric] = row
    lines = [[system, *(shown(measured[name].value) for name in LOOP)] for system, measured in found.items()]
    return _table(["answered by", *LOOP.values()], lines)


def read_claims(path: Path) -> list[Claim]:
    """Those that a reader has labelled."""
    with path.open(encoding="utf-8", newline="") as file:
        labelled = [line for line in csv.DictReader(file) if line["borne_out"]]
    return [Claim(line["workflow"], line["checked"] == PASSED, line["borne_out"] == "yes") for line in labelled]


def judged(claims: Sequence[Claim]) -> str:
    """How many bad claims were caught, and how many good ones were refused with them."""
    workflows = dict.fromkeys(claim.workflow for claim in claims)
    lines = [_counted(name, [claim for claim in claims if claim.workflow == name]) for name in workflows]
    return _table(
        ["workflow", "claims written", "not borne out", "of these caught", "borne out", "of these refused"],
        [*lines, _counted("all", claims)],
    )


def _counted(name: str, claims: Sequence[Claim]) -> list[str]:
    good, bad = ([claim for claim in claims if claim.borne_out is kind] for kind in (True, False))
    caught, refused = (sum(not claim.passed for claim in those) for those in (bad, good))
    return [name, *map(str, (len(claims), len(bad), caught, len(good), refused))]


def _table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rule = ["---", *["--:"] * (len(header) - 1)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (header, rule, *lines))
