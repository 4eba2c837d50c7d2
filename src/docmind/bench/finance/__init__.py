"""Benchmarks of questions on financial tables: how their documents are ingested and their answers scored."""
