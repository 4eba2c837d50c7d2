"""What is said to messages that need no document to be read: courtesies, and what DocMind is and holds."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from docmind.domain.answers import MessageKind
from docmind.domain.documents import Document

MOST_TITLES = 10
"""Titles that are named; of the others it is said how many there are."""
SAID: Mapping[MessageKind, str] = MappingProxyType({
    MessageKind.GREETING: "Hello! Ask me anything your documents could answer, or type “What can you do?”.",
    MessageKind.THANKS: "You’re welcome. Is there anything else you would like to know?",
    MessageKind.PARTING: "Goodbye.",
    # Where there is no conversation; the chat workflow sums up its own.
    MessageKind.SUMMARISE_CONVERSATION: (
        "Here every question is answered on its own. I can sum up a conversation in the chat workflow."
    ),
})  # fmt: skip
_SELF = (
    "I am DocMind. I answer questions from the documents in this workspace, show you the exact words each answer "
    "is based on, and tell you when the documents do not say. I can also list the documents and summarise them."
)
_DOES = MappingProxyType({
    "docs": (
        "Here I check every sentence of an answer against the documents.",
        ("How much notice does the tenant have to give?", "Which documents must be attached to a claim?"),
    ),
    "strategy": (
        "Here I weigh what several documents say, and ask you where they disagree.",
        ("What are the main risks of the expansion?", "Should we renew the supplier contract?"),
    ),
    "finance": (
        "Here I read figures from reports and their tables, calculate with them, and draw charts.",
        ("How did revenue grow from 2022 to 2023?", "Draw a chart of net income over the last three years."),
    ),
    "chat": (
        "In this chat you can ask follow-up questions, look for facilities near a place, and ask me to sum up what I "
        "told you.",
        ("What does the warranty cover?", "And for how long?"),
    ),
})  # fmt: skip
"""Of each workflow what it does besides, and two questions that it is made for."""
NOTHING_TOLD = "I have not answered anything from your documents in this conversation yet. Ask me something first."
EMPTY = "There are no documents in this workspace yet. Add some, and I can answer questions about them."


def about_assistant(workflow: str) -> str:
    does, examples = _DOES.get(workflow.partition("-")[0], _DOES["docs"])
    return f"{_SELF} {does}\n\nFor example:\n" + "\n".join(f"- {one}" for one in examples)


def about_collection(documents: Sequence[Document], total: int) -> str:
    """The titles of the first documents, and how many there are in all."""
    if not total:
        return EMPTY
    count = "There is one document" if total == 1 else f"There are {total} documents"
    return f"{count} in this workspace:\n{titles(documents, total)}"


def which_one(documents: Sequence[Document], total: int, *, named: str = "") -> str:
    """Asks which document is to be summarised: of those that could be meant, or of all."""
    if not total:
        return EMPTY
    if named:
        opening = f"I found no document called “{named}”. These are in this workspace:"
    else:
        opening = "Which document do you mean? It could be one of these:"
    example = f"Ask for one by its title, for example: Summarise “{documents[0].title}”."
    return f"{opening}\n{titles(documents, total)}\n\n{example}"


def titles(documents: Sequence[Document], total: int) -> str:
    """A list of titles, each with its file where several documents share one."""
    shown = documents[:MOST_TITLES]
    names = [one.title for one in shown]
    lines = [f"- {one.title}" if names.count(one.title) == 1 else f"- {one.title} ({one.file_name})" for one in shown]
    more = total - len(shown)
    return "\n".join([*lines, *([f"- and {more} more"] if more > 0 else [])])
