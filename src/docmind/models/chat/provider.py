"""Chat models of other houses: whatever LangChain reaches, met through our own seam, its replies and failures read."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, cast

from langchain_core.runnables import RunnableSequence

from docmind.domain.addresses import MASK
from docmind.domain.budget import Price, Usage
from docmind.domain.errors import ModelError
from docmind.models.chat.model import MAX_TOKENS, Message, Reply, Schema, estimate_tokens

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage


# Where providers say why they stopped, and what they say when the tokens had run out.
_STOPPED = ("finish_reason", "stop_reason", "done_reason", "stopReason")
_OUT_OF_TOKENS = frozenset({"length", "max_tokens", "model_length"})


def read_reply(message: "AIMessage", sent: Sequence[tuple[str, str]]) -> Reply:
    metadata = message.response_metadata
    stopped = {str(metadata.get(key)).lower() for key in _STOPPED}
    text = _text(message)
    return Reply(text, _usage(message, text, sent), truncated=not stopped.isdisjoint(_OUT_OF_TOKENS))


def _text(message: "AIMessage") -> str:
    """Some providers keep to a schema by a tool call: its arguments are the object that was asked for."""
    if not message.text and message.tool_calls:
        return json.dumps(message.tool_calls[0]["args"], ensure_ascii=False)
    return str(message.text)


def _usage(message: "AIMessage", text: str, sent: Sequence[tuple[str, str]]) -> Usage:
    told = message.usage_metadata
    if told is None:
        read = estimate_tokens(*(content for _, content in sent))
        return Usage(1, read, estimate_tokens(text), cost=None)
    return Usage(1, told["input_tokens"], told["output_tokens"], cost=_cost(message.response_metadata))


def _cost(metadata: dict[str, Any]) -> float | None:
    """What the provider says the call cost; routers of many models do, others do not."""
    cost = (metadata.get("token_usage") or {}).get("cost")
    return float(cost) if isinstance(cost, int | float) else None


# Too slow, too early, too many: the same request can succeed later.
_PASSING = frozenset({408, 425, 429})
# The roots of connection errors in the libraries providers use; by name, because not all of these are installed.
_CONNECTION = frozenset({"TransportError", "APIConnectionError", "ClientConnectionError", "OSError"})
# What Python raises in a client that takes apart a reply which is not built as its protocol says.
_UNREADABLE = (AttributeError, LookupError, TypeError, ValueError)


def model_error(name: str, error: Exception, *, secret: str | None = None) -> ModelError:
    """The provider's exception as ours, on one line and not endless, and with stars in place of the secret."""
    told = str(error).replace(secret, MASK) if secret else str(error)
    said = (" ".join(told.split()) or type(error).__name__)[:400].rstrip(".")
    status = status_of(error)
    if status is None and isinstance(error, _UNREADABLE):
        return ModelError(f"The model {name} sent a reply that cannot be read ({said}).")
    passing = _broke_off(error) if status is None else status in _PASSING or status >= 500
    return ModelError(f"The model {name} failed: {said}.", retryable=passing, wait_s=asked_to_wait_s(error))


def status_of(error: Exception) -> int | None:
    """The HTTP status of a failure, wherever its provider keeps it and however often it was wrapped."""
    sources = (source for cause in _causes(error) for source in (cause, getattr(cause, "response", None)))
    statuses = (getattr(source, name, None) for source in sources for name in ("status_code", "code"))
    # A reply that came with success and could not be read has a status too, but none to judge by.
    return next((status for status in statuses if isinstance(status, int) and 400 <= status < 600), None)


def asked_to_wait_s(error: Exception) -> float:
    """The seconds after which the provider wants to be asked again, where it names them or a date."""
    named = _header(error, "retry-after")
    if named.isascii() and named.isdigit():
        return float(named)
    # Counted by the provider's own clock where it tells the time: ours may be another.
    then, now = _date(named), _date(_header(error, "date")) or datetime.now(UTC)
    return max(0.0, (then - now).total_seconds()) if then else 0.0


def _header(error: Exception, name: str) -> str:
    headers = (getattr(getattr(cause, "response", None), "headers", None) or {} for cause in _causes(error))
    return next((str(told) for found in headers if (told := found.get(name)) is not None), "")


def _date(header: str) -> datetime | None:
    try:
        read = parsedate_to_datetime(header)
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def _broke_off(error: Exception) -> bool:
    return any(kind.__name__ in _CONNECTION for cause in _causes(error) for kind in type(cause).__mro__)


def _causes(error: BaseException) -> Iterator[BaseException]:
    following: BaseException | None = error
    while following is not None:
        yield following
        following = following.__cause__


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
