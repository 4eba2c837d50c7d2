"""What a workflow's nodes think with: each skill is one file with its output and its ways of getting there."""
