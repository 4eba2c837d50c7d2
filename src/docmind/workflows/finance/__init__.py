"""Finance: three agents, each a graph of its own, that retrieve, analyse and tell."""
