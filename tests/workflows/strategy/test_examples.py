"""The bundled papers of an expansion: what a board would ask of them, without a chat model and with one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docmind.bench.board_questions import ANSWERED, ASKS, CASES, HALF_TOLD, NOT_TOLD, Case
from docmind.bench.scripted_analyst import quoting
from docmind.domain.answers import RunResult, RunUsage
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.workflows.strategy.result import result_of

ROOT = Path(__file__).parents[3]
Ask = Callable[..., Any]


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


@pytest.mark.parametrize("case", [*CASES, *HALF_TOLD, *NOT_TOLD], ids=lambda case: f"{case.kind}: {case.question[:40]}")
def test_the_documents_own_sentences_answer(ask: Ask, examples: str, case: Case) -> None:
    result = checked(case, ask(case.question, workspace=examples))
    assert result.usage.model_calls == 0
    assert (result.clarification is None) is (case.status is not ASKS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind}: {case.question[:40]}")
def test_a_chat_model_answers_with_one_call_or_none(ask: Ask, examples: str, case: Case) -> None:
    run = ask(case.question, workspace=examples, drafts=quoting(case.figures))
    checked(case, run)
    drafts = {ANSWERED: 1, ASKS: 0}[case.status] if case.kind != "conflict" else 3
    assert run.calls == drafts
