"""Repairs a response by code: what is not borne out is left out, and a chart that cannot stand goes with its place."""

from collections.abc import Mapping
from typing import Any

from docmind.quality.charts import trace_points, validate_chart
from docmind.quality.grounding import Grounder
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.wording.response_check import check, known_to
from docmind.skills.finance.wording.sources import Sources


def borne_out(text: str, analysis: Analysis, sources: Sources, grounder: Grounder) -> str:
    """A text without the sentences that do not pass the check."""
    wrong = check(text, {}, analysis, sources, grounder).judgement.hallucinated
    for one in sorted(wrong, key=lambda claim: claim.claim.span, reverse=True):
        text = text[: one.claim.span.start] + text[one.claim.span.end :]
    return "\n".join(line for line in text.split("\n") if line.strip() != "-").strip()


def sound_charts(
    charts: Mapping[int, Mapping[str, Any]], analysis: Analysis, sources: Sources
) -> list[Mapping[str, Any]]:
    """The charts that can be drawn and show nothing but what is known."""
    known = known_to(analysis, sources)
    return [
        chart
        for chart in charts.values()
        if not validate_chart(chart) and all(one.source is not None for one in trace_points(chart, known))
    ]
