"""How the reader that ships was made."""
