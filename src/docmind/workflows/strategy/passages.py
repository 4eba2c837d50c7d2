"""Passages in the state of the strategy workflow, and the scope that they are searched in."""

from docmind.domain.scope import Scope
from docmind.domain.search import Hit
from docmind.workflows.services import Services
from docmind.workflows.strategy.state import MASISState, hits_of


def scope_of(state: MASISState, services: Services) -> Scope:
    """The workspace the state names, seen by the user of the run."""
    workspace = state.get("workspace_id")
    return services.scope if workspace is None else Scope(workspace, services.scope.user)


def hits_in(state: MASISState, services: Services) -> list[Hit]:
    """The hits that the evidence was made of, as far as answering and checking need them."""
    return hits_of(state["evidence"], scope_of(state, services))
