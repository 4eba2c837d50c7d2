"""The chat models that the settings name, opened, each for what it does in a run."""

from pydantic import SecretStr

from docmind.domain.budget import Price
from docmind.domain.errors import SettingsError
from docmind.models.chat.factory import open_chat
from docmind.models.chat.model import MAX_TOKENS, ChatModel
from docmind.models.chat.retries import Retries
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
