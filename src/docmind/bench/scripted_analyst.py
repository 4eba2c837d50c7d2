"""Chat models that follow a script: a writer that quotes what it is shown, or invents, and a judge that is content."""

import json
import re
from collections.abc import Callable, Sequence

from docmind.models.chat.model import Message

_PASSAGE = re.compile(r"(?:^|\n\n)\[(?=[0-9a-f-]{36}\])")
_LINE = re.compile(r"(?<=\.)\s|\n")
_INVENTED = "The head office moves to Lisbon, and every employee there is paid EUR 999,000 [{id}]."


def quoting(figures: Sequence[str]) -> Callable[[Sequence[Message]], str]:
    """A writer that puts down, for each figure, the first sentence or row of each passage that has it."""

    def write(messages: Sequence[Message]) -> str:
        said = [
            f"- {told.strip('- .').replace(' | ', '; ')} [{passage[:36]}]."
            for figure in figures
            for passage in _passages(messages)
            for told in [line for line in _LINE.split(passage.partition("\n")[2]) if figure in line][:1]
        ]
        return "\n".join(dict.fromkeys(said))

    return write


class Analyst:
    """A writer that invents something in its first draft, or in every draft, where it is told to."""

    def __init__(self) -> None:
        self.figures: Sequence[str] = ()
        self.invents_first = False
        self.invents_always = False

    def __call__(self, messages: Sequence[Message]) -> str:
        first = "Correct these issues:" not in messages[-1].content
        if self.invents_always or (first and self.invents_first):
            return _INVENTED.format(id=_passages(messages)[0][:36])
        return quoting(self.figures)(messages)


def content_judge(messages: Sequence[Message]) -> str:
    """Finds nothing wrong with a draft, and scores it well."""
    if "hallucination_detected" in messages[0].content:
        return json.dumps({"confidence": 0.9, "hallucination_detected": False})
    return json.dumps(dict.fromkeys(("faithfulness", "relevance", "completeness", "reasoning_quality"), 0.9))


def _passages(messages: Sequence[Message]) -> list[str]:
    """The passages in a prompt, each from its id on."""
    return _PASSAGE.split(messages[-1].content.partition("\n\nQuestion: ")[0])[1:]
