"""What LangGraph is told of a finance run before any of it is loaded."""

RECURSION_LIMIT = 15
"""Steps that the graph and each of its three agents may take; each counts its own."""
