"""Starts runs and takes them up again: each is leased, and on record from before its first node to after its last."""

import asyncio
import hashlib
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, Self
from uuid import uuid4

from langgraph.types import Command, StateSnapshot

from docmind.corpus.search import checked
from docmind.domain.confidence import Threshold
from docmind.domain.errors import InvalidQuery, StoreError, UnderWay
from docmind.domain.scope import Scope
from docmind.domain.stream import Resulted, StreamEvent
from docmind.memory.checkpoints import Checkpoints
from docmind.memory.conversations import is_expired
from docmind.memory.leases import RENEWED_EVERY_S, Lease, Leases
from docmind.memory.run import Answer, Run, RunState, thread_name
from docmind.memory.runs import RunRecorder, Runs
from docmind.models.chat.roles import Roles
from docmind.runtime.replay import Replay, replay
from docmind.runtime.session import Session, config_of, plan, spent_in, with_limits
from docmind.runtime.threshold import chosen
from docmind.runtime.watching import Watches
from docmind.runtime.workflows import STRATEGY, Graph, Workflow, workflow_named
from docmind.settings import BudgetSettings
from docmind.workflows.services import Services


@asynccontextmanager
async def hold_lease(leases: Leases, work: str) -> AsyncIterator[Lease]:
    """Hold a lease for as long as the block runs; `UnderWay` where somebody else does."""
    lease = await asyncio.to_thread(leases.take, work)
    renewing = asyncio.create_task(_renew(leases, lease))
    try:
        yield lease
    finally:
        renewing.cancel()
        leases.release(lease)


async def require_lease(leases: Leases, lease: Lease) -> None:
    """Refuse to write what somebody else is at by now: this process had slept for longer than its lease lasted."""
    if not await asyncio.to_thread(leases.renew, lease):
        raise UnderWay("The run was taken up by another process while this one slept; that one goes on with it.")


async def _renew(leases: Leases, lease: Lease) -> None:
    while True:
        await asyncio.sleep(RENEWED_EVERY_S)
        with suppress(StoreError):
            await asyncio.to_thread(leases.renew, lease)


_AFTER_S = 0.02
"""By then whoever asked has the answer, and is not kept from it by what is left to do."""


class Tidying:
    """Belongs to the event loop that runs live on; when it is closed, everything has been tidied."""

    def __init__(self, checkpoints: Checkpoints) -> None:
        self._checkpoints = checkpoints
        self._under_way: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*self._under_way)

    def forget(self, checkpoints: str) -> None:
        """Delete the checkpoints of an ended run: nothing goes on from it, and its replay starts from the question."""

        async def delete() -> None:
            await asyncio.sleep(_AFTER_S)
            # What cannot be removed now takes up room, and nothing else.
            with suppress(StoreError):
                await self._checkpoints.adelete_thread(checkpoints)

        task = asyncio.create_task(delete())
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)


Events = AsyncGenerator[StreamEvent, None]


