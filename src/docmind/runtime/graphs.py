"""Graphs to be run as they are: without services of their own they work on the default store."""

from functools import cache

from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.runtime.session import plan
from docmind.runtime.workflows import DOCS
from docmind.settings import Settings
from docmind.workflows.docs import graph as docs
from docmind.workflows.services import Services, provide_default
from docmind.workflows.strategy import graph as strategy

DEFAULT_WORKSPACE = "default"


def build_graph_workflow(*, max_hallucinations: int | None = None) -> docs.Graph:
    """The docs workflow, compiled: `await graph.ainvoke(initial_state)`. Without a limit the settings give it."""
    limit = Settings.load().docs.max_hallucinations if max_hallucinations is None else max_hallucinations
    return docs.build_graph_workflow(max_hallucinations=limit)


def build_strategy_graph() -> strategy.Graph:
    """The strategy workflow, compiled: `await graph.ainvoke(MASISInput(user_query=…).to_state())`."""
    return strategy.build_strategy_graph()


@cache
def default_engine() -> DocMind:
    """The installation that graphs without services of their own work on; it stays open."""
    return DocMind()


def _default_services() -> Services:
    engine = default_engine()
    return plan(DOCS, engine.services(Scope(DEFAULT_WORKSPACE)), engine.roles, engine.settings.budget).services


provide_default(_default_services)
