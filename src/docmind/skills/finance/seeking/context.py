"""What a chat model says the passages lack, where code does not find every figure: words to search for besides."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, Field

from docmind.domain.documents import Passage
from docmind.models.chat.model import ChatModel, Message
from docmind.models.structured import Failure, ask
from docmind.skills.finance.seeking.processed import Gap
from docmind.skills.prompts import instructions, room

MOST = 3
"""Searches that a model may add."""
_LONGEST = 120
_LONGEST_PASSAGE = 1_500


class ContextCheck(BaseModel):
    """What passages lack for a question."""

    missing: Annotated[list[str], Field(description="What is missing, each as a few words to search for.")]


async def missing_in(question: str, passages: Sequence[Passage], chat: ChatModel) -> tuple[list[Gap], str]:
    """What the model misses, and why it was not heard."""
    said = await ask(chat, prompt(question, passages), ContextCheck, room=room("check_context"))
    if isinstance(said, Failure):
        return [], f"What is missing was told by code alone. {said.reason}"
    words = dict.fromkeys(" ".join(one.split())[:_LONGEST] for one in said.missing)
    return [_gap(one) for one in words if any(map(str.isalnum, one))][:MOST], ""


def prompt(question: str, passages: Sequence[Passage]) -> list[Message]:
    """What a chat model is told."""
    listed = "\n\n".join(passage.text[:_LONGEST_PASSAGE] for passage in passages)
    return [
        Message("system", instructions("check_context")),
        Message.user(f"Passages:\n\n{listed}", f"Question: {question}"),
    ]


def _gap(words: str) -> Gap:
    return {"company": "", "metric": "", "year": None, "reason": f"Nothing was found on “{words}”.", "words": words}
