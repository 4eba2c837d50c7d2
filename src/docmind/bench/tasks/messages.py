"""Messages: what kind of message somebody wrote, on messages that nothing was fitted on, beside word lists."""

from collections.abc import Callable, Sequence

from docmind.bench.messages import Message, read_messages
from docmind.bench.report import Aim, Row
from docmind.bench.workbench import Workbench
from docmind.domain.answers import MessageKind
from docmind.models.embedders import MiniLMEmbedder
from docmind.skills.messages.classifier import MessageClassifier

LOST = "questions_lost"
AIMS = {"accuracy": Aim(0.85), LOST: Aim(0.02, at_most=True)}
_WORDS = {
    MessageKind.PARTING: "bye goodbye see you later soon ciao farewell take care good night thanks for now that's all",
    MessageKind.GREETING: "hi hello hey greetings morning afternoon evening good day there hiya howdy",
    MessageKind.THANKS: (
        "thanks thank you thx cheers ok okay great perfect nice cool awesome excellent wonderful good got it very much "
        "so a lot that helps was helpful understood alright fine super brilliant makes sense"
    ),
    MessageKind.ABOUT_ASSISTANT: "who what how are you can do work help",
    MessageKind.ABOUT_COLLECTION: "what which list show documents files do you have are there",
    MessageKind.SUMMARISE_CONVERSATION: (
        "summarise summarize recap sum up what you told me we discussed our this conversation chat so far please"
    ),
    MessageKind.SUMMARISE_ALL: "summarise summarize all documents files everything collection the",
    MessageKind.SUMMARISE: "summarise summarize summary give me a overview of the this document please",
}
"""Of each kind the words that a message of nothing else is taken for: what stands beside the learned model."""


def run(bench: Workbench) -> list[Row]:
    messages = [one for one in read_messages(bench.dataset("messages")) if one.part == "test"]
    classifier = MessageClassifier(MiniLMEmbedder())
    systems: dict[str, Callable[[str], MessageKind]] = {"docmind": classifier.kind, "word-lists": by_words}
    return [
        row
        for system, kind_of in systems.items()
        for row in _rows(system, messages, [kind_of(m.text) for m in messages])
    ]


def by_words(message: str) -> MessageKind:
    """The first kind that has every word of the message."""
    said = set(message.lower().strip(" .!?").split())
    return next((kind for kind, words in _WORDS.items() if said <= set(words.split())), MessageKind.QUESTION)


def _rows(system: str, messages: Sequence[Message], told: Sequence[MessageKind]) -> list[Row]:
    pairs = [(one.kind, kind) for one, kind in zip(messages, told, strict=True)]
    questions = [kind for true, kind in pairs if true is MessageKind.QUESTION]
    lost = sum(kind is not MessageKind.QUESTION for kind in questions)
    values = [
        ("accuracy", sum(true is kind for true, kind in pairs) / len(pairs), len(pairs)),
        (LOST, lost / len(questions), len(questions)),
    ]
    for kind in MessageKind:
        right = sum(true is kind is given for true, given in pairs)
        given = sum(given is kind for _, given in pairs)
        there = sum(true is kind for true, _ in pairs)
        values += [(f"precision@{kind}", right / given if given else 0.0, given)]
        values += [(f"recall@{kind}", right / there if there else 0.0, there)]
    aims = AIMS if system == "docmind" else {}
    return [Row("messages", system, metric, value, n, aim=aims.get(metric)) for metric, value, n in values]
