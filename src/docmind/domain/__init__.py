"""Plain types and errors that every floor speaks; no I/O, no third-party library but pydantic."""
