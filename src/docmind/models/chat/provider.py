"""Chat models of other houses: whatever LangChain reaches, met through our own seam."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, cast

from langchain_core.runnables import RunnableSequence

from docmind.domain.budget import Price, Usage
from docmind.domain.errors import ModelError
from docmind.models.chat.faults import model_error, status_of
from docmind.models.chat.model import MAX_TOKENS, Message, Reply, Schema
from docmind.models.chat.said import read_reply

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessageChunk
    from langchain_core.runnables import Runnable

    Held = Runnable[Any, Any]

# The same limit has another name in each provider's class.
_LIMITS = ("max_tokens", "max_output_tokens", "num_predict", "max_new_tokens")
# How servers say that they do not know a part of the request.
_REFUSED = frozenset({400, 422, 501})

# Others keep by themselves what they have read of a prompt, up to where it differs from an earlier one.
_KEEPS_WHAT_IS_MARKED = "anthropic-chat"


class ProviderChat:
    """A LangChain chat model. It makes one request a call: retries, timeouts and limits are the meter's affair."""

    def __init__(
        self, name: str, model: "BaseChatModel", *, price: Price | None = None, api_key: str | None = None
    ) -> None:
        self.name = name
        self.price = price
        self._model = model
        self._api_key = api_key
        self._takes_schema: bool | None = None
        """None until a provider was seen to take a schema or to refuse one."""

    async def complete(
        self, messages: Sequence[Message], *, schema: Schema | None = None, max_tokens: int = MAX_TOKENS
    ) -> Reply:
        model, sent = self._limited(max_tokens), _sendable(messages)
        held = None if schema is None else self._held_to(schema, model)
        if held is not None:
            return await self._ask_held(held, sent)
        try:
            return read_reply(await model.ainvoke(self._marked(sent)), sent)
        except Exception as error:  # every provider has its own exceptions
            if schema is not None and status_of(error) in _REFUSED:
                # Without the schema it is refused as well, so the schema was not the reason.
                self._takes_schema = None
            raise self._failure(error) from error

    async def stream(
        self, messages: Sequence[Message], *, max_tokens: int = MAX_TOKENS
    ) -> AsyncGenerator[str | Reply, None]:
        whole: AIMessageChunk | None = None
        sent = _sendable(messages)
        try:
            chunks = cast("AsyncGenerator[AIMessageChunk, None]", self._limited(max_tokens).astream(self._marked(sent)))
            async with _breaking_off(chunks):
                async for chunk in chunks:
                    whole = chunk if whole is None else whole + chunk
                    if chunk.text:
                        yield str(chunk.text)
        except Exception as error:  # every provider has its own exceptions
            raise self._failure(error) from error
        if whole is None or _unfinished(whole.response_metadata):
            raise ModelError(f"The model {self.name} broke off before its reply was whole.", retryable=True)
        yield read_reply(whole, sent)

    def _failure(self, error: Exception) -> ModelError:
        """What went wrong, without the key: a server may say what it was sent, and this ends up in records and logs."""
        return model_error(self.name, error, secret=self._api_key)

    def _held_to(self, schema: Schema, model: "BaseChatModel") -> "Held | None":
        """The model made to keep to the schema; None where its provider cannot do that."""
        if self._takes_schema is False:
            return None
        try:
            asking = model.with_structured_output(dict(schema), method="json_schema", include_raw=True)
            # LangChain reads the reply in further steps, which take hours over a long one that is no JSON; we read it.
            return asking.first if isinstance(asking, RunnableSequence) else asking
        except (NotImplementedError, TypeError, ValueError):
            return None

    async def _ask_held(self, held: "Held", sent: list[tuple[str, str]]) -> Reply:
        """A provider that refuses the first schema it is given is not given another, and the call can be made again."""
        try:
            result = cast("dict[str, Any]", await held.ainvoke(self._marked(sent)))
        except Exception as error:  # every provider has its own exceptions
            if cut_off := _cut_off(error):
                return cut_off
            failure = self._failure(error)
            if self._takes_schema is None and status_of(error) in _REFUSED:
                self._takes_schema, failure.retryable = False, True
            raise failure from error
        self._takes_schema = True
        return read_reply(result["raw"], sent)

    def _marked(self, sent: list[tuple[str, str]]) -> list[tuple[str, str | list[str | dict[str, Any]]]]:
        """What is the same in every call of a task, marked for a provider that keeps only what is marked."""
        marks = self._model._llm_type == _KEEPS_WHAT_IS_MARKED
        return [(role, _marked(text) if marks and role == "system" else text) for role, text in sent]

    def _limited(self, max_tokens: int) -> "BaseChatModel":
        field = next((name for name in _LIMITS if name in type(self._model).model_fields), None)
        return self._model if field is None else self._model.model_copy(update={field: max_tokens})


@asynccontextmanager
async def _breaking_off(chunks: AsyncGenerator[Any, None]) -> AsyncGenerator[None, None]:
    """Closes a provider's stream whose reader leaves before its end.

    It is a dozen generators, one within the other. To close the outermost would leave the others to the garbage
    collector, which closes them in any order and all at once. Cancelled where the innermost waits for the next bytes,
    each ends the one around it.
    """
    async with aclosing(chunks):
        try:
            yield
        except GeneratorExit:
            with suppress(Exception):
                async with asyncio.timeout(0):
                    async for _ in chunks:
                        pass
            raise


def _sendable(messages: Sequence[Message]) -> list[tuple[str, str]]:
    """Half a surrogate pair has no UTF-8 form to send."""
    return [(message.role, message.content.encode("utf-8", "replace").decode()) for message in messages]


def _marked(text: str) -> list[str | dict[str, Any]]:
    return [{"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}]


def _unfinished(metadata: dict[str, Any]) -> bool:
    """Whether a stream ended without its end mark: a connection that is simply closed looks like a reply that is done.

    Only the OpenAI protocol, which most servers speak, is known to always send one.
    """
    return metadata.get("model_provider") == "openai" and not metadata.keys() & {"finish_reason", "status"}


def _cut_off(error: Exception) -> Reply | None:
    """OpenAI's client raises where a reply under a schema used up its tokens; the reply comes with the exception."""
    completion = getattr(error, "completion", None)
    if completion is None or not completion.choices or completion.usage is None:
        return None
    usage = Usage(1, completion.usage.prompt_tokens, completion.usage.completion_tokens, cost=None)
    return Reply(completion.choices[0].message.content or "", usage, truncated=True)
