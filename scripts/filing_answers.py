"""What fits on answers from filings are made on: the figures and the quotation that are found for each question."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from docmind.bench.finance.filings_scoring import is_right
from docmind.bench.finance.filings_set import FilingQuestion
from docmind.bench.workbench import SCOPE
from docmind.runtime.engine import DocMind
from docmind.skills.extract.statement_scorer import Reading
from docmind.skills.extract.statements import Statement
from docmind.skills.finance.analysis import from_plain
from docmind.skills.finance.confidence import AnalysisModel, ReportReader
from docmind.skills.finance.wording.answer import explain
from docmind.workflows.finance.analysis import build_analysis_agent
from docmind.workflows.finance.bounds import RECURSION_LIMIT
from docmind.workflows.finance.context import hits_of, sources_in
from docmind.workflows.finance.generation import read_answer
from docmind.workflows.finance.retrieval import build_retrieval_agent
from docmind.workflows.finance.state import FinanceState, asked_of, initial_state, result_in
from docmind.workflows.services import Services

Signals = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Answers:
    """The two answers that there may be to a question; signals are empty where there is none."""

    question: FilingQuestion
    figures: Signals
    figures_right: bool
    readings: Sequence[Signals]
    """Of the quotation, one for each part that was read by itself."""
    quotation_right: bool

    @property
    def company(self) -> str:
        return self.question.company


@dataclass(frozen=True, slots=True)
class _Noting(ReportReader):
    """Notes what was read, and quotes however unlikely it is right."""

    noted: dict[str, Signals] = field(default_factory=dict)

    def read(self, question: str, statements: Sequence[Statement]) -> Reading:
        reading = super(_Noting, self).read(question, statements)
        if reading.signals:
            self.noted[f"{question} {statements[0].hit.document.id if not self.whole else ''}"] = reading.signals
        return reading


def found_for(engine: DocMind, questions: Sequence[FilingQuestion]) -> list[FinanceState]:
    """Each question as the workflow has it before anything is told."""
    return asyncio.run(_found(engine.services(SCOPE), questions))


async def _found(services: Services, questions: Sequence[FilingQuestion]) -> list[FinanceState]:
    agents, states = (build_retrieval_agent(), build_analysis_agent()), []
    for question in questions:
        state = initial_state(question.text)
        for agent in agents:
            after = await agent.ainvoke(state, {"recursion_limit": RECURSION_LIMIT}, context=services)
            state = cast("FinanceState", after)
        states.append(state)
    return states


def answers_to(engine: DocMind, questions: Sequence[FilingQuestion], states: Sequence[FinanceState]) -> list[Answers]:
    """Both answers to each question, judged."""
    services = engine.services(SCOPE)

    async def both() -> list[Answers]:
        pairs = zip(questions, states, strict=True)
        return [await _answers(question, state, services) for question, state in pairs]

    return asyncio.run(both())


async def _answers(question: FilingQuestion, state: FinanceState, services: Services) -> Answers:
    asked, result = asked_of(state), result_in(state)
    analysis = from_plain(result["analysis"])
    told = bool(analysis.results) and not analysis.refusal and not result["findings"] and bool(analysis.signals)
    text = explain(analysis, sources_in(state, services)) if told else ""
    model = replace(AnalysisModel.shipped(), refuse_below=0.0)
    reader = _Noting(services.scorer, asked["whole"], asked["companies"], analysis.results, model)
    hits = hits_of(state.get("reading_context") or [], SCOPE)
    read = await read_answer(asked, hits, services, _unheard, reader)
    return Answers(
        question,
        dict(analysis.signals) if told else {},
        told and is_right(question, text),
        _that_count(reader.noted) if not read.refused else [],
        not read.refused and is_right(question, read.text),
    )


def _that_count(noted: Mapping[str, Signals]) -> list[Signals]:
    """The readings of parts; that of the whole where there are none."""
    return [signals for signals in noted.values() if signals["part"]] or list(noted.values())


def _unheard(text: str, *, fresh: bool) -> None:
    """Nobody hears what is drafted here."""
