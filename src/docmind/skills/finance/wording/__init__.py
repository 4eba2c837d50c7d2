"""Wording what an analysis found: in sentences with formulas, in charts, checked before it goes out."""
