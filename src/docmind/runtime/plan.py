"""A run before it starts: what it works with, and the most it can take."""

from dataclasses import dataclass, replace

from docmind.domain.budget import Usage
from docmind.memory.recalled import RecordedMemory
from docmind.memory.run import Run
from docmind.memory.searches import RecordedSearch
from docmind.models.chat.meter import Meter
from docmind.models.chat.recording import Recorder
from docmind.models.chat.roles import Roles
from docmind.runtime.bounds import Bounds, budget_of
from docmind.runtime.workflows import Workflow
from docmind.settings import BudgetSettings
from docmind.workflows.finder import RecordedFinder
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
