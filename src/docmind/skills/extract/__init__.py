"""Answers made of the documents' own sentences: what is asked, which sentences answer it, how they are put together."""
