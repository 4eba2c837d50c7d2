"""Says who calculates, where a question asks for a sum that nobody here can make."""

from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.question.words import read_words
from docmind.workflows.services import Services

QUOTES = "Without a chat model this workflow quotes the documents and does not calculate; the finance workflow does."
_ASKING_FOR_ONE = vocabulary("sum combined together altogether difference average add")


def who_calculates(question: str, services: Services) -> str:
    """A sentence for the person whose question it is; empty where it asks for no sum, or a chat model writes."""
    asks = not _ASKING_FOR_ONE.isdisjoint(word.lower for word in read_words(question))
    return QUOTES if asks and services.writer is None else ""
