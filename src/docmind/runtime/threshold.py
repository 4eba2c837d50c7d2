"""Holds the result of a run to the share of wrong answers that somebody allows; it is the same in every workflow."""

from docmind.domain.answers import Citation, MessageKind, NearPassage, RunResult, Status, Withheld
from docmind.domain.confidence import Below, Threshold, percent
from docmind.domain.errors import InvalidQuery
from docmind.skills.judge import UNLIKELY
from docmind.skills.nearest import MOST, excerpt

_NO_DRAFT: dict[str, object] = {
    "answer": "", "citations": [], "claims": [], "confidence": 0.0, "charts": [], "evaluation": None,
}  # fmt: skip


def chosen(usual: Threshold, most_wrong: float | None) -> Threshold:
    """The threshold of one run: what was asked for it, or else what the settings say."""
    if most_wrong is None:
        return usual
    if not 0 <= most_wrong <= 1:
        raise InvalidQuery(f"The share of wrong answers must be between 0 and 1, and {most_wrong:g} is not.")
    return Threshold(most_wrong, usual.below)


def held_to(threshold: Threshold, result: RunResult) -> RunResult:
    """The result as it is, or, where its answer is less likely right than was asked for, withheld or called unsure.

    Places come from a table and are not estimated, nor are replies to what is no question. A draft that a person is
    asked about is no answer yet.
    """
    if not _answers(result) or threshold.allows(result.confidence):
        return result
    if threshold.below is Below.SHOW_UNSURE:
        caveat = f"This answer is less likely right than you ask for: you allow {threshold.allowed}."
        answer = f"{result.answer}\n\n{caveat}"
        return result.model_copy(update={"status": Status.CAVEAT, "answer": answer, "unsure": True})
    return _withheld(result, f"you allow {threshold.allowed}")


def passed_on(result: RunResult) -> RunResult:
    """The result for a program that may show its text alone: no draft, no unlikely answer, and caveats in the text.

    A draft that waits for a person has not passed its checks, or is one of two answers that the documents give.
    """
    if result.status is Status.NEEDS_CLARIFICATION:
        near = result.nearest or _nearest(result.citations)
        return result.model_copy(update={**_NO_DRAFT, "nearest": near})
    if _answers(result) and result.confidence < UNLIKELY:
        return _withheld(result, "such an answer is not given here")
    if result.status is Status.CAVEAT and (gaps := (result.evaluation or {}).get("logical_gaps")):
        told = ", ".join(f"“{gap}”" for gap in gaps)
        return result.model_copy(update={"answer": f"{result.answer}\n\nLeft open: {told}."})
    return result


def _answers(result: RunResult) -> bool:
    is_question = result.message_kind is MessageKind.QUESTION
    return result.status in (Status.ANSWERED, Status.CAVEAT) and is_question and not result.actions


def _withheld(result: RunResult, why: str) -> RunResult:
    return RunResult(
        run_id=result.run_id,
        workflow=result.workflow,
        status=Status.REFUSED,
        answer=_refusal(result, why),
        withheld=Withheld(**{name: getattr(result, name) for name in Withheld.model_fields}),
        nearest=_nearest(result.citations),
        usage=result.usage,
        trace=result.trace,
    )


def _refusal(result: RunResult, why: str) -> str:
    likely = (
        f"it is only {percent(result.confidence)} likely right" if result.claims else "nothing in it could be checked"
    )
    return f"An answer was found, but {likely}, and {why}."


def _nearest(citations: list[Citation]) -> list[NearPassage]:
    """Where to read on: what the withheld answer rests on, each passage once."""
    first: dict[str, Citation] = {}
    for one in citations:
        first.setdefault(one.marker, one)
    return [_near(one) for one in list(first.values())[:MOST]]


def _near(citation: Citation) -> NearPassage:
    span, shown = excerpt(citation.quote)
    place = {name: getattr(citation, name) for name in ("document", "title", "source", "page", "start")}
    return NearPassage(**place, end=citation.start + span.end, excerpt=shown)
