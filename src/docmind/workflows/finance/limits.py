"""What LangGraph is told of a finance run before any of it is loaded."""

MAX_RETRIEVALS = 3
MAX_SELF_HEALS = 2
RECURSION_LIMIT = 15
"""Steps that the graph and each of its three agents may take; each counts its own."""
