"""The example documents that ship with DocMind, and questions on them that it answers surely."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import docmind
from docmind.domain.errors import NotFound

WORKSPACE = "examples"
"""Where the examples are put, so that they never mix with anybody's own documents."""

_STRATEGY = (
    "board-paper-european-expansion.pdf",
    "competitor-analysis-2026.pdf",
    "hr-capacity-plan-2026-2028.docx",
    "investment-committee-minutes-2026-03.docx",
)
_FINANCE = ("ellandor-annual-report-2023.pdf", "ellandor-annual-report-2024.pdf")
_BOARD, _COMPETITORS, _, _MINUTES = _STRATEGY
_REPORT_2023, _REPORT_2024 = _FINANCE

_PACKAGE = Path(docmind.__file__).parent
_PLACES = (_PACKAGE / "examples", _PACKAGE.parents[1] / "examples")
"""In an installed package; and in a checkout of the sources, whose examples the package is built with."""


@dataclass(frozen=True, slots=True)
class ExampleQuestion:
    """A question for a workflow, and the example that answers it."""

    workflow: str
    question: str
    file: str


LOOKED_UP = "Which competitor delivers fastest?"
CALCULATED = "By what percentage did Ellandor's revenue grow from 2022 to 2023?"
DISAGREEING = "What is the capital budget of Project Heron?"
"""Two of the examples answer this differently; the strategy workflow puts both answers to a person."""
# tests/runtime/test_examples.py asks them all, and each has to be answered and very likely right.
QUESTIONS = (
    ExampleQuestion("docs", LOOKED_UP, _COMPETITORS),
    ExampleQuestion("docs", "When are first deliveries of the KW-190 promised?", _COMPETITORS),
    ExampleQuestion("docs", "Who abstained from resolution IC-2026-07?", _MINUTES),
    ExampleQuestion(
        "docs", "Above what amount must a single purchase for the project be submitted to the chair?", _MINUTES
    ),
    ExampleQuestion("strategy", "Which option does management recommend to the board?", _BOARD),
    ExampleQuestion("strategy", LOOKED_UP, _COMPETITORS),
    ExampleQuestion("strategy", "Who abstained from resolution IC-2026-07?", _MINUTES),
    ExampleQuestion("finance", "What was Ellandor's revenue in 2024?", _REPORT_2024),
    ExampleQuestion("finance", "How did Ellandor's revenue develop from 2022 to 2024?", _REPORT_2024),
    ExampleQuestion("finance", CALCULATED, _REPORT_2023),
    ExampleQuestion("chat", LOOKED_UP, _COMPETITORS),
    ExampleQuestion("chat", "Who abstained from resolution IC-2026-07?", _MINUTES),
)


def example_files() -> list[Path]:
    """Where the examples lie on this machine."""
    return [*(_found("strategy", name) for name in _STRATEGY), *(_found("finance", name) for name in _FINANCE)]


def questions_on(files: Collection[str]) -> list[ExampleQuestion]:
    """Those that these files answer."""
    return [one for one in QUESTIONS if one.file in files]


def _found(folder: str, name: str) -> Path:
    for place in _PLACES:
        if (path := place / folder / name).is_file():
            return path
    raise NotFound(f"This installation lacks the example {name!r}. Install docmind again.")
