"""Which models are on offer at an address, and whether one of them answers."""

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, Field

from docmind.domain.addresses import without_password
from docmind.domain.errors import ModelError
from docmind.models.chat.model import ChatModel, Message, Room
from docmind.models.structured import Failure, ask

_LISTING_PATIENCE_S = 5.0
_OLLAMA = "http://127.0.0.1:11434"


@dataclass(frozen=True, slots=True)
class _Provider:
    """Where a provider lists its models, as its own client finds it and is let in."""

    path: str
    bases: tuple[str, ...]
    """Variables that name another address than its own, as its own client reads them."""
    base: str
    keys: tuple[str, ...]
    """Variables that its key is looked for in."""
    headers: Callable[[str], dict[str, str]]
    rows: str = "data"
    named: str = "id"


_PROVIDERS = {
    "openai": _Provider(
        "/models",
        ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
        "https://api.openai.com/v1",
        ("OPENAI_API_KEY",),
        lambda key: {"Authorization": f"Bearer {key}"},
    ),
    "anthropic": _Provider(
        "/v1/models?limit=1000",
        ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_URL"),
        "https://api.anthropic.com",
        ("ANTHROPIC_API_KEY",),
        lambda key: {"x-api-key": key, "anthropic-version": "2023-06-01"},
    ),
    "google_genai": _Provider(
        "/v1beta/models?pageSize=1000",
        (),
        "https://generativelanguage.googleapis.com",
        ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        # In a header, since addresses end up in logs.
        lambda key: {"x-goog-api-key": key},
        rows="models",
        named="name",
    ),
}
LISTED_PROVIDERS = (*_PROVIDERS, "ollama")
"""Those that `offered_by` knows by name."""


def offered_by(provider: str, api_key: str | None = None) -> list[str]:
    """The models of a provider, of the local `ollama` or of a server by its address, as DocMind opens them."""
    if provider.startswith(("http://", "https://")):
        return offered_at(provider, api_key)
    if provider == "ollama":
        return offered_by_ollama()
    if provider not in _PROVIDERS:
        raise ModelError(f"What {provider[:80]!r} offers cannot be listed; its models can be chosen by name.")
    known = _PROVIDERS[provider]
    key = api_key or _first(known.keys)
    if key is None:
        raise ModelError(f"{provider} lists its models to whoever shows a key: enter yours, or set {known.keys[0]}.")
    base = (_first(known.bases) or known.base).rstrip("/")
    found = _listed(_get(f"{base}{known.path}", known.headers(key), by_proxy=True), known.rows)
    names = (str(one.get(known.named, "")).removeprefix("models/") for one in found)
    return sorted(f"{provider}:{name}" for name in names if name)


def ollama_address() -> str:
    """Where Ollama listens on this machine, as its own program is told."""
    named = os.environ.get("OLLAMA_HOST", "")
    if not named:
        return _OLLAMA
    return named if "://" in named else f"http://{named}"


def offered_by_ollama() -> list[str]:
    """The models of the local Ollama, by the names that DocMind opens them by."""
    found = _get(f"{ollama_address()}/api/tags")
    return [f"ollama:{one['name']}" for one in _listed(found, "models") if isinstance(one.get("name"), str)]


def offered_at(address: str, api_key: str | None = None) -> list[str]:
    """The models of a server that speaks OpenAI's protocol, by the names that DocMind opens them by."""
    base = address.partition("#")[0].rstrip("/")
    found = _get(f"{base}/models", {"Authorization": f"Bearer {api_key}"} if api_key else {})
    return [f"{base}#{one['id']}" for one in _listed(found, "data") if isinstance(one.get("id"), str)]


def _get(url: str, headers: dict[str, str] | None = None, *, by_proxy: bool = False) -> Any:
    """`by_proxy` heeds the system's proxy, as providers' own clients do; a server nearby is asked directly."""
    import httpx

    try:
        answer = httpx.get(url, headers=headers, timeout=_LISTING_PATIENCE_S, trust_env=by_proxy)
        answer.raise_for_status()
        return answer.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        said = " ".join(without_password(str(error)).split()) or type(error).__name__
        shown = without_password(url).partition("?")[0]
        raise ModelError(f"{shown} does not list its models: {said[:200].rstrip('.')}.") from error


def _first(names: tuple[str, ...]) -> str | None:
    return next((held for name in names if (held := os.environ.get(name))), None)


def _listed(found: Any, key: str) -> list[dict[str, Any]]:
    rows = found.get(key) if isinstance(found, dict) else None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


_PROBE_PATIENCE_S = 60.0
_PROBE_TOKENS = 64
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


async def probe(chat: ChatModel, *, patience_s: float = _PROBE_PATIENCE_S) -> Probed:
    """Ask the model twice, for a word and for an object; one that fails raises `ModelError`."""
    began = time.perf_counter()
    try:
        async with asyncio.timeout(patience_s):
            reply = await chat.complete(_PLAIN, max_tokens=_PROBE_TOKENS)
            seconds = time.perf_counter() - began
            shaped = await ask(chat, _SHAPED, _Capital, room=Room(_PROBE_TOKENS))
    except TimeoutError as error:
        raise ModelError(f"The model {chat.name} took longer than {patience_s:.0f} seconds.") from error
    return Probed(seconds, reply.usage.output_tokens / max(seconds, 1e-6), not isinstance(shaped, Failure))
