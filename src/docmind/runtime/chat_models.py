"""The chat models that the settings name, opened; and others, listed and tried before one of them is chosen."""

import asyncio
from dataclasses import dataclass

from pydantic import SecretStr

from docmind.domain.addresses import MASK, provider_of
from docmind.domain.budget import Price
from docmind.domain.errors import ModelError, SettingsError
from docmind.models.chat.factory import open_chat
from docmind.models.chat.meter import Retries
from docmind.models.chat.model import MAX_TOKENS, ChatModel
from docmind.models.chat.offered import offered_by, probe
from docmind.models.chat.roles import Roles
from docmind.settings import NO_MODEL, ModelSettings


def open_roles(models: ModelSettings) -> Roles:
    if models.fallback is not None and models.chat is None:
        raise SettingsError("DOCMIND_MODELS__FALLBACK stands in for DOCMIND_MODELS__CHAT, which is not set.")

    context = models.prompt_tokens + MAX_TOKENS

    def opened(name: str | None, key: SecretStr | None, price: str | None) -> ChatModel | None:
        if name is None:
            return None
        api_key = key.get_secret_value() if key else None
        return open_chat(name, api_key=api_key, price=_price(price), threads=models.threads, context=context)

    writer = opened(models.chat, models.chat_api_key, models.chat_price)
    return Roles(
        writer=writer,
        fallback=opened(models.fallback, models.fallback_api_key, models.fallback_price),
        judge=writer
        if models.judge is None
        else opened(_named(models.judge), models.judge_api_key, models.judge_price),
        retries=Retries(attempts=models.attempts),
        timeout_s=models.timeout_s,
        prompt_tokens=models.prompt_tokens,
    )


def _named(judge: str) -> str | None:
    return None if judge == NO_MODEL else judge


def _price(written: str | None) -> Price | None:
    return None if written is None else Price(*map(float, written.split("/")))


NO_SHAPE = "does not reply with valid JSON, so steps that need it run without the model"


@dataclass(frozen=True, slots=True)
class Trial:
    """What one real round trip to a model showed."""

    model: str
    seconds: float
    tokens_per_s: float
    keeps_shape: bool

    def __str__(self) -> str:
        shape = "replies with the JSON that was asked for" if self.keeps_shape else NO_SHAPE
        return f"{self.model} answered in {self.seconds:.1f} s, {self.tokens_per_s:.0f} tokens a second, {shape}"


def try_model(models: ModelSettings, name: str, api_key: SecretStr | None) -> Trial:
    """Ask the model of that name for a word and for an object; one that fails raises."""
    alone = {"chat": name, "chat_api_key": api_key, "fallback": None, "judge": NO_MODEL}
    try:
        model = open_roles(models.model_copy(update=alone)).writer
        if model is None:
            raise ModelError("No chat model is named.")
        seen = asyncio.run(probe(model))
    except ModelError as error:
        raise _without(api_key, error) from error
    return Trial(model.name, seen.seconds, seen.tokens_per_s, seen.keeps_shape)


def list_models(provider: str, api_key: SecretStr | None) -> list[str]:
    """The models of a provider, or of the server at an address, by the names that they are chosen by."""
    try:
        return offered_by(provider, api_key.get_secret_value() if api_key else None)
    except ModelError as error:
        raise _without(api_key, error) from error


def stored_key(models: ModelSettings, role: str, name: str, *, at_the_machine: bool = False) -> SecretStr | None:
    """The key that is kept for this role, if the model is one of the provider that it was given for.

    Whoever is `at_the_machine` may also have set a key before any model.
    """
    held: SecretStr | None = getattr(models, f"{role}_api_key")
    given_for = provider_of(getattr(models, role))
    fits = provider_of(name) == given_for or (given_for is None and at_the_machine)
    return held if fits else None


def _without(api_key: SecretStr | None, error: ModelError) -> ModelError:
    """The same error; a server may say what it was sent."""
    key = api_key.get_secret_value() if api_key else ""
    return ModelError(str(error).replace(key, MASK)) if key else error
