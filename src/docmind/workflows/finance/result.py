"""The end of a finance run as the one form that all runs give back."""

from docmind.domain.answers import CheckedClaim, Citation, NearPassage, RunResult, RunUsage, Status
from docmind.domain.documents import file_name
from docmind.domain.trace import Event
from docmind.workflows.citations import Source, citations, in_order, renumbered
from docmind.workflows.finance.state import AnswerResponse, FinanceState, RetrievedChunk

NOT_PASSED = "No response passed the checks, so that none is given."


def result_of(state: FinanceState, *, run_id: str, usage: RunUsage) -> RunResult:
    response = state.get("response")
    status = _status(state, response)
    shown = response if status in (Status.ANSWERED, Status.CAVEAT) else None
    result = RunResult(
        run_id=run_id,
        workflow="finance",
        status=status,
        answer=_answer(status, response),
        citations=_citations(shown, state["retrieved_context"]) if shown else [],
        claims=[CheckedClaim.model_validate(_of_claim(claim)) for claim in shown["claims"]] if shown else [],
        confidence=shown["confidence"] if shown else 0.0,
        nearest=[NearPassage.model_validate(one) for one in state.get("nearest") or []],
        charts=[{"number": int(number), "config": chart} for number, chart in shown["charts"].items()] if shown else [],
        usage=usage,
        trace=[Event.model_validate(event) for event in state.get("trace") or []],
    )
    return renumbered(result)


def _status(state: FinanceState, response: AnswerResponse | None) -> Status:
    if state.get("error") or response is None:
        return Status.FAILED
    if response["refusal"] or not state["response_valid"]:
        return Status.REFUSED
    return Status.CAVEAT if response["notes"] else Status.ANSWERED


def _answer(status: Status, response: AnswerResponse | None) -> str:
    if status is Status.FAILED or response is None:
        return ""
    if status is Status.REFUSED:
        return response["answer"] if response["refusal"] else NOT_PASSED
    # What the reader must know is said of the answer and the documents, below what was checked against them.
    return "\n\n".join((response["answer"], *(f"Note: {note}" for note in response["notes"])))


def _of_claim(claim: dict[str, object]) -> dict[str, object]:
    return {key: claim[key] for key in CheckedClaim.model_fields}


def _citations(response: AnswerResponse, chunks: list[RetrievedChunk]) -> list[Citation]:
    """The cells that the numbers stand in; of passages without one, the words that a claim rests on."""
    sources = {
        chunk["passage_id"]: Source(
            number, chunk["document_id"], chunk["document_title"], file_name(chunk["source"]), chunk["page"]
        )
        for number, chunk in enumerate(chunks, start=1)
    }
    files = {source.document: source.file for source in sources.values()}
    support: dict[int, float] = {}
    for claim in response["claims"]:
        for cited in (int(target) for target in claim["citations"] if target.isdigit()):
            support[cited] = max(support.get(cited, 0.0), claim["confidence_score"])
    cells = [
        Citation.model_validate(
            {
                **cell,
                "source": files.get(cell["document"], ""),
                "support": support.get(int(cell["marker"].strip("[]")), 0.0),
            }
        )
        for cell in response["citations"]
    ]
    exact = {cell.marker for cell in cells}
    words = [citation for citation in citations(response["claims"], sources) if citation.marker not in exact]
    return in_order([*cells, *words])
