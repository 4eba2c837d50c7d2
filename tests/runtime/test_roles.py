"""Chat models from settings, each for what it does, and a bound that counts all of them."""

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docmind.domain.budget import Price, Requests, Usage
from docmind.domain.errors import ModelError, SettingsError
from docmind.domain.scope import Scope
from docmind.models.chat.meter import Retries
from docmind.models.chat.model import Message
from docmind.models.chat.recording import Line, ScriptedChat
from docmind.models.chat.roles import Roles
from docmind.runtime.chat_models import open_roles
from docmind.runtime.engine import DocMind
from docmind.settings import ModelSettings, Settings
from docmind.workflows.docs.edges import docs_bounds

SCOPE = Scope("w")
LINES: tuple[Line, ...] = (
    ModelError("The model is busy.", retryable=True),
    ModelError("The key is wrong."),
    "",
    "no JSON at all",
    '{"intent": "quantity", "sub_queries": ["How long are receipts kept?"]}',
    "Receipts are kept for six years in Vienna [1].",
    "Receipts are kept for ten years, and they are scanned [1].",
    '{"not_borne_out": [{"claim": 1, "words": "ten years", "reason": "It says so."}]}',
    '{"not_borne_out": []}',
)


def test_each_model_is_opened_for_what_it_does() -> None:
    urls = {role: f"http://127.0.0.1:1/v1#{role}" for role in ("chat", "fallback", "judge")}
    roles = open_roles(ModelSettings(**urls, chat_price="0.25/2", timeout_s=7, attempts=2))  # type: ignore[arg-type]
    assert roles.writer is not None
    assert roles.fallback is not None
    assert roles.judge is not None
    assert [roles.writer.name, roles.fallback.name, roles.judge.name] == list(urls.values())
    assert (roles.writer.price, roles.judge.price) == (Price(0.25, 2), None)
    assert roles.timeout_s == 7
    assert roles.most([Requests(1, 10)]).model_calls == 4
    assert roles.most([Requests(1, 10, judged=True)]).model_calls == 2


def test_without_models_nothing_is_called() -> None:
    roles = open_roles(ModelSettings())
    assert roles.most([Requests(1, 10), Requests(1, 10, judged=True)]) == Usage()


def test_the_most_that_requests_take_is_counted_with_every_attempt_and_the_price_of_each_model() -> None:
    writer, judge = (ScriptedChat([], price=price) for price in (Price(1, 10), Price(2, 20)))
    roles = Roles(writer, judge=judge, retries=Retries(attempts=3), prompt_tokens=5_000)
    most = roles.most([Requests(2, 100, input_tokens=1_000, calls=2), Requests(1, 500, judged=True)])
    assert (most.model_calls, most.input_tokens, most.output_tokens) == (15, 27_000, 2_700)
    assert most.cost == pytest.approx((12_000 * 1 + 1_200 * 10 + 15_000 * 2 + 1_500 * 20) / 1e6)


def test_the_most_that_a_model_without_a_price_costs_is_not_known() -> None:
    roles = Roles(ScriptedChat([], price=Price(1, 10)), fallback=ScriptedChat([]))
    assert roles.most([Requests(1, 100)]).cost is None


def test_nobody_stands_in_for_a_model_that_is_not_there() -> None:
    with pytest.raises(SettingsError, match="stands in for DOCMIND_MODELS__CHAT"):
        open_roles(ModelSettings(fallback="openai:gpt-5-mini"))


@pytest.mark.parametrize("price", ["2", "a/b", "1/2/3", "-1/2"])
def test_a_price_that_is_none_is_refused_by_name(price: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCMIND_MODELS__CHAT_PRICE", price)
    with pytest.raises(SettingsError, match="DOCMIND_MODELS__CHAT_PRICE is not valid"):
        Settings.load()


def test_the_calls_of_the_judge_are_counted_before_the_run() -> None:
    alone = docs_bounds(max_hallucinations=2).calls(writer=3)
    # Each draft is put to it once, and once more where its reply has to be repaired.
    assert docs_bounds(max_hallucinations=2).calls(writer=3, judge=3) == alone + 2 * 2 * 3


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("stocked")
    (root / "receipts.md").write_text("# Receipts\n\nReceipts are kept for ten years. They are scanned on arrival.\n")
    with DocMind(Settings(data_dir=root / "data", models=ModelSettings(embedder="static"))) as engine:
        engine.ingest([root / "receipts.md"], SCOPE)
    return root / "data"


def test_whatever_the_models_say_no_run_passes_its_bound(stocked: Path) -> None:
    said: list[Line] = []

    def script() -> Callable[[Sequence[Message]], Line]:
        turn = count()
        return lambda _: said[next(turn) % len(said)]

    def played(name: str) -> ScriptedChat:
        return ScriptedChat(script(), name=name)

    retries = Retries(attempts=2, first_wait_s=0)
    most = docs_bounds(max_hallucinations=2)
    opened = Settings(data_dir=stocked, models=ModelSettings(embedder="static"))
    roles = Roles(played("writer"), played("fallback"), played("judge"), retries=retries)
    with DocMind(opened, roles=roles) as engine:

        @settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
        @given(st.lists(st.sampled_from(LINES), min_size=1, max_size=5))
        def runs(lines: list[Line]) -> None:
            said[:] = lines
            result = engine.run("How long are receipts kept?", SCOPE)
            assert result.usage.model_calls <= most.calls(writer=4, judge=2)
            assert len(result.trace) <= most.steps
            assert "Vienna" not in result.answer

        runs()
