"""The end of a docs run as the one form that all runs give back."""

from typing import Any

from docmind.domain.answers import CheckedClaim, Citation, RunResult, RunUsage, Status
from docmind.domain.trace import Event
from docmind.workflows.docs.state import DocMindState
from docmind.workflows.sections import Section


def result_of(state: DocMindState, *, run_id: str, usage: RunUsage) -> RunResult:
    verdict = state.get("judge_verdict")
    passed = verdict is not None and verdict["should_return"]
    claims = verdict["claims"] if verdict is not None and passed else []
    return RunResult(
        run_id=run_id,
        workflow="docs",
        status=Status.ANSWERED if passed else Status.REFUSED,
        answer=state.get("final_output") or "",
        citations=_citations(claims, state["retrieved_sections"]),
        claims=[
            CheckedClaim.model_validate({key: claim[key] for key in CheckedClaim.model_fields}) for claim in claims
        ],
        confidence=verdict["confidence_score"] if verdict is not None and passed else 0.0,
        usage=usage,
        trace=[Event.model_validate(event) for event in state.get("trace") or []],
    )


def _citations(claims: list[dict[str, Any]], sections: list[Section]) -> list[Citation]:
    """Each quote that a claim rests on, once, under the number of its section."""
    numbers = {section["passage_id"]: number for number, section in enumerate(sections, start=1)}
    cited: dict[tuple[object, object], Citation] = {}
    for claim in claims:
        number = numbers.get(str(claim["passage_id"]))
        if number is None:
            continue
        section = sections[number - 1]
        citation = Citation(
            marker=f"[{number}]",
            document=section["document_id"],
            title=section["document_title"],
            page=section["page"],
            start=claim["quote_start"],
            end=claim["quote_end"],
            quote=claim["quote"],
            support=claim["confidence_score"],
        )
        key = claim["quote_start"], claim["passage_id"]
        best = cited.get(key)
        cited[key] = citation if best is None or citation.support > best.support else best
    return sorted(cited.values(), key=lambda one: (int(one.marker.strip("[]")), one.start))
