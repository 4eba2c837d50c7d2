"""Agentic RAG: route, rewrite, retrieve, grade, generate, validate, clarify, places; and the simple stateless mode."""
