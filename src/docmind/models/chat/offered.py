"""Which models are on offer: from a provider, a local Ollama, or any address that speaks OpenAI's protocol."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from docmind.domain.addresses import without_password
from docmind.domain.errors import ModelError

PATIENCE_S = 5.0
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
        answer = httpx.get(url, headers=headers, timeout=PATIENCE_S, trust_env=by_proxy)
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
