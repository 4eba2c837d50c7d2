"""The bundled papers of an expansion: what a board would ask of them, without a chat model and with one."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from docmind.domain.answers import RunResult, RunUsage, Status
from docmind.domain.scope import Scope
from docmind.models.chat.model import Message
from docmind.runtime.engine import DocMind
from docmind.workflows.strategy.result import result_of

ROOT = Path(__file__).parents[3]
Ask = Callable[..., Any]
BOARD, MINUTES = "Board paper: European expansion", "Minutes of the investment committee"
SURVEY, HR = "Customer survey 2025: results", "HR and capacity plan 2026 to 2028"
RIVALS, MARKET = "Competitor analysis: high-temperature heat pumps", "Market study: industrial process heat in Europe"


class Case(NamedTuple):
    kind: str
    question: str
    status: Status
    documents: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()


ANSWERED, ASKS = Status.ANSWERED, Status.NEEDS_CLARIFICATION
CASES = [
    Case("fact", "What net debt covenant comes with the loan from Shannon Mercantile Bank?", ANSWERED, (BOARD,),
         ("2.5",)),
    Case("fact", "What is the longest delivery time that customers accept?", ANSWERED, (SURVEY,), ("26 weeks",)),
    Case("fact", "How long does a stronger grid connection take in the Netherlands?", ANSWERED, (MARKET,),
         ("34 months",)),
    Case("several facts", "By when must the VT-200 test rig be ordered, and by whom?", ANSWERED, (MINUTES,),
         ("30 April 2026", "Idris Okonjo")),
    Case("several facts", "How much does an employee cost in Ostrava compared with Limerick?", ANSWERED, (HR,),
         ("31,500", "58,200")),
    Case("across documents", "How do Varmoor's delivery times compare with competitors and with what customers accept?",
         ANSWERED, (SURVEY, RIVALS), ("26 weeks", "38")),
    Case("across documents", "Can Saturday work in Limerick close the capacity gap of 2027?", ANSWERED, (BOARD, HR),
         ("8 units", "12 additional units")),
    Case("recommendation", "Which countries should Varmoor enter first according to the market study?", ANSWERED,
         (MARKET,), ("Czechia and Poland",)),
    Case("recommendation", "Should Varmoor approve Project Heron?", ANSWERED, (BOARD,), ("four conditions",)),
    Case("vague", "What is our strategy?", ASKS),
    Case("conflict", "What is the capital budget of Project Heron for 2026 to 2028?", ASKS, (BOARD, MINUTES),
         ("42.0 million", "47.5 million")),
    Case("out of scope", "What is the weather in Paris?", ASKS),
    Case("out of scope", "What is Varmoor's plan for cyber security insurance?", ASKS),
    Case("buried detail", "What does a third shift in Ostrava require?", ANSWERED, (HR,), ("noise permit", "90 days")),
]  # fmt: skip


@pytest.fixture(scope="module")
def examples(stocked: DocMind) -> str:
    stocked.ingest([ROOT / "examples" / "strategy"], Scope("examples"))
    return "examples"


def checked(case: Case, run: Any) -> RunResult:
    result = result_of(run.state, run_id="r", usage=RunUsage())
    assert result.status is case.status
    assert set(case.documents) <= {citation.title for citation in result.citations}
    assert [figure for figure in case.figures if figure not in result.answer] == []
    assert all(claim.status == "supported" for claim in result.claims)
    return result


def quoting(figures: Sequence[str]) -> Callable[[Sequence[Message]], str]:
    """A model that writes down, for each figure, the first sentence or row of each passage that has it."""

    def write(messages: Sequence[Message]) -> str:
        passages = re.split(r"(?:^|\n\n)\[(?=[0-9a-f-]{36}\])", messages[-1].content.partition("\n\nQuestion: ")[0])[1:]
        said = [
            f"- {told.strip('- .').replace(' | ', '; ')} [{passage[:36]}]."
            for figure in figures
            for passage in passages
            for told in [line for line in re.split(r"(?<=\.)\s|\n", passage.partition("\n")[2]) if figure in line][:1]
        ]
        return "\n".join(dict.fromkeys(said))

    return write


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}: {case.question[:40]}")
def test_the_documents_own_sentences_answer(ask: Ask, examples: str, case: Case) -> None:
    result = checked(case, ask(case.question, workspace=examples))
    assert result.usage.model_calls == 0
    assert (result.clarification is None) is (case.status is ANSWERED)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}: {case.question[:40]}")
def test_a_chat_model_answers_with_one_call_or_none(ask: Ask, examples: str, case: Case) -> None:
    run = ask(case.question, workspace=examples, drafts=quoting(case.figures))
    checked(case, run)
    drafts = {ANSWERED: 1, ASKS: 0}[case.status] if case.kind != "conflict" else 3
    assert run.calls == drafts
