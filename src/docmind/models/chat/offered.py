"""Which models a server offers: a local Ollama, or any address that speaks OpenAI's protocol."""

import os
from typing import Any

from docmind.domain.errors import ModelError

PATIENCE_S = 5.0
_OLLAMA = "http://127.0.0.1:11434"


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
    found = _get(f"{base}/models", api_key)
    return [f"{base}#{one['id']}" for one in _listed(found, "data") if isinstance(one.get("id"), str)]


def _get(url: str, api_key: str | None = None) -> Any:
    import httpx

    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    try:
        answer = httpx.get(url, headers=headers, timeout=PATIENCE_S, trust_env=False)
        answer.raise_for_status()
        return answer.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise ModelError(f"{url} does not list its models: {said[:200].rstrip('.')}.") from error


def _listed(found: Any, key: str) -> list[dict[str, Any]]:
    rows = found.get(key) if isinstance(found, dict) else None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
