"""What a message to DocMind can be, besides a question to the documents."""

from enum import StrEnum


class MessageKind(StrEnum):
    QUESTION = "question"
    """Asks something of the documents: a workflow answers it."""
    GREETING = "greeting"
    THANKS = "thanks"
    PARTING = "parting"
    ABOUT_ASSISTANT = "about_assistant"
    """Asks what DocMind is and does."""
    ABOUT_COLLECTION = "about_collection"
    """Asks which documents there are."""
    SUMMARISE = "summarise"
    """Asks for the main points of one document."""
    SUMMARISE_ALL = "summarise_all"
    """Asks for a few words about every document."""
    SUMMARISE_CONVERSATION = "summarise_conversation"
    """Asks what was said in the conversation so far."""


COURTESIES = frozenset((MessageKind.GREETING, MessageKind.THANKS, MessageKind.PARTING, MessageKind.ABOUT_ASSISTANT))
"""What nobody goes on from."""
