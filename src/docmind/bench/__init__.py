"""Benchmarks of the product as shipped, each number with what it is to be compared with."""
