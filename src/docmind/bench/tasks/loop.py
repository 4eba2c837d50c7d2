"""Loop: a chat model alone over the passages found, and in the loop: judged by itself, by the local checks, by both."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from docmind.bench.authored import Part, Question, read_authored, spread
from docmind.bench.authored_answers import is_right, questions_of, workspace
from docmind.bench.report import Aim, Row
from docmind.bench.tasks.model import named_roles
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.domain.budget import Usage
from docmind.domain.documents import Passage
from docmind.domain.errors import ModelError
from docmind.domain.verdicts import ClaimStatus, Grounding, Quote
from docmind.models.chat.meter import Meter
from docmind.models.chat.roles import Roles
from docmind.quality.grounding import Check, Grounder
from docmind.quality.quantities import Computed
from docmind.runtime.engine import DocMind
from docmind.runtime.session import plan
from docmind.runtime.workflows import DOCS
from docmind.skills.drafting import asserts_nothing, prompt
from docmind.skills.extract.statement_scorer import Reading
from docmind.skills.extract.statements import Statement
from docmind.workflows.services import Services

MOST = 330
"""Questions, about; half of them have no answer."""
ALONE, ITSELF, LOCAL, BOTH = "model alone", "loop, judged by itself", "loop, local checks", "loop, both"
HALF = 0.5
"""Of the wrong answers that a model alone states, at the same share of right ones."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of one question."""

    question: Question
    stated: bool
    right: bool
    confidence: float
    retries: int
    took: Usage
    seconds: float
    text: str = ""
    """What was said, for whoever reads the answers; of a question that was refused, the refusal."""


Ask = Callable[[Question], Answered]


def run(bench: Workbench, *, embedder: str = "minilm", part: Part = Part.KEPT, roles: Roles | None = None) -> list[Row]:
    named = roles or named_roles()
    folders = read_authored(bench.dataset("authored"))
    questions = spread(questions_of(folders, part), MOST)
    found: dict[str, list[Answered]] = {}
    with open_engine(workspace(bench, folders, part, embedder), embedder) as engine:
        for system, ask in systems(engine, named).items():
            with bench.steps(f"loop: {system}", len(questions)) as done:
                found[system] = []
                for number, question in enumerate(questions, start=1):
                    found[system].append(ask(question))
                    done(number)
    return rows_of(found)


def rows_of(found: Mapping[str, Sequence[Answered]]) -> list[Row]:
    """What was answered by each system, in numbers."""
    rows = [row for system, answered in found.items() for row in _rows(system, answered)]
    return [*rows, _at_the_same_right(found[ALONE], found[BOTH])]


def systems(engine: DocMind, roles: Roles) -> dict[str, Ask]:
    """Each way of answering, by its name."""
    writer, services = replace(roles, judge=None), engine.services(SCOPE)
    judged = replace(roles, judge=roles.judge or roles.writer)
    return {
        ALONE: lambda question: _alone(question, engine, writer),
        ITSELF: lambda question: _in_loop(question, replace(services, grounder=_Undecided(), scorer=_Unread()), judged),
        LOCAL: lambda question: _in_loop(question, services, writer),
        BOTH: lambda question: _in_loop(question, services, judged),
    }


class _Undecided(Grounder):
    """Local checks that know nothing: whatever is said is as likely right as wrong, and the model's word decides."""

    def __init__(self) -> None:
        """It has no reader."""

    @property
    def of_drafts(self) -> Grounder:
        return self

    def evidence(self, passages: Iterable[Passage]) -> Any:
        return tuple(passages)

    def ground(self, checks: Sequence[Check], *, computed: Sequence[Computed] = ()) -> list[Grounding]:  # noqa: ARG002
        shown: list[Iterable[Any]] = [check.evidence for check in checks]  # type: ignore[misc]
        quoted = [tuple(Quote(one, one.span, one.text) for one in passages) for passages in shown]
        return [Grounding(ClaimStatus.UNSUPPORTED, HALF, quotes) for quotes in quoted]


