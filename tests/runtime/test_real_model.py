"""The docs workflow over HTTP with a small real model, which rambles, invents and forgets to cite: the checks hold."""

from collections.abc import Callable
from pathlib import Path

import pytest

from docmind.domain.answers import RunResult, Status
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.settings import DocsSettings, ModelSettings, Settings
from docmind.skills.nearest import NO_RELIABLE_ANSWER
from docmind.workflows.docs.edges import docs_bounds

pytestmark = [pytest.mark.services, pytest.mark.timeout(1500)]

SCOPE = Scope("w")
ANSWERABLE = "How long are receipts kept?"
UNANSWERABLE = "Who won the chess championship in Reykjavik?"
ROUND = ["retrieve", "generate", "judge"]

Ask = Callable[[str, int], RunResult]


@pytest.fixture
def ask(chat_url: str, tmp_path: Path) -> Ask:
    paper = tmp_path / "receipts.md"
    paper.write_text("# Receipts\n\nReceipts are kept for ten years. They are scanned on arrival.\n")

    def asked(question: str, limit: int) -> RunResult:
        models = ModelSettings(embedder="static", chat=chat_url, judge=chat_url, attempts=1, timeout_s=300)
        docs = DocsSettings(max_hallucinations=limit)
        with DocMind(Settings(data_dir=tmp_path / "data", models=models, docs=docs)) as engine:
            engine.ingest([paper], SCOPE)
            return engine.run(question, SCOPE)

    return asked


@pytest.mark.parametrize(("question", "limit"), [(ANSWERABLE, 2), (UNANSWERABLE, 3)])
def test_every_path_ends_as_the_verdicts_say_and_within_its_bound(ask: Ask, question: str, limit: int) -> None:
    result = ask(question, limit)
    verdicts = [event.decision for event in result.trace if event.node == "judge"]
    assert [event.node for event in result.trace] == ["decompose", *ROUND * len(verdicts), "output"]
    assert verdicts[:-1] == ["hallucinated"] * (len(verdicts) - 1)
    assert len(verdicts) == limit or verdicts[-1] != "hallucinated"
    if verdicts[-1] == "accepted":
        assert result.status is Status.ANSWERED
        assert all(claim.status == "supported" and claim.citations for claim in result.claims)
    else:
        assert (result.status, result.answer) == (Status.REFUSED, NO_RELIABLE_ANSWER)
    bounds = docs_bounds(max_hallucinations=limit)
    assert 2 <= result.usage.model_calls <= bounds.calls(writer=1, judge=1)
