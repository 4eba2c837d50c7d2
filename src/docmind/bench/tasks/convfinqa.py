"""ConvFinQA: whether each turn of a conversation on a page of a report comes to the number that is wanted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rich.markup import escape

from docmind.bench.finance.convfinqa_set import Conversation, Turn, convfinqa
from docmind.bench.finance.failing import Failing, refused_because, rows_of
from docmind.bench.report import Row
from docmind.bench.workbench import Workbench
from docmind.quality.quantities import Operand
from docmind.quality.quantities.computed import exact_value
from docmind.skills.dialogue import History
from docmind.skills.dialogue import Turn as DialogueTurn
from docmind.skills.finance import Evidence, analyse_with, read_question
from docmind.skills.finance.follow_up import plan_of_follow_up, understood
from docmind.skills.finance.plan import execute

TOLERANCE = Fraction(1, 2000)
"""By how much of itself a number may differ: the set's are rounded."""
_SCALES = (10**3, 10**6, 10**9)
SHOWN_FAILURES = 20


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """What a system made of a message: the numbers that it may be read as, none where it refuses."""

    values: tuple[Fraction, ...] = ()
    certain: bool = True
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    turn: Turn
    place: int
    """Of the turn in its conversation, from 1."""
    told: TurnAnswer

    @property
    def is_right(self) -> bool:
        return any(abs(value - self.turn.wanted) <= abs(self.turn.wanted) * TOLERANCE for value in self.told.values)

    @property
    def failing(self) -> Failing | None:
        """How it fails, if it does."""
        if self.is_right:
            return None
        if self.told.values:
            return Failing.CERTAIN if self.told.certain else Failing.DOUBTED
        return refused_because(self.told.refusal) if self.told.refusal else Failing.IN_WORDS


System = Callable[[Sequence[str], Evidence], list[TurnAnswer]]
"""Answers the messages of a conversation one after the other."""


def run(bench: Workbench) -> list[Row]:
    conversations = convfinqa(bench)
    rows: list[Row] = []
    for name, system in SYSTEMS.items():
        answered = _answer(bench, name, system, conversations)
        rows += _scores(name, [one for conversation in answered for one in conversation])
        if name == "docmind":
            half = len(answered) // 2
            for part, of_part in (("designed_on", answered[:half]), ("unseen", answered[half:])):
                rows += _scores(f"{name}@{part}", [one for conversation in of_part for one in conversation])
            _tell_failures(bench, [one for conversation in answered[:half] for one in conversation])
            failed = [one.failing for conversation in answered for one in conversation if one.failing is not None]
            rows += rows_of("convfinqa", name, failed, sum(map(len, answered)))
    return rows


def docmind(messages: Sequence[str], evidence: Evidence) -> list[TurnAnswer]:
    """The product with no chat model: every message is understood by those before it, and analysed alone."""
    history, told = History(), []
    for message in messages:
        question, plan = understood(message, history), plan_of_follow_up(message, history)
        asked = read_question(question)
        analysis = execute(plan, question, evidence) if plan is not None else analyse_with(asked, evidence)
        values = _values(analysis.results[0]) if len(analysis.results) == 1 and not analysis.refusal else ()
        told.append(TurnAnswer(values, not analysis.doubts, analysis.refusal))
        history = History((*history.turns, DialogueTurn(question, "", message)))
    return told


def row_lookup(messages: Sequence[str], evidence: Evidence) -> list[TurnAnswer]:
    """The figure in the row with most words of the message, at the first year that it names; nothing is calculated."""
    told = []
    for message in messages:
        question = read_question(message)
        best = max(evidence.find(message), key=lambda match: match.coverage, default=None)
        figure = best.series.at(question.periods[0]) if best is not None and question.periods else None
        found = figure or (best.series.figures[0] if best is not None else None)
        told.append(TurnAnswer(_values(found) if found is not None else ()))
    return told


SYSTEMS: dict[str, System] = {"docmind": docmind, "row-lookup": row_lookup}


def _values(result: Operand) -> tuple[Fraction, ...]:
    """As it is shown, in the scale of its table or its own; a percentage also as the fraction that it is."""
    shown = exact_value(result) / Fraction(result.scale)
    if result.quantity.unit in ("percent", "point"):
        return shown, shown / 100
    # The set leaves the scale out of its numbers, which a sentence writes with them: $2.5 million.
    return tuple(shown / scale for scale in (1, *(_SCALES if result.quantity.scaled and result.scale == 1 else ())))


def _answer(bench: Workbench, name: str, system: System, conversations: Sequence[Conversation]) -> list[list[Answered]]:
    answered = []
    with bench.steps(f"convfinqa: {name}", len(conversations)) as done:
        for number, one in enumerate(conversations, 1):
            told = system([turn.message for turn in one.turns], Evidence(one.passages))
            answered.append([Answered(*each) for each in zip(one.turns, range(1, len(told) + 1), told, strict=True)])
            done(number)
    return answered


def _scores(system: str, answered: Sequence[Answered]) -> list[Row]:
    n = len(answered)
    told = [one for one in answered if one.told.values]
    first = [one.is_right for one in answered if one.place == 1]
    wrong = sum(one.failing is Failing.CERTAIN for one in answered)
    return [
        Row("convfinqa", system, "execution_accuracy", sum(one.is_right for one in answered) / n, n),
        Row("convfinqa", system, "execution_accuracy@first_turn", sum(first) / len(first), len(first)),
        Row("convfinqa", system, "answered_share", len(told) / n, n),
        Row("convfinqa", system, "wrong_and_certain", wrong / n, n),
    ]


def _tell_failures(bench: Workbench, answered: Sequence[Answered]) -> None:
    """Some that came out wrong without a doubt."""
    wrong = [one for one in answered if one.failing is Failing.CERTAIN]
    bench.note(f"convfinqa: wrong without a doubt, of the conversations that the rules were made on: {len(wrong)}")
    for one in wrong[:: max(1, len(wrong) // SHOWN_FAILURES)][:SHOWN_FAILURES]:
        bench.note(escape(f"  {one.turn.message} wanted {float(one.turn.wanted):g}, was {float(one.told.values[0]):g}"))
