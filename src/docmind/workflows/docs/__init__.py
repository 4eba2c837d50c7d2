"""DocMind: decompose, retrieve, generate, judge, retry, output."""