class _Unread:
    """In place of the reader: finds nothing to quote, and no draft unlikely to answer."""

    refuse_below = 0.0

    def read(self, question: str, statements: Sequence[Statement]) -> Reading:  # noqa: ARG002
        return Reading(dict.fromkeys(statements, 0.0), 1.0, 0.0, 0.0, "", 0.0, {})

    def answers(self, question: str, texts: Sequence[str]) -> list[float]:  # noqa: ARG002
        return [0.0] * len(texts)


def _alone(question: Question, engine: DocMind, roles: Roles) -> Answered:
    """One call over the passages that a search finds, and whatever it says goes out."""
    begun, meter = time.perf_counter(), Meter()
    chat = roles.writing(meter)
    if chat is None:
        raise AssertionError("A chat model is measured.")
    passages = [hit.passage for hit in engine.search(question.text, SCOPE, limit=engine.settings.docs.sections)]
    try:
        said = asyncio.run(chat.complete(prompt(question.text, passages), max_tokens=512)).text
    except ModelError:
        said = ""
    stated = not asserts_nothing(said)
    right = stated and is_right(question, said)
    return Answered(question, stated, right, 1.0, 0, meter.spent, time.perf_counter() - begun, said)


def _in_loop(question: Question, services: Services, roles: Roles) -> Answered:
    begun = time.perf_counter()
    ready = plan(DOCS, services, roles)
    graph = DOCS.build(ready.services, None)
    state = asyncio.run(graph.ainvoke(DOCS.start(question.text), context=ready.services))
    verdict = state["judge_verdict"]
    stated = verdict["should_return"]
    text, sure, took = state["final_output"], verdict["confidence_score"], ready.meter.spent
    right = stated and is_right(question, text)
    return Answered(question, stated, right, sure, state["retry_count"], took, time.perf_counter() - begun, text)


def _rows(system: str, answered: Sequence[Answered]) -> list[Row]:
    answerable = [one for one in answered if one.question.answerable]
    others = [one for one in answered if not one.question.answerable]
    values = {
        "right": (_share(answerable, lambda one: one.right), answerable),
        "refused@answerable": (_share(answerable, lambda one: not one.stated), answerable),
        "answered@unanswerable": (_share(others, lambda one: one.stated), others),
        "wrong_stated": (_share(answered, _is_wrong), answered),
        "right_by_retry": (_share(answerable, lambda one: one.right and one.retries > 0), answerable),
        "model_calls": (fmean(one.took.model_calls for one in answered), answered),
        "tokens": (fmean(one.took.tokens for one in answered), answered),
        "seconds": (fmean(one.seconds for one in answered), answered),
    }
    return [Row("loop", system, metric, value, len(some)) for metric, (value, some) in values.items()]


def _at_the_same_right(alone: Sequence[Answered], both: Sequence[Answered]) -> Row:
    """The wrong answers that the loop states where it states no more right ones than the model alone.

    Its answers are taken surest first, until as many are right as the model alone has, or none are left; then the aim
    is half of what the model alone states with any as many of its right ones.
    """
    wanted = sum(one.right for one in alone)
    right = wrong = 0
    for one in sorted((one for one in both if one.stated), key=lambda one: -one.confidence):
        if right >= wanted:
            break
        right, wrong = right + one.right, wrong + (not one.right)
    half = HALF * _share(alone, _is_wrong) * (right / wanted if wanted else 1.0)
    aim = Aim(round(half, 3), at_most=True)
    return Row("loop", BOTH, "wrong_stated@same_right", wrong / len(both), len(both), aim=aim)


def _is_wrong(one: Answered) -> bool:
    return one.stated and not one.right


def _share(some: Sequence[Answered], holds: Callable[[Answered], bool]) -> float:
    return sum(map(holds, some)) / len(some) if some else 0.0
