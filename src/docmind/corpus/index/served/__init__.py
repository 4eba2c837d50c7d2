"""A Qdrant server or cluster by URL, one tenant a workspace."""
