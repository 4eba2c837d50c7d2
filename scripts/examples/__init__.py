"""The example corpora as code: what their papers say, and how they become files."""
