"""DocMind: answers over your own documents that check themselves.

The names below are the public API. They are imported when first used, so that a helper process that needs one room
does not load the whole house.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docmind.domain import errors
    from docmind.domain.answers import RunResult
    from docmind.domain.documents import Document, Passage, Span
    from docmind.domain.scope import Scope
    from docmind.domain.search import Filters, Hit
    from docmind.runtime.engine import DocMind
    from docmind.runtime.graphs import build_graph_workflow, build_strategy_graph
    from docmind.settings import Settings
    from docmind.workflows.docs.state import DocMindState
    from docmind.workflows.strategy.state import MASISInput, MASISState

__all__ = [
    "DocMind",
    "DocMindState",
    "Document",
    "Filters",
    "Hit",
    "MASISInput",
    "MASISState",
    "Passage",
    "RunResult",
    "Scope",
    "Settings",
    "Span",
    "build_graph_workflow",
    "build_strategy_graph",
    "errors",
]

_HOME = {
    "DocMind": "docmind.runtime.engine",
    "DocMindState": "docmind.workflows.docs.state",
    "Document": "docmind.domain.documents",
    "Filters": "docmind.domain.search",
    "Hit": "docmind.domain.search",
    "MASISInput": "docmind.workflows.strategy.state",
    "MASISState": "docmind.workflows.strategy.state",
    "Passage": "docmind.domain.documents",
    "RunResult": "docmind.domain.answers",
    "Scope": "docmind.domain.scope",
    "Settings": "docmind.settings",
    "Span": "docmind.domain.documents",
    "build_graph_workflow": "docmind.runtime.graphs",
    "build_strategy_graph": "docmind.runtime.graphs",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name == "errors":
        return import_module("docmind.domain.errors")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
