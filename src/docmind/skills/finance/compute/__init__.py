"""Calculations on the figures that were found, and whether what they come to holds."""
