"""Whether a statement answers a yes-or-no question with yes or with no."""

from collections.abc import Sequence

from docmind.quality.disagreements import Reading
from docmind.quality.disagreements.words import Word
from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.units import UnitKind
from docmind.skills.extract.question import Question
from docmind.skills.extract.statements import Statement

_DENYING = vocabulary("not cannot never neither nor")
"""These deny what a clause says as a whole; `no` and `without` deny the word that follows."""
_TURNS = vocabulary("but if when unless because although though while whereas which who whom until since however")
"""A clause begins with these that may deny something else than what the sentence is about."""
_CELL = " | "
_YES_CELLS = frozenset(("yes", "✓", "✔", "true", "supported", "available"))
_NO_CELLS = frozenset(("no", "✗", "✘", "false", "not supported", "not available", "unsupported"))


def affirms(question: Question, statement: Statement) -> bool:
    """Whether the answer is yes: nothing of what is asked about is denied.

    A question that denies, "Can't I ...?", is answered like the one that does not.
    """
    asked = Reading.of(question.text)
    if statement.kind is UnitKind.ROW and (cell := _decided_by_cell(asked, statement.text)) is not None:
        return cell
    keys = [word.key for word in asked.words if word.carries]
    return not any(_denies(one.text, keys) for one in (statement, statement.lead) if one is not None)


def _denies(text: str, keys: Sequence[str]) -> bool:
    """Whether the clause that has most of the keys, or as many and the first, denies what it says."""
    said = Reading.of(text)

    def shared(clause: Sequence[int]) -> tuple[int, bool]:
        found = {said.words[place].key for place in clause}
        return len(found.intersection(keys)), not found.isdisjoint(keys[:1])

    clause = max(_clauses(said.words), key=shared)
    denied = {cue: said.words[place].key for place, cue in said.denied.items()}
    for place in clause:
        word = said.words[place]
        if word.lower in _DENYING or word.lower.endswith("n't"):
            # A cue that is idle, as in "not only", denies nothing; at the very end it denies what went before.
            if place in denied or place == clause[-1]:
                return True
        elif denied.get(place) in keys:
            return True
    return False


def _clauses(words: Sequence[Word]) -> list[list[int]]:
    """The places of the words of each clause."""
    clauses: list[list[int]] = [[]]
    for place, word in enumerate(words):
        if word.text == ";" or word.lower in _TURNS:
            clauses.append([])
        if not word.stops:
            clauses[-1].append(place)
    return clauses


def _decided_by_cell(asked: Reading, row: str) -> bool | None:
    """What the cell of a row says, yes or no, whose column has most in common with the question."""
    keys = {word.key for word in asked.words if word.carries}
    best: tuple[int, int] = (0, 0)
    decided: bool | None = None
    for cell in row.split(_CELL)[1:]:
        label, _, value = cell.rpartition(": ")
        said = value.strip().lower()
        if said not in _YES_CELLS and said not in _NO_CELLS:
            continue
        column = {word.key for word in Reading.of(label).words if word.carries}
        fit = (len(column & keys), -len(column - keys))
        if decided is None or fit > best:
            best, decided = fit, said in _YES_CELLS
    return decided
