"""Reading a conversation: what was said before, what a new message takes from it, and how to say that message alone."""

from docmind.skills.dialogue.history import History, Turn

__all__ = ["History", "Turn"]
