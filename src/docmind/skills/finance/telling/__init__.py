"""Telling what an analysis found: in words with formulas, in charts, checked before it goes out."""
