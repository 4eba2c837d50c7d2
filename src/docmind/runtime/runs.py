"""The runs of an engine: begun, watched, taken up again, looked at again, and their answers called right or wrong."""

import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import TYPE_CHECKING

from anyio import to_thread

from docmind.domain.answers import RunResult
from docmind.domain.errors import InvalidQuery, ModelError
from docmind.domain.scope import Scope
from docmind.domain.stream import Resulted, StreamEvent

if TYPE_CHECKING:
    from docmind.domain.confidence import Band
    from docmind.memory.leases import Leases
    from docmind.memory.run import Run
    from docmind.memory.runs import Runs
    from docmind.models.chat.roles import Roles
    from docmind.runtime.bounds import Bounds, WorkflowDescription
    from docmind.runtime.loop import Loop
    from docmind.runtime.replay import Replay
    from docmind.runtime.runner import Events, Runner
    from docmind.settings import Settings
    from docmind.workflows.services import Services


_ANYWHERE = Scope("default")
"""The shape of a graph and its bounds are the same in every scope."""


class Asking:
    """The runs of an engine. Methods block; those that start with `a` are for event loops."""

    _leases: "Leases"
    _loop: "Loop"
    _runner: "Runner"
    _runs: "Runs"
    roles: "Roles"
    settings: "Settings"

    def services(self, scope: Scope) -> "Services":
        """What the nodes of a workflow may reach for, within the scope."""
        raise NotImplementedError

    def _embedded(self, scope: Scope) -> "Services":
        """The same without chat models."""
        raise NotImplementedError

    def run(
        self,
        question: str,
        scope: Scope,
        *,
        workflow: str = "docs",
        thread: str | None = None,
        conversational: bool | None = None,
        most_wrong: float | None = None,
        max_retries: int | None = None,
    ) -> RunResult:
        """Answer a question from the documents of the scope.

        `conversational` chooses between the two modes of the chat workflow, `most_wrong` says which share of wrong
        answers is allowed at most, `max_retries` how often the strategy workflow may try again; without, the settings
        say each.
        """
        asked = question, scope, self._in_mode(workflow, thread, conversational), thread
        return self._loop.call(
            _result_of(self._runner.start(*asked, most_wrong=most_wrong, max_retries=max_retries, watched=False))
        )

    async def arun(
        self,
        question: str,
        scope: Scope,
        *,
        workflow: str = "docs",
        thread: str | None = None,
        conversational: bool | None = None,
        most_wrong: float | None = None,
        max_retries: int | None = None,
    ) -> RunResult:
        runner = await self._ready()
        asked = question, scope, self._in_mode(workflow, thread, conversational), thread
        return await self._loop.acall(
            _result_of(runner.start(*asked, most_wrong=most_wrong, max_retries=max_retries, watched=False))
        )

    def stream(
        self,
        question: str,
        scope: Scope,
        *,
        workflow: str = "docs",
        thread: str | None = None,
        conversational: bool | None = None,
        most_wrong: float | None = None,
        max_retries: int | None = None,
    ) -> Iterator[StreamEvent]:
        """As `run`, and tell what happens while it does; the result comes last."""
        asked = question, scope, self._in_mode(workflow, thread, conversational), thread
        return self._loop.iterate(self._runner.start(*asked, most_wrong=most_wrong, max_retries=max_retries))

    async def astream(
        self,
        question: str,
        scope: Scope,
        *,
        workflow: str = "docs",
        thread: str | None = None,
        conversational: bool | None = None,
        most_wrong: float | None = None,
        max_retries: int | None = None,
        watched: bool = True,
    ) -> AsyncGenerator[StreamEvent, None]:
        """Where it is not `watched`, it tells its beginning and its result alone, and takes less time."""
        runner = await self._ready()
        asked = question, scope, self._in_mode(workflow, thread, conversational), thread
        run = runner.start(*asked, most_wrong=most_wrong, max_retries=max_retries, watched=watched)
        async with aclosing(self._loop.aiterate(run)) as events:
            async for event in events:
                yield event

    def resume(self, run: str, scope: Scope, answer: str | None = None) -> RunResult:
        """Go on with a run that was killed, interrupted or failed, from its last finished node; or answer its question.

        A run that has ended already gives its result once more.
        """
        return self._loop.call(_result_of(self._runner.resume(run, scope, answer, watched=False)))

    async def aresume(self, run: str, scope: Scope, answer: str | None = None) -> RunResult:
        runner = await self._ready()
        return await self._loop.acall(_result_of(runner.resume(run, scope, answer, watched=False)))

    def resume_stream(self, run: str, scope: Scope, answer: str | None = None) -> Iterator[StreamEvent]:
        """As `resume`, and tell what happens while it does."""
        return self._loop.iterate(self._runner.resume(run, scope, answer))

    async def aresume_stream(
        self, run: str, scope: Scope, answer: str | None = None, *, watched: bool = True
    ) -> AsyncGenerator[StreamEvent, None]:
        runner = await self._ready()
        async with aclosing(self._loop.aiterate(runner.resume(run, scope, answer, watched=watched))) as events:
            async for event in events:
                yield event

    def replay(self, run: str, scope: Scope) -> "Replay":
        """Repeat a run from its records, without a model or a search, and compare."""
        return self._loop.call(self._runner.replay(run, scope))

    async def areplay(self, run: str, scope: Scope) -> "Replay":
        runner = await self._ready()
        return await self._loop.acall(runner.replay(run, scope))

    def runs(self, scope: Scope, *, limit: int = 50) -> "list[Run]":
        """The latest runs of the scope, newest first."""
        return self._leases.truly(lambda: self._runs.latest(scope, limit))

    def find_run(self, run: str, scope: Scope) -> "Run":
        """A run by its id or the start of it."""
        return self._leases.truly(lambda: [self._runs.find(run, scope)])[0]

    def delete_run(self, run: str, scope: Scope) -> "Run":
        """Forget a run with all that was recorded for it."""
        return self._loop.call(self._runner.delete(run, scope))

    def drawing(self, workflow: str) -> str:
        """The graph of a workflow as a Mermaid diagram."""
        from docmind.runtime.workflows import mermaid, workflow_named

        return mermaid(workflow_named(workflow).build(self._embedded(_ANYWHERE), None))

    def workflows(self) -> "list[WorkflowDescription]":
        """Every workflow, with the graph that it is under these settings."""
        from docmind.models.chat.roles import Roles
        from docmind.runtime.bounds import Bounds, describe
        from docmind.runtime.extensions import unbuildable
        from docmind.runtime.workflows import ADDED, WORKFLOWS

        services = self._embedded(_ANYWHERE)
        try:
            roles = self.roles
        except ModelError:
            # Whoever asks is told what is wrong with the model; what there is to ask can be shown without it.
            roles = Roles()
        added = [workflow for workflow in ADDED.usable().values() if not unbuildable(workflow, services)]
        return [
            describe(workflow, workflow.build(services, None), Bounds.of(workflow.bounds(services), roles))
            for workflow in (*WORKFLOWS.values(), *added)
        ]

    def extensions(self) -> list[str]:
        """What other packages have added, each with its kind and package, whether it works or not."""
        from docmind.runtime.extensions import added

        return added()

    def extension_problems(self) -> list[str]:
        """A sentence for each of them that cannot be used."""
        from docmind.runtime.extensions import problems

        return list(problems(self._embedded(_ANYWHERE)))

    def bounds(self, workflow: str) -> "Bounds":
        """The most a run of a workflow can take with these settings."""
        from docmind.runtime.bounds import Bounds
        from docmind.runtime.workflows import workflow_named

        return Bounds.of(workflow_named(workflow).bounds(self._embedded(_ANYWHERE)), self.roles)

    def _in_mode(self, workflow: str, thread: str | None, conversational: bool | None) -> str:
        from docmind.runtime.workflows import in_mode

        default = self.settings.conversational_mode
        return in_mode(workflow, conversational=conversational, thread=thread, default=default)

    async def _ready(self) -> "Runner":
        # What is opened at the first run takes longer than an event loop may be kept waiting.
        return await to_thread.run_sync(lambda: self._runner)


