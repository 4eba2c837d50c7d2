"""What is remembered of runs: where each stands, what it asked, and how it ended."""
