"""What is said where the documents do not answer: what was looked for, of whom, for when, and in which reports."""

from collections.abc import Sequence

from docmind.skills.finance.seeking.processed import ProcessedQuery, unreported
from docmind.skills.finance.seeking.reports import Report

REFUSAL = "The documents do not answer this question."


def refusal(asked: ProcessedQuery) -> str:
    """The refusal as it is told, with what was looked for as far as the question names it."""
    what, whose, when = _listed(asked["metrics"]), _listed(asked["companies"]), _listed(_times(asked))
    of_whom = f"of {whose}" if what else f"in the reports of {whose}"
    parts = (what or "an answer", of_whom if whose else "", f"for {when}" if when else "")
    where = _listed([_named(report) for report in asked["about"]]) if asked["companies"] else ""
    looked_for = f"Looked for {' '.join(filter(None, parts))}{f', in {where}' if where else ''}."
    unsaid = (*_unreported(asked), *unreported(asked))
    return " ".join((REFUSAL, *([looked_for] if what or whose or when else []), *unsaid))


def _times(asked: ProcessedQuery) -> list[str]:
    years = list(map(str, asked["years"]))
    quarters = [f"Q{quarter}" for quarter in asked["quarters"]]
    return [f"{' and '.join(quarters)} {years[0]}"] if quarters and len(years) == 1 else years


def _named(report: Report) -> str:
    kind = report["kind"].upper() if report["kind"][:1].isdigit() else report["kind"] or "report"
    quarter = f"Q{report['quarter']} " if report["quarter"] else ""
    return f"the {kind} for {quarter}{report['fiscal_year']}"


def _unreported(asked: ProcessedQuery) -> list[str]:
    """The companies that nothing was found of for the years asked for."""
    told = {report["company"] for report in asked["about"]}
    missing = [company for company in asked["companies"] if asked["years"] and company not in told]
    when = _listed(list(map(str, asked["years"])))
    return [f"There is no report of {company} for {when}." for company in missing]


def _listed(things: Sequence[str]) -> str:
    """One, two and three."""
    named = list(dict.fromkeys(things))
    return " and ".join(filter(None, (", ".join(named[:-1]), *named[-1:])))
