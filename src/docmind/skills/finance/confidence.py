"""How likely what an analysis found is what was asked for, as measured.

On single pages it is told by the operation; in whole reports by how sure each step was.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Self

from docmind.skills.extract.answer_model import logistic
from docmind.skills.finance.analysis import Analysis


@dataclass(frozen=True, slots=True)
class AnalysisModel:
    """Shares of right answers, fitted by `scripts/fit_finance.py`; `confidence.json` holds them."""

    certain: Mapping[str, float]
    """By operation, of answers told without a doubt."""
    doubted: float
    """Of answers told with one, and of operations too rare to be measured."""
    reports: Mapping[str, float]
    """Weights of what `signals_of` tells of an analysis of whole reports, by name; fitted by `fit_filings.py`."""
    quoted: Mapping[str, float]
    """The same of what `ReportReader` tells of a quotation from them."""
    refuse_below: float
    """How likely right an answer from whole reports has to be to be given."""

    @classmethod
    @cache
    def shipped(cls) -> Self:
        fitted = json.loads(files(__package__).joinpath("confidence.json").read_text(encoding="utf-8"))
        return cls(*(fitted[name] for name in ("certain", "doubted", "reports", "quoted", "refuse_below")))

    def is_right(self, operation: str, *, certain: bool) -> float:
        return self.certain.get(operation, self.doubted) if certain else self.doubted


def analysis_confidence(analysis: Analysis) -> float:
    """That the figures found are those asked for, whatever is then said of them."""
    if analysis.signals:
        return logistic(AnalysisModel.shipped().reports, analysis.signals)
    return AnalysisModel.shipped().is_right(analysis.question.operation, certain=not analysis.doubts)
