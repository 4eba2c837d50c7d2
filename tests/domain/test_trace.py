"""What is told of failures on the way."""

from docmind.domain.trace import Event, notices

AWAY = "The model openai:x failed: Connection error."


def event(note: str) -> Event:
    return Event(node="a", decision="b", note=note)


def test_a_failure_is_told_once_with_all_that_was_done_without_it() -> None:
    trace = [
        event(f"The question was split up by rules instead. {AWAY}"),
        event(""),
        event(f"The answer is quoted from the documents. {AWAY}"),
        event(f"The answer is quoted from the documents. {AWAY}"),
        event("The scores are those of the local checks. openai:x said nothing."),
        event("The check failed."),
    ]
    assert notices(trace) == [
        f"{AWAY} The question was split up by rules instead. The answer is quoted from the documents.",
        "openai:x said nothing. The scores are those of the local checks.",
        "The check failed.",
    ]
