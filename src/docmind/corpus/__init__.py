"""Find things again: load, chunk, index, search."""
