"""One real round trip to a chat model: does it answer, how fast, and does it reply in the shape that is asked for."""

import asyncio
import time
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, Field

from docmind.domain.errors import ModelError
from docmind.models.chat.model import ChatModel, Message, Room
from docmind.models.structured import Failure, ask

PATIENCE_S = 60.0
_MOST_TOKENS = 64
_PLAIN = (Message("user", "Reply with one word: ready"),)
_SHAPED = (Message("system", "You name capitals."), Message("user", "Which city is the capital of France?"))


class _Capital(BaseModel):
    """The capital of a country."""

    city: Annotated[str, Field(description="Its name.")]


@dataclass(frozen=True, slots=True)
class Probed:
    """What a model did when it was tried."""

    seconds: float
    """Until its first reply was whole."""
    tokens_per_s: float
    keeps_shape: bool
    """Whether it replied with the JSON object that was asked for."""


async def probe(chat: ChatModel, *, patience_s: float = PATIENCE_S) -> Probed:
    """Ask the model twice, for a word and for an object; one that fails raises `ModelError`."""
    began = time.perf_counter()
    try:
        async with asyncio.timeout(patience_s):
            reply = await chat.complete(_PLAIN, max_tokens=_MOST_TOKENS)
            seconds = time.perf_counter() - began
            shaped = await ask(chat, _SHAPED, _Capital, room=Room(_MOST_TOKENS))
    except TimeoutError as error:
        raise ModelError(f"The model {chat.name} took longer than {patience_s:.0f} seconds.") from error
    return Probed(seconds, reply.usage.output_tokens / max(seconds, 1e-6), not isinstance(shaped, Failure))
