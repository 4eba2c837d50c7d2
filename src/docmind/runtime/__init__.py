"""Builds the parts from settings and runs them."""
