"""What each node does, in words for whoever waits."""

from collections.abc import Mapping
from types import MappingProxyType

ACTIVITIES: Mapping[str, str] = MappingProxyType(
    {
        # Before a graph runs
        "message": "Reading your message",
        # Documents
        "decompose": "Reading the question",
        "retrieve": "Searching the documents",
        "generate": "Reading {passages} and writing the answer",
        "judge": "Checking each sentence",
        "output": "Finishing the answer",
        # Strategy
        "supervisor": "Deciding what to do next",
        "researcher": "Searching the documents",
        "synthesizer": "Reading {passages} and writing the answer",
        "critic": "Checking each sentence",
        "evaluator": "Rating the answer",
        # Chat
        "router": "Reading the question",
        "classify": "Reading the question",
        "rewrite": "Working out what the question refers to",
        "grade": "Reading {passages}",
        "rerank": "Reading {passages}",
        "rewrite_retry": "Searching with other words",
        "rewrite_final": "Searching with other words",
        "generate_caveat": "Reading {passages} and writing the answer",
        "validate": "Checking each sentence",
        "clarify": "Preparing a question for you",
        "clarify_final": "Preparing a question for you",
        "location": "Looking for places",
        # Finance
        "memory_and_query": "Reading the question",
        "retrieval": "Searching the reports",
        "refinement": "Searching for what is missing",
        "analysis": "Reading {passages} and calculating",
        "validation": "Checking what was found",
        "text_explanation": "Explaining the figures",
        "synthesis": "Putting the answer together",
        "quality_check": "Checking each sentence",
        "self_heal": "Correcting the answer",
        "memory_update": "Saving the conversation",
    }
)
"""By the name that a node has in the trace. `{passages}` is how many it was given."""


def activity(node: str, passages: int | None = None) -> str:
    """`Reading 8 passages and writing the answer`; a node that is not listed is told by its name."""
    told = ACTIVITIES.get(node, node.replace("_", " ").capitalize())
    if not passages:
        return told.format(passages="the passages")
    return told.format(passages=f"{passages} passage{'s' if passages != 1 else ''}")
