"""OpenAI's protocol as DocMind speaks it: what its clients send, and what they expect in return."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from docmind.domain.answers import CheckedClaim, Citation, Clarification, NearPassage, RunResult, Status
from docmind.domain.errors import InvalidQuery
from docmind.server.deps import MostWrong, Scoped, Text, Thread
from docmind.skills.dialogue.history import History, Turn, unmarked
from docmind.skills.rewrite import by_structure

MOST_EARLIER = 40
"""Messages that count as the conversation, the newest; what is further back is not spoken of any more."""
_LONGEST_EARLIER = 4_000


class Part(BaseModel):
    type: str
    text: Text = ""


class Message(BaseModel):
    role: str
    content: Annotated[Text | list[Part] | None, Field(description="Text, or parts of which the texts count.")] = None

    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class StreamOptions(BaseModel):
    include_usage: bool = False


class CompletionRequest(Scoped):
    """What clients of that protocol send besides, such as a temperature, is taken and has no effect."""

    model_config = ConfigDict(
        extra="ignore",
        json_schema_extra={
            "examples": [
                {
                    "model": "docs",
                    "messages": [{"role": "user", "content": "When does production in Ostrava start?"}],
                    "workspace": "strategy",
                }
            ]
        },
    )

    model: Annotated[Text, Field(description="The workflow that answers.")]
    messages: Annotated[
        list[Message],
        Field(
            description="The last one of the user is the question; those of the user and the assistant before it are "
            "the conversation that it belongs to. Others have no effect."
        ),
    ]
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    thread: Thread | None = None
    most_wrong: MostWrong | None = None

    def question(self) -> str:
        """What the user asks, alone: what it takes from the messages before it is written out.

        In a thread it stays as it is, for the thread is the conversation then.
        """
        last = max((at for at, message in enumerate(self.messages) if message.role == "user"), default=None)
        if last is None:
            raise InvalidQuery("There is no message with the role `user`, so there is nothing to answer.")
        asked = self.messages[last].text()
        return asked if self.thread else by_structure(asked, _history(self.messages[:last]))


def _history(messages: Sequence[Message]) -> History:
    """The newest turns: each message of the user with the assistant's next, its marks and caveats among it."""
    turns: list[Turn] = []
    for message in messages[-MOST_EARLIER:]:
        text = message.text()[:_LONGEST_EARLIER]
        if message.role == "user":
            # As it was understood: "and in 2024?" is no help to the question after it.
            turns.append(Turn(by_structure(text, History(tuple(turns))), asked=text))
        elif message.role == "assistant" and turns:
            turns[-1] = replace(turns[-1], answer=unmarked(text))
    return History(tuple(turns))


class Extension(BaseModel):
    """What the protocol has no field for: everything the answer rests on."""

    run_id: str
    status: Status
    confidence: float
    confidence_in_words: str | None
    citations: list[Citation]
    claims: list[CheckedClaim]
    nearest: list[NearPassage]
    notices: list[str]
    clarification: Clarification | None

    @classmethod
    def of(cls, result: RunResult) -> "Extension":
        return cls(**{name: getattr(result, name) for name in cls.model_fields})


class Usage(BaseModel):
    """Tokens that the chat models of a run read and wrote."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int

    @classmethod
    def of(cls, result: RunResult) -> "Usage":
        used = result.usage
        read = used.tokens - used.output_tokens
        return cls(prompt_tokens=read, completion_tokens=used.output_tokens, total_tokens=used.tokens)


class Said(BaseModel):
    role: Literal["assistant"] = "assistant"
    content: str


class Choice(BaseModel):
    index: Literal[0] = 0
    message: Said
    finish_reason: Literal["stop"] = "stop"


class Completion(BaseModel):
    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[Choice]
    usage: Usage
    docmind: Extension

    @classmethod
    def of(cls, result: RunResult) -> "Completion":
        return cls(
            id=result.run_id,
            created=int(time.time()),
            model=result.workflow,
            choices=[Choice(message=Said(content=said(result)))],
            usage=Usage.of(result),
            docmind=Extension.of(result),
        )


class Model(BaseModel):
    id: Annotated[str, Field(examples=["docs"])]
    object: Literal["model"] = "model"
    created: Literal[0] = 0
    owned_by: Literal["docmind"] = "docmind"


class ModelList(BaseModel):
    object: Literal["list"] = "list"
    data: list[Model]


class Chunk(BaseModel):
    id: str
    object: Literal["chat.completion.chunk"] = "chat.completion.chunk"
    created: int
    model: str
    choices: list[dict[str, Any]]
    usage: Usage | None = None
    docmind: Extension | None = None


def said(result: RunResult) -> str:
    """The answer, or what is asked back with its options, and what a reader has to know of how it came about."""
    asked = result.clarification
    question = () if asked is None else (asked.question, *(f"- {option}" for option in asked.options))
    told = "\n".join(filter(None, (result.answer, *question)))
    return "\n\n".join(filter(None, (told, "\n".join(result.notices))))
