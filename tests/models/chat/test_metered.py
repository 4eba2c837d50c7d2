"""The gate every model call of a run passes: bounds, the reserve, retries, the second model, the record."""

import asyncio
from collections.abc import Coroutine
from contextlib import aclosing, suppress
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.budget import Budget, Price, Usage
from docmind.domain.errors import BudgetExhausted, DocMindError, ModelError, NotFound
from docmind.models.chat.meter import Meter, MeteredChat, Retries
from docmind.models.chat.model import Message, Reply
from docmind.models.chat.recording import Broken, Line, MemoryRecorder, ScriptedChat, Silence, absent_chat

T = TypeVar("T")

AT_ONCE = Retries(attempts=3, first_wait_s=0)
ASKED = [Message("user", "Why is the sky blue?")]
BUSY = ModelError("The model is busy.", retryable=True)
DENIED = ModelError("The key is wrong.")


def run(call: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(call)


async def collect(chat: MeteredChat, asked: list[Message] = ASKED) -> list[str | Reply]:
    return [item async for item in chat.stream(asked)]


def test_the_last_call_is_kept_for_the_answer() -> None:
    model = ScriptedChat(["one", "two", "the answer"])
    chat = MeteredChat(model, Meter(Budget(calls=3)), retries=AT_ONCE)
    run(chat.complete(ASKED))
    run(chat.complete(ASKED))
    with pytest.raises(BudgetExhausted, match="limit of 3 model calls besides the reserve") as raised:
        run(chat.complete(ASKED))
    assert raised.value.usage.model_calls == 2
    assert run(chat.answering().complete(ASKED)).text == "the answer"
    with pytest.raises(BudgetExhausted, match=r"limit of 3 model calls\."):
        run(chat.answering().complete(ASKED))
    assert model.calls == 3


def test_retries_do_not_eat_the_reserve() -> None:
    model = ScriptedChat([BUSY, BUSY, "the answer"])
    chat = MeteredChat(model, Meter(Budget(calls=3)), retries=Retries(attempts=10, first_wait_s=0))
    # The reason is that the model was busy; the budget only forbade to try on.
    with pytest.raises(ModelError, match="busy") as raised:
        run(chat.complete(ASKED))
    assert raised.value.usage.model_calls == 2
    assert run(chat.answering().complete(ASKED)).text == "the answer"


def test_tokens_can_be_kept_for_the_answer_too() -> None:
    budget = Budget(tokens=300, reserve=Usage(model_calls=1, input_tokens=20, output_tokens=100))
    chat = MeteredChat(ScriptedChat(lambda _: "word " * 60), Meter(budget), retries=AT_ONCE)
    run(chat.complete(ASKED, max_tokens=100))
    with pytest.raises(BudgetExhausted, match="300 tokens"):
        run(chat.complete(ASKED, max_tokens=100))
    assert run(chat.answering().complete(ASKED, max_tokens=100)).text
    assert chat.meter.spent.tokens <= 300


def test_a_call_waits_no_longer_than_the_run_has_left() -> None:
    budget = Budget(seconds=0.1, reserve=Usage(model_calls=1, seconds=0.05))
    chat = MeteredChat(ScriptedChat([Silence(), "the answer"]), Meter(budget), retries=AT_ONCE)
    with pytest.raises(ModelError, match=r"within 0\.05 s"):
        run(chat.complete(ASKED))
    with pytest.raises(BudgetExhausted, match="seconds of model time"):
        run(chat.complete(ASKED))


def test_a_limit_on_cost_holds_before_the_call_that_would_pass_it() -> None:
    model = ScriptedChat(lambda _: "x" * 300, price=Price(0, 10_000))
    chat = MeteredChat(model, Meter(Budget(cost=2.0, reserve=Usage())), retries=AT_ONCE)
    run(chat.complete(ASKED, max_tokens=100))
    assert chat.meter.spent.cost == 1.0
    with pytest.raises(BudgetExhausted, match="a cost of 2"):
        run(chat.complete(ASKED, max_tokens=101))
    run(chat.complete(ASKED, max_tokens=100))
    assert model.calls == 2


def test_calls_side_by_side_cannot_pass_the_limit_together() -> None:
    model = ScriptedChat(lambda _: "yes")
    chat = MeteredChat(model, Meter(Budget(calls=4)), retries=AT_ONCE)

    async def all_at_once() -> list[Reply | BaseException]:
        return await asyncio.gather(*(chat.complete(ASKED) for _ in range(10)), return_exceptions=True)

    results = run(all_at_once())
    assert sum(isinstance(result, Reply) for result in results) == model.calls == 3
    assert all(isinstance(result, Reply | BudgetExhausted) for result in results)


def test_two_models_of_one_run_share_its_budget() -> None:
    meter = Meter(Budget(calls=2, reserve=Usage()))
    writer, judge = (MeteredChat(ScriptedChat(["yes"], name=name), meter) for name in ("writer", "judge"))
    run(writer.complete(ASKED))
    run(judge.complete(ASKED))
    with pytest.raises(BudgetExhausted):
        run(writer.complete(ASKED))


def test_a_second_model_answers_when_the_first_is_given_up() -> None:
    first, second = ScriptedChat([BUSY, BUSY, BUSY]), ScriptedChat(["from the second"], name="second")
    chat = MeteredChat(first, Meter(), fallback=second, retries=AT_ONCE)
    reply = run(chat.complete(ASKED))
    assert (reply.text, reply.usage.model_calls) == ("from the second", 4)
    assert chat.meter.spent == reply.usage


def test_a_wrong_key_is_not_tried_again_but_the_second_model_is_asked() -> None:
    first, second = ScriptedChat([DENIED]), ScriptedChat([DENIED], name="second")
    chat = MeteredChat(first, Meter(), fallback=second, retries=AT_ONCE)
    with pytest.raises(ModelError, match="key is wrong"):
        run(chat.complete(ASKED))
    assert (first.calls, second.calls) == (1, 1)


def test_silence_ends_at_the_timeout_and_the_time_is_not_given_again() -> None:
    silent, second = ScriptedChat(lambda _: Silence()), ScriptedChat(["at last"])
    chat = MeteredChat(silent, Meter(), fallback=second, retries=AT_ONCE, timeout_s=0.3)
    assert run(chat.complete(ASKED)).text == "at last"
    assert silent.calls == 1
    assert chat.meter.spent.model_calls == 2


def test_a_provider_that_asks_for_longer_than_anyone_waits_is_not_asked_again() -> None:
    busy = ScriptedChat(lambda _: ModelError("The model is busy.", retryable=True, wait_s=3600))
    chat = MeteredChat(busy, Meter(), fallback=ScriptedChat(["Blue."]), retries=AT_ONCE)
    assert run(chat.complete(ASKED)).text == "Blue."
    assert busy.calls == 1


def test_the_wait_is_as_long_as_the_provider_asks() -> None:
    retries = Retries(first_wait_s=0.5, longest_wait_s=20)
    assert retries.wait_s(1, at_least_s=7) == 7
    assert 0.25 <= retries.wait_s(1, at_least_s=0) <= 0.5


def test_a_slow_reader_does_not_run_the_model_out_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("docmind.models.chat.meter.time", SimpleNamespace(monotonic=lambda: now))
    chat = MeteredChat(ScriptedChat(["a b c"]), Meter(), timeout_s=60)

    async def read_slowly() -> list[str | Reply]:
        nonlocal now
        items: list[str | Reply] = []
        async for item in chat.stream(ASKED):
            items.append(item)
            now += 50
        return items

    assert run(read_slowly())[:3] == ["a", " b", " c"]


def test_a_reader_that_stops_pays_for_what_it_had() -> None:
    chat = MeteredChat(ScriptedChat(["one two three"]), Meter())

    async def read_one() -> None:
        async with aclosing(chat.stream(ASKED)) as items:
            assert await anext(items) == "one"

    run(read_one())
    assert chat.meter.spent.model_calls == 1
    assert chat.meter.spent.output_tokens == 1


def test_a_cancelled_call_leaves_nothing_under_way() -> None:
    chat = MeteredChat(ScriptedChat([Silence(), "yes"]), Meter(Budget(calls=2, reserve=Usage())))

    async def cancel_then_ask() -> Reply:
        task = asyncio.create_task(chat.complete(ASKED))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await chat.complete(ASKED)

    assert run(cancel_then_ask()).text == "yes"
    assert chat.meter.spent.model_calls == 2


def test_waits_double_up_to_a_limit_and_are_drawn_at_random() -> None:
    retries = Retries(first_wait_s=1, longest_wait_s=5)
    for failures, longest in [(1, 1), (2, 2), (3, 4), (4, 5), (9, 5)]:
        waits = {retries.wait_s(failures) for _ in range(50)}
        assert longest / 2 <= min(waits) < max(waits) <= longest


def _play(chat: MeteredChat) -> tuple[list[object], Usage]:
    """A run with everything in it: replies, the same question twice, streams, a failure, half a stream, a refusal."""

    async def told(streamed: bool) -> object:
        try:
            return await collect(chat) if streamed else await chat.complete(ASKED)
        except DocMindError as error:
            return (type(error), str(error), error.retryable)

    async def play() -> list[object]:
        return [await told(streamed) for streamed in (False, False, True, False, True, False)]

    return run(play()), chat.meter.spent


def test_a_run_is_replayed_equal_to_the_byte_without_a_model() -> None:
    recorder = MemoryRecorder()
    model = ScriptedChat(["one", "two", "a stream", DENIED, Broken("half a"), "over the limit"], price=Price(1, 2))
    budget = Budget(calls=6)
    lived = _play(MeteredChat(model, Meter(budget), retries=AT_ONCE, recorder=recorder))
    assert model.calls == 5
    kept = dict(recorder.records)
    replayed = _play(MeteredChat(absent_chat("scripted"), Meter(budget), recorder=recorder))
    assert replayed == lived
    assert repr(replayed).encode() == repr(lived).encode()
    assert recorder.records == kept


def test_a_reply_that_was_recorded_whole_can_be_replayed_as_a_stream() -> None:
    recorder = MemoryRecorder()
    reply = run(MeteredChat(ScriptedChat(["all at once"]), Meter(), recorder=recorder).complete(ASKED))
    replay = MeteredChat(absent_chat("scripted"), Meter(), recorder=recorder)
    assert run(collect(replay)) == ["all at once", reply]


def test_a_replay_that_asks_something_else_says_so_and_records_nothing() -> None:
    recorder = MemoryRecorder()
    chat = MeteredChat(absent_chat("scripted"), Meter(), recorder=recorder)
    with pytest.raises(NotFound, match="no recorded reply of scripted"):
        run(chat.complete(ASKED))
    with pytest.raises(NotFound):
        run(collect(chat))
    assert not recorder.records


LINES: st.SearchStrategy[Line] = st.one_of(
    st.text(max_size=20),
    st.sampled_from([BUSY, DENIED, Broken("half a reply"), Broken(""), Silence(), ModelError("?", retryable=True)]),
)


@given(
    script=st.lists(LINES, max_size=12),
    second=st.none() | st.lists(LINES, max_size=6),
    calls=st.integers(0, 8),
    asked=st.lists(st.tuples(st.booleans(), st.booleans()), max_size=6),
    together=st.booleans(),
)
def test_whatever_the_models_do_a_run_makes_no_more_calls_than_its_budget(
    script: list[Line], second: list[Line] | None, calls: int, asked: list[tuple[bool, bool]], together: bool
) -> None:
    model = ScriptedChat(script)
    fallback = None if second is None else ScriptedChat(second, name="second")
    meter = Meter(Budget(calls=calls))
    chat = MeteredChat(model, meter, fallback=fallback, retries=AT_ONCE, timeout_s=0.001)

    async def one(streamed: bool, answering: bool) -> None:
        asking = chat.answering() if answering else chat
        with suppress(ModelError, BudgetExhausted):
            await (collect(asking) if streamed else asking.complete(ASKED))

    async def play() -> None:
        if together:
            await asyncio.gather(*(one(*how) for how in asked))
        else:
            for how in asked:
                await one(*how)

    run(play())
    made = model.calls + (fallback.calls if fallback else 0)
    assert made == meter.spent.model_calls <= calls
    if not any(answering for _, answering in asked):
        assert made <= max(calls - 1, 0)


def test_a_model_that_has_said_enough_is_not_heard_out_and_replays_as_far_as_it_was() -> None:
    recorder, spent = MemoryRecorder(), []

    async def listen(model: ScriptedChat) -> list[str | Reply]:
        meter = Meter(Budget())
        chat = MeteredChat(model, meter, retries=AT_ONCE, recorder=recorder)
        heard = [item async for item in chat.stream(ASKED, enough=lambda said: said.count("Dust.") > 1)]
        spent.append(meter.spent.output_tokens)
        return heard

    *pieces, reply = run(listen(ScriptedChat(["Dust. It scatters. Dust. " + "On and on. " * 99])))
    assert isinstance(reply, Reply)
    assert (reply.text, reply.truncated) == ("Dust. It scatters. Dust.", True)
    assert "".join(map(str, pieces)) == reply.text
    assert run(listen(ScriptedChat([])))[-1] == reply
    assert spent[0] == spent[1] < 20


def test_a_long_text_is_not_looked_through_at_its_every_sentence() -> None:
    looks: list[int] = []

    def enough(said: str) -> bool:
        looks.append(len(said))
        return False

    async def listen() -> None:
        chat = MeteredChat(ScriptedChat(["On and on. " * 1_000]), Meter())
        async for _ in chat.stream(ASKED, max_tokens=10_000, enough=enough):
            pass

    run(listen())
    assert 20 < len(looks) < 100
    assert looks[-1] > 9_000
