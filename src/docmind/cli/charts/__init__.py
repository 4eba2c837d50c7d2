"""Charts for people: drawn in the terminal, and as images beside the answer."""
