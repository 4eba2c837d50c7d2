"""No run takes more calls, tokens or money than was told before it began, however much its models say."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docmind.domain.budget import Price
from docmind.domain.errors import ModelError
from docmind.domain.scope import Scope
from docmind.domain.stream import Resulted, RunStarted
from docmind.models.chat.meter import Retries
from docmind.models.chat.model import Message
from docmind.models.chat.recording import Line, ScriptedChat
from docmind.models.chat.roles import Roles
from docmind.runtime.bounds import Bounds
from docmind.runtime.engine import DocMind
from docmind.runtime.workflows import workflow_named
from docmind.settings import ModelSettings, Settings
from docmind.skills.prompts import room, tasks

SCOPE = Scope("w")
WORKFLOWS = ("docs", "strategy", "finance", "chat")
LONG = "How long are receipts of the branch in Ostrava kept, and who decides that? " * 40
QUESTIONS = st.sampled_from(["How long are receipts kept?", "What was the revenue of Arden in 2023?", LONG])
BABBLE: tuple[Line, ...] = (
    "Receipts are kept for ten years, as the passages say in so many words [1]. " * 100,
    "".join(f"Receipts number {number} is kept for {number} years [{number % 9}]. " for number in range(60)),
    "1,234.56 | " * 1_000,
    "票据保存十年。" * 100,
    json.dumps({"not_borne_out": [], "scores": [0.9] * 8, "missing": ["revenue of Arden 2023 " * 50] * 40}),
    json.dumps({"decision": "REWRITE_THEN_RETRIEVE", "question": "Who? " * 390, "query": "receipts " * 200}),
    json.dumps({"intent": "list", "sub_queries": ["How long are receipts kept?"], "entities": ["x" * 900] * 9}),
    ModelError("busy", retryable=True),
)
PRICE = Price(3, 15)


@pytest.fixture(scope="module")
def said() -> list[Line]:
    return []


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory, said: list[Line]) -> Iterator[DocMind]:
    root = tmp_path_factory.mktemp("spending")
    for number in range(9):
        heading = f"# Receipts of the branch in Ostrava {'and its neighbours ' * 20}{number}"
        text = f"Receipts are kept for {number + 1} years. The revenue of Arden was EUR 1,234,567 in 2023. " * 5
        (root / f"{number}.md").write_text(f"{heading}\n\n{text}\n")

    def script(messages: Sequence[Message]) -> Line:
        return said[sum(len(one.content) for one in messages) % len(said)]

    writer, judge = (ScriptedChat(script, name=name, price=PRICE) for name in ("writer", "judge"))
    roles = Roles(writer, ScriptedChat(script, name="fallback", price=PRICE), judge, retries=Retries(2, first_wait_s=0))
    opened = Settings(data_dir=Path(root, "data"), models=ModelSettings(embedder="static"))
    with DocMind(opened, roles=roles) as built:
        built.ingest(sorted(root.glob("*.md")), SCOPE)
        yield built


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.sampled_from(WORKFLOWS), QUESTIONS, st.lists(st.sampled_from(BABBLE), min_size=1, max_size=4), st.booleans())
def test_no_run_takes_more_than_was_told_before_it(
    engine: DocMind, said: list[Line], workflow: str, question: str, lines: list[Line], talks: bool
) -> None:
    said[:] = lines
    events = list(engine.stream(question, SCOPE, workflow=workflow, conversational=talks))
    started, ended = events[0], events[-1]
    assert isinstance(started, RunStarted)
    assert isinstance(ended, Resulted)
    usage, bounds = ended.result.usage, ended.result.bounds
    assert bounds is not None
    assert usage.model_calls <= started.most_model_calls == bounds.model_calls
    assert usage.input_tokens <= started.most_input_tokens == bounds.input_tokens
    assert usage.output_tokens <= started.most_output_tokens == bounds.output_tokens
    assert usage.cost is not None
    assert bounds.cost is not None
    assert usage.cost <= bounds.cost
    assert bounds.cost == started.most_cost
    assert usage.tokens == usage.input_tokens + usage.output_tokens


def test_every_call_keeps_to_the_room_of_its_task(engine: DocMind, said: list[Line]) -> None:
    said[:] = [BABBLE[0]]
    engine.run(LONG, SCOPE, workflow="strategy")
    writer = engine.roles.writer
    assert isinstance(writer, ScriptedChat)
    longest = max(sum(len(one.content.encode()) for one in request) for request in writer.requests)
    assert longest <= 3 * engine.roles.prompt_tokens


@pytest.mark.parametrize("workflow", [*WORKFLOWS, "chat-simple"])
def test_the_worst_price_follows_from_the_calls_and_their_room(engine: DocMind, workflow: str) -> None:
    bounds = engine.bounds(workflow)
    assert bounds.cost == pytest.approx((3 * bounds.input_tokens + 15 * bounds.output_tokens) / 1e6)
    assert bounds.input_tokens <= bounds.model_calls * engine.roles.prompt_tokens
    assert bounds.output_tokens <= bounds.model_calls * max(room(task).written for task in tasks())


def test_without_models_nothing_is_taken(engine: DocMind) -> None:
    for workflow in WORKFLOWS:
        assert Bounds.of(workflow_named(workflow).bounds(engine.services(SCOPE)), Roles()) == Bounds(
            engine.bounds(workflow).steps
        )


def test_reading_a_request_for_a_place_takes_no_more_than_what_it_stands_in_for() -> None:
    place, rewrite, grade = (room(task) for task in ("read_place_request", "rewrite", "grade_passages"))
    assert place.read is not None
    assert place.read <= (rewrite.read or place.read)
    assert place.written <= min(rewrite.written, grade.written)
    assert grade.read is None
