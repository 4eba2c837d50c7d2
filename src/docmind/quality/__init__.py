"""Checking answers by code alone: sentences, claims, citations, grounding and numbers, with no chat model anywhere."""
