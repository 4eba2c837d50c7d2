"""How a chat model is chosen by name, a provider's or a file of weights."""

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docmind.domain.budget import Price
from docmind.domain.errors import ModelError
from docmind.models.chat.model import ChatModel

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


# A server holds gigabytes and stops when it is collected, so each file has one, for the life of the process.
_servers: dict[Path, Any] = {}
_starting = threading.Lock()


def serve_gguf(path: Path, *, threads: int | None = None, context: int = 8192) -> str:
    """The base URL of a server of that file; it is started unless it runs already."""
    weights = path.expanduser().resolve()
    if not weights.is_file():
        raise ModelError(f"There is no file of weights at {path}.")
    with _starting:
        if weights not in _servers:
            _servers[weights] = _start_server(weights, threads, context)
        return f"{_servers[weights].listening_address}/v1"


def _start_server(weights: Path, threads: int | None, context: int) -> Any:
    try:
        import xllamacpp
    except ImportError as error:
        raise ModelError(
            f"The chat model gguf:{weights} needs xllamacpp: install it with `pip install 'docmind[gguf]'`."
        ) from error
    params = xllamacpp.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel, params.warmup = str(weights), context, 1, False
    params.verbosity = 0
    if threads is not None:
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    try:
        return xllamacpp.Server(params)
    except Exception as error:  # the library raises what llama.cpp throws
        raise ModelError(f"The weights {weights} cannot be loaded; are they a whole GGUF file?") from error


# A connection that is kept open belongs to the event loop it was opened on, and a program may use one after another.
_NO_KEPT_CONNECTION = {"Connection": "close"}
_LONGEST = 400
"""Characters of a provider's error that are told."""


def open_chat(
    name: str,
    *,
    api_key: str | None = None,
    temperature: float | None = 0.0,
    price: Price | None = None,
    threads: int | None = None,
    context: int = 8192,
) -> ChatModel:
    """The chat model of that name.

    `provider:model` is one that LangChain reaches (`openai:gpt-5-mini`, `anthropic:…`, `google_genai:…`, `ollama:…`);
    `http://host:port/v1` is a server that speaks OpenAI's protocol, with `#model` where it has several; `gguf:PATH` is
    a file of weights that runs in this process on `threads` cores with room for `context` tokens. Without `api_key` a
    provider looks for the key where it always does; a temperature of None leaves the provider its own.
    """
    from docmind.models.chat.provider import ProviderChat

    scheme, _, rest = name.partition(":")
    if not rest:
        raise ModelError(
            f"There is no chat model called {name!r}: use 'provider:model', for example 'openai:gpt-5-mini', "
            "the address of a server that speaks OpenAI's protocol, or 'gguf:PATH'."
        )
    if scheme == "gguf":
        from docmind.models.chat.factory import serve_gguf

        model, options = _at_url(serve_gguf(Path(rest), threads=threads, context=context), None)
    elif scheme in ("http", "https"):
        model, options = _at_url(name, api_key)
    else:
        model, options = name, {} if api_key is None else {"api_key": api_key}
    if model.startswith("openai:"):
        # How long a model may take is the meter's affair, and a second clock would go off before its own.
        options |= {"default_headers": _NO_KEPT_CONNECTION, "stream_usage": True, "stream_chunk_timeout": None}
    shown = _without_password(name)
    built = _build(shown, model, temperature=temperature, **options)
    return ProviderChat(shown, built, price=price, api_key=api_key)


def _without_password(name: str) -> str:
    """A model's name stands in records, logs and metrics; what its address may say before an `@` does not."""
    scheme, slashes, rest = name.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{slashes}{host.rpartition('@')[2]}{slash}{path}"


def _at_url(address: str, api_key: str | None) -> tuple[str, dict[str, Any]]:
    """The LangChain name and options of the model at an address."""
    base_url, _, model = address.partition("#")
    # Local servers ask for no key, but the client refuses to start without one, and would send OpenAI's to anybody.
    options = {"base_url": base_url, "api_key": api_key or "none", "use_responses_api": False}
    return f"openai:{model or 'default'}", options


def _build(name: str, model: str, **options: Any) -> "BaseChatModel":
    from langchain.chat_models import init_chat_model

    try:
        # A retry inside the provider's client would be a call that nobody counts.
        built: BaseChatModel = init_chat_model(model, max_retries=0, **options)
    except ImportError as error:
        raise ModelError(f"The chat model {name} needs its provider's package: {_sentence(error)}") from error
    except Exception as error:  # every provider has its own exceptions
        raise ModelError(
            f"The chat model {name} cannot be opened; is its key set and its name right? {_sentence(error)}"
        ) from error
    return built


def _sentence(error: Exception) -> str:
    """What the error says, on one line and not endless: a long one ends with its last whole sentence."""
    said = " ".join(str(error).split()) or type(error).__name__
    if len(said) > _LONGEST:
        said = said[:_LONGEST].rpartition(". ")[0] or said[:_LONGEST]
    return said.rstrip(".") + "."
