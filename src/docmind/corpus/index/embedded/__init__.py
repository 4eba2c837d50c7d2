"""Qdrant in a process of its own, one shard a workspace: what runs where nothing is set."""
