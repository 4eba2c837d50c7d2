"""Puts names in the place of words that point back, so that a question can be understood alone."""

from docmind.skills.dialogue.antecedents import Antecedents
from docmind.skills.dialogue.history import History
from docmind.skills.dialogue.pointers import Pointer, pointers
from docmind.skills.question.names import names
from docmind.skills.question.words import read_words


def with_names(question: str, history: History) -> str:
    """The question with each pointing word replaced that something fits; once it is named, "her" is clear."""
    antecedents = Antecedents(history)
    words = read_words(question)
    changes: list[tuple[int, int, str]] = []
    said: dict[str, str] = {}
    for pointer in pointers(question):
        written = antecedents.of(pointer, without=set(said.values())) if pointer.kind not in said else ""
        if written and written.lower() not in question.lower():
            said[pointer.kind] = written
            changes.append(
                (words[pointer.start].span.start, words[pointer.end - 1].span.end, _placed(pointer, written))
            )
    for name in names(question):
        if (fuller := antecedents.fuller(name.text)) != name.text and fuller.lower() not in question.lower():
            changes.append((name.span.start, name.span.end, fuller))
    return _changed(question, changes)


def _changed(question: str, changes: list[tuple[int, int, str]]) -> str:
    for start, end, written in sorted(changes, reverse=True):
        question = question[:start] + written + question[end:]
    return question


def _placed(pointer: Pointer, written: str) -> str:
    if pointer.kind == "there":
        return f"in {written}"
    if pointer.noun:
        return f"the {pointer.noun} {written}"
    if not pointer.owns:
        return written
    return f"{written}'" if written.endswith("s") else f"{written}'s"