async def _result_of(events: "Events") -> RunResult:
    result = None
    async for event in events:
        if isinstance(event, Resulted):
            result = event.result
    if result is None:
        raise AssertionError("Every run gives a result or raises.")
    return result


LONGEST_COMMENT = 4000


class Rating:
    """The feedback on an engine's answers. Whoever asked gives it, and nobody else sees it."""

    _runs: "Runs"

    def give_feedback(self, run: str, scope: Scope, *, right: bool, comment: str = "") -> "Run":
        """Keep whether an answer is right, in place of what was said before."""
        from docmind.memory.run import Feedback, RunState

        found = self._runs.find(run, scope)
        if found.state is not RunState.ENDED or found.result is None:
            raise InvalidQuery("This run has not ended, so there is no answer yet to say anything of.")
        if len(comment) > LONGEST_COMMENT:
            raise InvalidQuery(f"The comment has {len(comment):,} characters; the most is {LONGEST_COMMENT:,}.")
        self._runs.put_feedback(found, Feedback(right, comment.strip(), time.time()))
        return self._runs.find(found.id, scope)

    def remove_feedback(self, run: str, scope: Scope) -> "Run":
        """Take back what was said of an answer."""
        found = self._runs.find(run, scope)
        self._runs.put_feedback(found, None)
        return self._runs.find(found.id, scope)

    def feedback(self, scope: Scope) -> "list[Run]":
        """The runs that feedback was given on, the latest feedback first."""
        return self._runs.with_feedback(scope)

    def reliability(self, scope: Scope) -> "list[Band]":
        """How often answers of each confidence were called right; answers without a confidence are left out."""
        from docmind.domain.confidence import by_confidence

        return by_confidence(
            (run.result.confidence, run.feedback.right)
            for run in self._runs.with_feedback(scope)
            if run.feedback and run.result and run.result.confidence_in_words
        )
