"""One stretch of a run: what it works with, and its way to the end or to a question for a person."""

import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, Interrupt

from docmind.domain.answers import Clarification, RunBounds, RunResult, RunUsage, Status
from docmind.domain.budget import Usage
from docmind.domain.stream import RunStarted, StreamEvent, StreamUpdate
from docmind.domain.trace import Event
from docmind.memory.recording import RecordedMemory, RecordedSearch
from docmind.memory.run import Run
from docmind.models.chat.meter import Meter
from docmind.models.chat.recording import Recorder
from docmind.models.chat.roles import Roles
from docmind.runtime.bounds import Bounds, budget_of
from docmind.runtime.threshold import held_to
from docmind.runtime.workflows import Graph, Workflow
from docmind.settings import BudgetSettings
from docmind.workflows.finder import RecordedFinder
from docmind.workflows.messages import Replied, answer_message
from docmind.workflows.services import Services


@dataclass(frozen=True, slots=True)
class Plan:
    services: Services
    meter: Meter
    bounds: Bounds


def with_limits(services: Services, run: Run) -> Services:
    """The services of a run, with the limits that were asked for it."""
    if run.max_retries is None:
        return services
    return replace(services, strategy=replace(services.strategy, max_retries=run.max_retries))


def plan(
    workflow: Workflow,
    services: Services,
    roles: Roles,
    allowed: BudgetSettings | None = None,
    *,
    recorder: Recorder | None = None,
    spent: Usage | None = None,
    began: float | None = None,
) -> Plan:
    """Bind the chat models to a meter that lets no more through than the graph can take and the budget allows.

    `spent` is what the run took before it was interrupted; `recorder` keeps what its models and searches answer.
    """
    bounds = Bounds.of(workflow.bounds(services), roles)
    price = roles.writer.price if roles.writer is not None else None
    meter = Meter(budget_of(bounds, allowed or BudgetSettings(), workflow=workflow.name, price=price), spent)
    if recorder is not None:
        memory = services.memory and RecordedMemory(services.memory, recorder)
        facilities = services.facilities and RecordedFinder(services.facilities, recorder)
        corpus = RecordedSearch(services.corpus, recorder)
        services = replace(services, corpus=corpus, memory=memory, facilities=facilities)
    chats = roles.writing(meter, recorder), roles.judging(meter, recorder)
    return Plan(replace(services, began=began).with_chat(*chats), meter, bounds)


@dataclass(slots=True)
class Session:
    run: Run
    workflow: Workflow
    graph: Graph
    plan: Plan
    state: Mapping[str, Any] = field(default_factory=dict)
    """The state as far as the run has come."""
    asked: Sequence[Interrupt] = ()
    """What a person is asked, where the run waits for one."""
    seconds: float = 0.0
    """What the run took before and up to here."""
    watched: bool = True
    """Whether somebody is told what its nodes do."""
    reply: Replied | None = None
    """What was said to a message that is no question, for which the graph does not run."""

    async def walk(self, given: Any, on_nodes: Sequence[BaseCallbackHandler] = ()) -> AsyncGenerator[StreamEvent, None]:
        """Run the graph: on its first state, on a `Command` with an answer, or on None to go on where it stands."""
        begun, before = time.perf_counter(), self.seconds
        bounds = self.plan.bounds
        yield RunStarted(
            run_id=self.run.id,
            workflow=self.workflow.name,
            most_steps=bounds.steps,
            most_model_calls=bounds.model_calls,
            most_input_tokens=bounds.input_tokens,
            most_output_tokens=bounds.output_tokens,
            most_cost=bounds.cost,
        )
        is_new = given is not None and not isinstance(given, Command)
        if is_new and not self.workflow.replies:
            told: list[StreamEvent] = []
            self.reply = await answer_message(self.run.question, self.workflow.name, self.plan.services, told.append)
            for event in told if self.reply is not None and self.watched else ():
                yield event
        if self.reply is not None:
            self.seconds = before + time.perf_counter() - begun
            return
        config: RunnableConfig = {
            **config_of(self.run),
            # One more than the nodes that can run: LangGraph counts the step in which it finds nothing left to do.
            "recursion_limit": self.workflow.recursion_limit or bounds.steps + 1,
            "callbacks": list(on_nodes),
        }
        parts = self.graph.astream(
            given,
            config,
            context=self.plan.services,
            # What nobody hears costs time to tell.
            stream_mode=["custom", "values"] if self.watched else ["values"],
            subgraphs=True,
            # A node counts as finished when its checkpoint is written: what comes after it never runs on less.
            durability="sync",
            version="v2",
        )
        async with aclosing(parts):  # type: ignore[type-var]
            async for part in parts:
                if part["type"] == "values" and not part["ns"]:
                    self.state, self.asked = part["data"], part["interrupts"]
                elif part["type"] == "custom" and isinstance(part["data"], StreamUpdate):
                    yield part["data"]  # type: ignore[misc]
        self.seconds = before + time.perf_counter() - begun

    def result(self) -> RunResult:
        """What the run gave so far, with what it took and the most that it could take."""
        bounds = RunBounds.model_validate(self.plan.bounds)
        return self._given(_usage(self.plan.meter.spent, self.seconds)).model_copy(update={"bounds": bounds})

    def _given(self, usage: RunUsage) -> RunResult:
        if self.reply is not None:
            return self.reply.result(
                run_id=self.run.id, workflow=self.workflow.mode_of or self.workflow.name, usage=usage
            )
        if not self.asked:
            finished = self.workflow.finish(self.state, run_id=self.run.id, usage=usage)
            return held_to(self.run.threshold, finished)
        shown = (self.workflow.waiting or self._question_alone)(self.state, run_id=self.run.id, usage=usage)
        asked = _clarification(self.asked[0].value)
        return shown.model_copy(update={"status": Status.NEEDS_CLARIFICATION, "clarification": asked})

    def _question_alone(self, state: Any, *, run_id: str, usage: RunUsage) -> RunResult:
        trace = [Event.model_validate(event) for event in state.get("trace") or []]
        return RunResult(
            run_id=run_id,
            workflow=self.workflow.name,
            status=Status.NEEDS_CLARIFICATION,
            answer="",
            usage=usage,
            trace=trace,
        )


def config_of(run: Run) -> RunnableConfig:
    return {"configurable": {"thread_id": run.checkpoints}}


def spent_in(state: Mapping[str, Any]) -> tuple[Usage, float]:
    """What the finished nodes of a run took, and how long they ran: what it had spent when it was interrupted."""
    trace = [Event.model_validate(event) for event in state.get("trace") or []]
    took = (
        Usage(event.model_calls, event.tokens - event.output_tokens, event.output_tokens, cost=event.cost)
        for event in trace
    )
    return sum(took, Usage()), sum(event.seconds for event in trace)


def _usage(spent: Usage, seconds: float) -> RunUsage:
    return RunUsage(
        model_calls=spent.model_calls,
        tokens=spent.tokens,
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        cost=None if spent.cost is None else round(spent.cost, 6),
        seconds=round(seconds, 4),
    )


def _clarification(asked: Any) -> Clarification:
    if isinstance(asked, Mapping):
        return Clarification(question=str(asked["question"]), options=[str(one) for one in asked.get("options") or []])
    return Clarification(question=str(asked))
