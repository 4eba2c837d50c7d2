"""The end of a docs run as the one form that all runs give back."""

from collections.abc import Sequence

from docmind.domain.answers import CheckedClaim, NearPassage, RunResult, RunUsage, Status
from docmind.domain.documents import file_name
from docmind.domain.trace import Event
from docmind.skills.nearest import NO_RELIABLE_ANSWER
from docmind.workflows.citations import Source, citations, renumbered
from docmind.workflows.docs.state import DocMindState
from docmind.workflows.sections import Section


def result_of(state: DocMindState, *, run_id: str, usage: RunUsage) -> RunResult:
    verdict = state.get("judge_verdict")
    passed = verdict is not None and verdict["should_return"]
    claims = verdict["claims"] if verdict is not None and passed else []
    result = RunResult(
        run_id=run_id,
        workflow="docs",
        status=_status(state) if passed else Status.REFUSED,
        # Whoever is shown passages to read on need not be told to ask again.
        answer=NO_RELIABLE_ANSWER if state.get("nearest") else state.get("final_output") or "",
        citations=citations(claims, _sources(state["retrieved_sections"])),
        claims=[
            CheckedClaim.model_validate({key: claim[key] for key in CheckedClaim.model_fields}) for claim in claims
        ],
        confidence=verdict["confidence_score"] if verdict is not None and passed else 0.0,
        nearest=[NearPassage.model_validate(one) for one in state.get("nearest") or []],
        usage=usage,
        trace=[Event.model_validate(event) for event in state.get("trace") or []],
    )
    return renumbered(result)


def _status(state: DocMindState) -> Status:
    return Status.CAVEAT if state.get("caveat") else Status.ANSWERED


def _sources(sections: Sequence[Section]) -> dict[str, Source]:
    return {
        section["passage_id"]: Source(
            number, section["document_id"], section["document_title"], file_name(section["source"]), section["page"]
        )
        for number, section in enumerate(sections, start=1)
    }
