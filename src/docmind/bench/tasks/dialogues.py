"""Dialogues: conversations about authored documents that nothing was fitted on, held with the chat workflow."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

from docmind.bench.authored import Part, read_authored
from docmind.bench.authored_answers import GIVEN, says, told_and_beside, workspace
from docmind.bench.dialogues import Dialogue, Turn, dialogues_of
from docmind.bench.metrics import percentile
from docmind.bench.report import Row
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.domain.answers import RunResult, Status
from docmind.runtime.engine import DocMind


@dataclass(frozen=True, slots=True)
class _Replied:
    """A turn and what became of it."""

    turn: Turn
    follows: bool
    """Whether something was said before it."""
    result: RunResult

    @property
    def answered(self) -> bool:
        return self.result.status in GIVEN

    @property
    def right(self) -> bool:
        said, _ = told_and_beside(self.result.answer, self.turn.evidence)
        return self.answered and self.turn.expect == "answer" and all(says(said, one) for one in self.turn.must)


System = Callable[[DocMind, Dialogue], list[RunResult]]


def run(bench: Workbench, *, embedder: str = "minilm", part: Part = Part.KEPT) -> list[Row]:
    folders = read_authored(bench.dataset("authored"))
    dialogues = dialogues_of(folders, part)
    store = workspace(bench, folders, part, embedder)
    replied: dict[str, list[_Replied]] = {name: [] for name in SYSTEMS}
    with open_engine(store, embedder) as engine, bench.steps("dialogues", len(dialogues)) as done:
        for number, one in enumerate(dialogues, start=1):
            for name, system in SYSTEMS.items():
                results = zip(one.turns, system(engine, one), strict=True)
                replied[name] += [_Replied(turn, at > 0, result) for at, (turn, result) in enumerate(results)]
            done(number)
    return [row for name, some in replied.items() for row in _rows(name, some)]


def _in_one_thread(engine: DocMind, dialogue: Dialogue) -> list[RunResult]:
    thread = next(_THREADS)
    return [_said(engine, turn.message, thread) for turn in dialogue.turns]


def _each_alone(engine: DocMind, dialogue: Dialogue) -> list[RunResult]:
    return [_said(engine, turn.message, next(_THREADS)) for turn in dialogue.turns]


def _written_out(engine: DocMind, dialogue: Dialogue) -> list[RunResult]:
    asks = ("answer", "refuse")
    return [
        _said(engine, turn.alone if turn.expect in asks else turn.message, next(_THREADS)) for turn in dialogue.turns
    ]


def _said(engine: DocMind, message: str, thread: str) -> RunResult:
    return engine.run(message, SCOPE, workflow="chat", thread=thread, conversational=True)


_THREADS = (f"dialogue-{number}" for number in count())
SYSTEMS: dict[str, System] = {
    "docmind": _in_one_thread,
    "message alone": _each_alone,
    "written out by a person": _written_out,
}


def _rows(system: str, replied: Sequence[_Replied]) -> list[Row]:
    first = [one for one in replied if one.turn.expect == "answer" and not one.follows]
    follow_ups = [one for one in replied if one.turn.expect == "answer" and one.follows]
    untold = [one for one in replied if one.turn.expect == "refuse"]
    unclear = [one for one in replied if one.turn.expect == "clarify"]
    values: list[tuple[str, Callable[[_Replied], bool], Sequence[_Replied]]] = [
        ("right@first", lambda one: one.right, first),
        ("right@follow_up", lambda one: one.right, follow_ups),
        ("wrong@follow_up", lambda one: one.answered and not one.right, follow_ups),
        ("answered@unanswerable", lambda one: one.answered, untold),
        ("asked_back@unclear", lambda one: one.result.status is Status.NEEDS_CLARIFICATION, unclear),
    ]
    rows = [
        Row("dialogues", system, metric, sum(map(holds, some)) / len(some), len(some))
        for metric, holds, some in values
        if some
    ]
    times = [one.result.usage.seconds * 1000 for one in follow_ups]
    return [*rows, Row("dialogues", system, "p50_ms", percentile(times, 50), len(times))] if times else rows
