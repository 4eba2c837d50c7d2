"""Tells what kind of message somebody wrote, and replies to those that ask nothing of the documents' content."""