@dataclass(slots=True)
class Runner:
    """Runs workflows on the event loop that its checkpoints were opened on, all under the same settings."""

    runs: Runs
    leases: Leases
    checkpoints: Checkpoints
    services: Callable[[Scope], Services]
    roles: Roles
    budget: BudgetSettings
    threshold: Threshold
    """How sure answers must be, unless a run asks for something else."""
    watches: Watches
    tidying: Tidying
    _graphs: dict[str, Graph] = field(default_factory=dict)

    async def start(
        self,
        question: str,
        scope: Scope,
        name: str,
        thread: str | None,
        *,
        most_wrong: float | None = None,
        max_retries: int | None = None,
        watched: bool = True,
    ) -> Events:
        """Ask a question; what a person typed is checked first, so that no run starts on nothing."""
        workflow, question = workflow_named(name), checked(question)
        if thread is not None and not workflow.converses:
            raise InvalidQuery(f"The {name} workflow has no conversations, so it cannot be used with a thread.")
        if max_retries is not None and (name != STRATEGY.name or max_retries < 0):
            raise InvalidQuery("The number of retries must be 0 or more, and only the strategy workflow uses it.")
        thread = None if thread is None else thread_name(thread)
        threshold = chosen(self.threshold, most_wrong)
        models = _names(self.roles)
        run = Run(uuid4().hex, scope, name, question, time.time(), thread, models=models, threshold=threshold)
        run = replace(run, max_retries=max_retries)
        async with hold_lease(self.leases, run.checkpoints) as lease:
            if thread is not None:
                before = await self._graph(workflow, scope).aget_state(config_of(run))
                run = replace(run, base=before.config["configurable"].get("checkpoint_id"))
            session = self._session(run, workflow, RunRecorder(self.runs, run.id), watched=watched)
            await asyncio.to_thread(self.runs.begin, run)
            async with aclosing(self._go(session, workflow.start(question), lease)) as events:
                async for event in events:
                    yield event

    async def resume(self, reference: str, scope: Scope, answer: str | None, *, watched: bool = True) -> Events:
        """Go on with a run that was interrupted, or that waits for an answer; one that has ended gives its result."""
        answer = None if answer is None else checked(answer, called="answer")
        run = await asyncio.to_thread(self.runs.find, reference, scope)
        if run.state is RunState.ENDED and run.result is not None:
            yield Resulted(result=run.result)
            return
        async with (
            hold_lease(self.leases, run.checkpoints) as lease,
            aclosing(self._go_on(run.id, scope, answer, lease, watched=watched)) as events,
        ):
            async for event in events:
                yield event

    async def _go_on(self, run_id: str, scope: Scope, answer: str | None, lease: Lease, *, watched: bool) -> Events:
        # Looked at again: whoever had it until now may have ended it.
        run = await asyncio.to_thread(self.runs.find, run_id, scope)
        if run.state is RunState.ENDED and run.result is not None:
            yield Resulted(result=run.result)
            return
        workflow = workflow_named(run.workflow)
        if run.thread is not None and (await asyncio.to_thread(self.runs.last_of, run)).id != run.id:
            raise InvalidQuery("The conversation has moved on, so this run cannot be resumed.")
        if answer is not None and self.has_expired(run):
            raise InvalidQuery("This question has expired. Ask yours again.")
        stands = await self._graph(workflow, scope).aget_state(config_of(run), subgraphs=True)
        recorder = await asyncio.to_thread(self.runs.recorder, run)
        session = self._session(run, workflow, recorder, stands, watched=watched)
        if answer is None and run.state is not RunState.WAITING and _is_open(run, stands):
            # Killed before its question was on record, it has not been heard yet.
            session.asked = stands.interrupts
            await asyncio.to_thread(self.runs.wait, run, session.result())
            yield Resulted(result=session.result())
            return
        session.run, given = _next(run, workflow, stands, answer)
        await asyncio.to_thread(self.runs.go_on, session.run)
        async with aclosing(self._go(session, given, lease)) as events:
            async for event in events:
                yield event

    async def replay(self, reference: str, scope: Scope) -> Replay:
        run = await asyncio.to_thread(self.runs.find, reference, scope)
        recorder = await asyncio.to_thread(self.runs.recorder, run)
        return await replay(run, recorder.records, self.checkpoints, self.services, self.roles)

    async def delete(self, reference: str, scope: Scope) -> Run:
        run = await asyncio.to_thread(self.runs.find, reference, scope)
        if run.thread is None:
            await self.checkpoints.adelete_thread(run.checkpoints)
        await asyncio.to_thread(self.runs.delete, run)
        return run

    async def _go(self, session: Session, given: Any, lease: Lease) -> Events:
        run = session.run
        try:
            with self.watches.run(run.id, run.workflow) as ended:
                async with aclosing(session.walk(given, self.watches.on_nodes())) as events:
                    async for event in events:
                        yield event
                result = session.result()
                ended(result)
            await require_lease(self.leases, lease)
            await asyncio.to_thread(self.runs.wait if session.asked else self.runs.end, run, result)
        except UnderWay:
            raise
        except BaseException as error:
            # Whatever ends it here, the run can go on from its last finished node; also where that cannot be noted.
            with suppress(StoreError):
                self.runs.stop(run, _reason(error))
            raise
        if not session.asked and run.thread is None:
            self.tidying.forget(run.checkpoints)
        yield Resulted(result=result)

    def _session(
        self,
        run: Run,
        workflow: Workflow,
        recorder: RunRecorder,
        stands: StateSnapshot | None = None,
        *,
        watched: bool,
    ) -> Session:
        state = stands.values if stands is not None else {}
        spent, seconds = spent_in(_furthest(stands).values if stands is not None else {})
        ready = plan(
            workflow, with_limits(self.services(run.scope), run), self.roles, self.budget,
            recorder=recorder, spent=spent, began=run.started,
        )  # fmt: skip
        return Session(run, workflow, self._graph(workflow, run.scope), ready, state, seconds=seconds, watched=watched)

    def has_expired(self, run: Run) -> bool:
        """Whether a run waits for an answer that comes too late now."""
        limit = workflow_named(run.workflow).answer_within_s
        if run.state is not RunState.WAITING or limit is None:
            return False
        return is_expired(run, time.time(), within_s=limit(self.services(run.scope)))

    def _graph(self, workflow: Workflow, scope: Scope) -> Graph:
        """Compiled once: it depends on the settings and on nothing of a run."""
        if workflow.name not in self._graphs:
            self._graphs[workflow.name] = workflow.build(self.services(scope), self.checkpoints)
        return self._graphs[workflow.name]


def _next(run: Run, workflow: Workflow, stands: StateSnapshot, answer: str | None) -> tuple[Run, Any]:
    """What the graph is given to go on from where it stands."""
    if stands.interrupts:
        if answer is not None:
            run = replace(run, answers=(*run.answers, Answer(_question_in(stands), answer)))
        elif _is_open(run, stands):
            raise InvalidQuery("The run is waiting for an answer. Resume it with one.")
        return run, Command(resume=run.answers[-1].text)
    if answer is not None:
        raise InvalidQuery("The run is not waiting for an answer. Resume it without one.")
    here = stands.config["configurable"].get("checkpoint_id")
    # Killed before its first node, it has left nothing to go on from.
    return run, workflow.start(run.question) if here == run.base else None


def _is_open(run: Run, stands: StateSnapshot) -> bool:
    """Whether the graph asks something that no answer is on record for."""
    return bool(stands.interrupts) and (not run.answers or run.answers[-1].to != _question_in(stands))


def _question_in(stands: StateSnapshot) -> str:
    """What the graph asks: a node that asks several things one after the other has one id for all of them."""
    asked = stands.interrupts[0]
    return f"{asked.id}.{hashlib.sha256(json.dumps(asked.value, sort_keys=True).encode()).hexdigest()[:16]}"


def _furthest(stands: StateSnapshot) -> StateSnapshot:
    """The state of the node that is next: one of a graph within the graph knows of steps that the outer does not."""
    inner = next((task.state for task in stands.tasks if isinstance(task.state, StateSnapshot)), None)
    return _furthest(inner) if inner is not None else stands


def _names(roles: Roles) -> dict[str, str]:
    models = {"writer": roles.writer, "fallback": roles.fallback, "judge": roles.judge}
    return {role: model.name for role, model in models.items() if model is not None}


def _reason(error: BaseException) -> str:
    if isinstance(error, asyncio.CancelledError | GeneratorExit):
        return "It was interrupted."
    return str(error) or type(error).__name__
