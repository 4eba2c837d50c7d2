"""Tells titles apart as a reader does."""

import unicodedata


def normal(title: str) -> str:
    """A title as its words alone: case, accents' encoding, punctuation and spacing do not tell titles apart."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    return " ".join("".join(c if c.isalnum() else " " for c in folded).split())
