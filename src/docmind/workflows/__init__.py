"""The workflows, each a graph of its own: state.py, nodes.py, edges.py, graph.py."""
