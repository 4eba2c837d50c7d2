"""Conflicts in the evidence itself: two passages that cannot both be right."""

from docmind.quality.conflicts.find import find_conflicts

__all__ = ["find_conflicts"]
